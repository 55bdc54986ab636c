package template

import (
	"cmp"
	"strconv"
	"strings"
)

// keyList is what a hint says about keys.
const keyList = "keys are language, header.text, header.image, header.video, header.document, header.filename, body.N or body.name, button.N"

// maxButtons is how many buttons a template can have.
const maxButtons = 10

// key is one value that content needs, as flags and columns name it.
type key struct {
	part string // "language", "header", "body" or "button"
	name string // what follows the dot: "text", "image", …, a parameter's name, or empty for numbers
	n    int    // body: from 1; button: the platform's index, from 0
}

// headerParts are the keys of a header in their order.
var headerParts = []string{"text", "image", "video", "document", "filename"}

// parseKey reads a key as users write it. There is one spelling for each: "body.01" is none.
func parseKey(s string) (key, bool) {
	part, rest, dotted := strings.Cut(s, ".")
	n, err := strconv.Atoi(rest)
	number := err == nil && strconv.Itoa(n) == rest
	switch {
	case s == "language":
		return key{part: part}, true
	case !dotted:
		return key{}, false
	case part == "header":
		for _, name := range headerParts {
			if rest == name {
				return key{part: part, name: name}, true
			}
		}
	case part == "body" && number && n >= 1:
		return key{part: part, n: n}, true
	case part == "body" && isParamName(rest):
		return key{part: part, name: rest}, true
	case part == "button" && number && n >= 0 && n < maxButtons:
		return key{part: part, n: n}, true
	}
	return key{}, false
}

// String is the key as users write it.
func (k key) String() string {
	switch {
	case k.part == "language":
		return k.part
	case k.name != "":
		return k.part + "." + k.name
	}
	return k.part + "." + strconv.Itoa(k.n)
}

// compareKeys orders keys of one part: by number, then by name.
func compareKeys(a, b key) int { return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.name, b.name)) }
