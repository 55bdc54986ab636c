// Package lines turns the bytes of a list into placed records: unpack, look at the first bytes, decode, cut records, keep their places.
//
// It reads CSV in any of the usual encodings, line endings and delimiters, packed or not, and XLSX workbooks. What it had to guess
// or to forgive it notes; a record whose cells are in doubt comes with a LineError; what it cannot read at all it refuses by name,
// with a hint. A wrong guess here would send a message to a stranger.
//
// Start at NewReader (unpack.go, encoding.go and sniff.go look at the beginning of the file), then Reader.Records: text.go keeps the
// window, scan.go cuts one record out of it and textrecord.go judges it; workbook.go opens a workbook, sheet.go streams its rows.
//
// Large files go through InOrder (inorder.go): blocks.go finds stretches of the window about which nothing is to be said and hands
// them out as blocks, which all cores cut at once; the records between them take the careful path.
package lines
