// Package clean writes lists anew: checked rows become a clean list and a list of rejects, or a list's own text with its repairs.
//
// Start at New (clean.go) for a clean copy, at Mend (mend.go) for repairs in place. It judges nothing: normalize.Check has done so.
package clean
