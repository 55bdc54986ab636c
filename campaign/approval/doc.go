// Package approval is a plan of a campaign that people approve before it is sent, and what has drifted from it since.
//
// [New] makes a [Plan] of what would be sent; it is written as JSON that can be read and reviewed, and holds hashes and counts but no phone
// number. [Plan.Drift] holds it against the plan of what is about to be sent. Sketches (sketch.go) tell how many messages differ.
package approval
