package lines

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first asked for: most files need few of them.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
