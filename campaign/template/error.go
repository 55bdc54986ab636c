package template

import (
	"fmt"
	"strings"
)

// Error says which flag, column or part of a template file can't be used. It concerns the whole campaign, not one row.
type Error struct {
	Where   string   // "--param body.2", "column \"nome\"", "line 3, column 7", "components[1].text"
	Message string   // what is wrong
	Missing []string // keys of the values that the template wants and nothing gives, where that is what is wrong
	hint    string
}

// Error is the place and what is wrong there; what to do next is in Hint.
func (e *Error) Error() string {
	if e.Where == "" {
		return e.Message
	}
	return e.Where + ": " + e.Message
}

// Hint is what to do next, in words for people; empty where the message says it all.
func (e *Error) Hint() string { return e.hint }

// maxListed is how many names a message lists before it only counts the rest.
const maxListed = 20

// list is names for a message: quoted, at most maxListed of them.
func list(names []string) string {
	var out strings.Builder
	for i, name := range names {
		if i == maxListed {
			fmt.Fprintf(&out, " and %d more", len(names)-i)
			break
		}
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(shown(name))
	}
	return out.String()
}
