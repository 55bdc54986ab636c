// Package lines turns the bytes of a list into placed records: look at the first bytes, find the delimiter, cut records, keep their places.
//
// It reads CSV in UTF-8 with comma, semicolon or tab. Whatever it cannot read for certain it refuses by name, with the place
// and a hint. A wrong guess here would send a message to a stranger.
//
// Start at NewReader (sniff.go looks at the beginning of the file), then Reader.Records (reader.go keeps the window, scan.go
// cuts one record out of it).
package lines
