// Package normalize turns a recipient list into recipients: find the columns, read each phone cell, tie every fault to its place.
//
// Start at Open and List.Rows (list.go). Which column is which stands in headers.go. A phone cell goes from text to digits in
// cell.go (characters.go, sheets.go, links.go, labels.go are its steps), from digits to a number in number.go and national.go;
// plans.go holds what countries and WhatsApp do their own way, and rules.go why a row is held back, in one table.
//
// The golden rule: a number is what the list says or it is nothing. Parse never lets the phone library rewrite digits; whatever
// is taken out, put in or repaired has a named rule, and where two people may be meant there is no number.
package normalize
