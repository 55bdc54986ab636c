package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Numbers says whether a face shows phone numbers in full.
type Numbers int

// The zero value leaves it to the face: those made for other systems hide numbers, the others show them.
const (
	ByFace Numbers = iota
	Shown
	Hidden
)

// Options are what the faces of a report leave to the caller. The zero value is safe everywhere.
type Options struct {
	Version string // of wactl, for the faces that name their tool
	Numbers Numbers
	FailOn  FailOn // what counts as a failure in JUnit
	PerRule int    // problems that Text shows of each rule, 0 for 10
}

// face is one way to write a report.
type face struct {
	name  string
	write func(w *bufio.Writer, r Report, o Options) error
	hides bool // numbers, unless told otherwise: the face leaves the user's machine
}

// faces are all faces that are written as a file, in the order of the help.
var faces = []face{
	{"json", writeJSON, false},
	{"jsonl", writeJSONL, false},
	{"sarif", writeSARIF, true},
	{"github", writeGitHub, true},
	{"gitlab", writeGitLab, true},
	{"junit", writeJUnit, true},
	{"rdjsonl", writeRDJSONL, true},
}

// Formats are the names of the faces that Write knows, in the order in which the help shows them.
func Formats() []string {
	var names []string
	for _, f := range faces {
		names = append(names, f.name)
	}
	return names
}

// Write writes the face with that name. The report is not written in part: an error means that the output is of no use.
func Write(w io.Writer, format string, r Report, o Options) error {
	for _, f := range faces {
		if f.name != format {
			continue
		}
		if o.Numbers == ByFace && f.hides {
			o.Numbers = Hidden
		}
		b := bufio.NewWriter(w)
		if err := f.write(b, r, o); err != nil {
			return fmt.Errorf("write report as %s: %w", format, err)
		}
		return b.Flush()
	}
	return &usageError{fmt.Sprintf("%s is no format of a report", visible(format)), "the formats are " + strings.Join(Formats(), ", ")}
}

// usageError is a value of a flag that cannot be used, and what would be one.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }

// Hint is what to do next.
func (e *usageError) Hint() string { return e.hint }
