package lines

import (
	"errors"
	"fmt"
	"strings"
)

// The reasons why a file is refused. They are wrapped in a FileError that says what was found and where.
var (
	ErrEncoding      = errors.New("encoding is not readable")
	ErrFormat        = errors.New("format is not readable")
	ErrEmpty         = errors.New("file is empty")
	ErrNUL           = errors.New("NUL byte")
	ErrBareQuote     = errors.New("quote in a wrong place")
	ErrUnclosedQuote = errors.New("unclosed quote")
	ErrTooLong       = errors.New("record is too long")
	ErrPacked        = errors.New("damaged compression")
	ErrTooBig        = errors.New("file is too big")
)

// LineError is a fault that spoils one line and leaves the lines after it readable. All readers share it.
//
// Line, Column (field) and Char count from 1; 0 means not known. Rule is the name of a lint rule, or empty.
type LineError struct {
	Path               string
	Line, Column, Char int
	Rule, Msg, Hint    string
}

// Error is the place and what is wrong there; what to do next stands in Hint.
func (e *LineError) Error() string {
	return place(e.Path, e.Line, e.Column, e.Char) + ": " + e.Msg
}

// FileError is a fault after which nothing more is read from the file. Err is its reason, for errors.Is.
//
// Line, Column (field) and Char count from 1; 0 means not known. Rule is the name of a lint rule, or empty.
type FileError struct {
	Path               string
	Line, Column, Char int
	Rule, Msg, Hint    string
	Err                error
}

// Error is the place and what was found there; what to do next stands in Hint.
func (e *FileError) Error() string {
	return place(e.Path, e.Line, e.Column, e.Char) + ": " + e.Msg
}

// Unwrap gives the reason, one of the Err values of this package or of the package that reads on.
func (e *FileError) Unwrap() error { return e.Err }

// place writes a position for people: only what is known of it.
func place(path string, line, column, char int) string {
	var b strings.Builder
	b.WriteString(path)
	if line > 0 {
		fmt.Fprintf(&b, ": line %d", line)
	}
	if column > 0 {
		fmt.Fprintf(&b, ", column %d", column)
	}
	if char > 0 {
		fmt.Fprintf(&b, " (character %d)", char)
	}
	return b.String()
}
