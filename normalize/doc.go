// Package normalize turns a recipient list into recipients: find the columns, read each phone cell, tie every fault to its place.
//
// Start at Open and List.Rows (list.go). Which column is which stands in headers.go, how a cell becomes a number in number.go,
// and why a row is held back in rules.go, the one table of rules.
//
// The golden rule: a number is what the list says or it is nothing. Parse never lets the phone library rewrite digits; a
// writing that is not read yet is refused by the name of its rule.
package normalize
