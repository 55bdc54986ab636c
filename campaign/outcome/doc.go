// Package outcome says what an answer means: an error code, or an answer without one, becomes one Class with words for people.
//
// ForCode looks in the table of codes (codes.go), WithoutCode in the table of answers that carry none (bare.go).
// Nothing here reads a network, a clock or a text: the code alone decides, since titles and HTTP statuses vary.
package outcome
