// Package normalize turns a recipient list into recipients: find the columns, read each phone cell, tie every fault to its place.
//
// Start at Open and List.Rows (list.go). Which column is which stands in headers.go. A phone cell goes from text to digits in
// cell.go (steps.go lists its steps, which are in characters.go, sheets.go, links.go and labels.go), from digits to a number in
// number.go and national.go; plain.go and elsewhere.go are a short cut through all of that for the usual writings. The plans of all countries
// are in numplan; plans.go holds what countries and WhatsApp do their own way, reach.go what a number's type means for WhatsApp, and
// rules.go why a row is held back, in one table.
//
// Rows are read in batches on all cores and handed out in file order (batch.go). Check (dedupe.go) holds them against each other; brief.go is a
// short cut for rows about which nothing is to be said, and
// people.go remembers of each recipient only who says what in which line, in 16 bytes. What it has room for is a short hash, so a second look
// at the list confirms which rows say the same (confirm.go).
//
// The golden rule: a number is what the list says or it is nothing. Parse never lets the plans rewrite digits; whatever
// is taken out, put in or repaired has a named rule, and where two people may be meant there is no number.
package normalize
