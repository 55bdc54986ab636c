package readlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object as decoded.
type object = map[string]any

// lineKey holds the line where an object of a value of several lines began. No log has such a key.
const (
	lineKey     = "\x00line"
	lineKeyJSON = `"\u0000line":`
)

var (
	errNoJSON   = errors.New("not JSON")
	errTrailing = errors.New("something stands behind the value")
)

// decodeJSON decodes exactly one value. Numbers keep their digits: ids are longer than a float.
func decodeJSON(b []byte) (any, error) { return decodeText(string(b)) }

// decodeText is decodeJSON for a text that stays as it is.
func decodeText(s string) (any, error) {
	v, ok, unsure := decodePlain(s)
	switch {
	case unsure:
		return decodeSlow([]byte(s))
	case !ok:
		return nil, errNoJSON
	}
	return v, nil
}

// decodeSlow is decodeJSON by the standard library.
func decodeSlow(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errTrailing
	}
	return v, nil
}

// lineOf is the line where v began, or else the one given.
func lineOf(v any, line int) int {
	if o, ok := v.(object); ok {
		if n, err := strconv.Atoi(str(o[lineKey])); err == nil {
			return n
		}
	}
	return line
}

// str is a string or number as text; empty for anything else.
func str(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int:
		return strconv.Itoa(v)
	case object:
		return str(extended(v))
	}
	return ""
}

// extended is the value that MongoDB's exports wrap in an object to keep its type, as in {"$numberInt":"1"}; nil: o is no such object.
func extended(o object) any {
	if len(o) > 2 { // its line may stand beside it
		return nil
	}
	for _, key := range []string{"$date", "$oid", "$numberInt", "$numberLong", "$numberDouble"} {
		if v, ok := o[key]; ok {
			return v
		}
	}
	return nil
}

// integer is a number, or a string of digits.
func integer(v any) (int, bool) {
	s := strings.TrimSpace(str(v))
	if whole, rest, ok := strings.Cut(s, "."); ok && strings.Trim(rest, "0") == "" {
		s = whole
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// obj is v as an object, nil if it is none.
func obj(v any) object {
	o, _ := v.(object)
	return o
}

// list is v as an array, nil if it is none.
func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// at follows keys inwards; a number is an index. Nil where the way ends.
func at(v any, path ...string) any {
	for _, key := range path {
		switch x := v.(type) {
		case object:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// first is the text of the first key that has one.
func first(o object, keys ...string) string {
	for _, key := range keys {
		if s := strings.TrimSpace(str(o[key])); s != "" {
			return s
		}
	}
	return ""
}

// has says whether all keys are there, whatever they hold.
func has(o object, keys ...string) bool {
	for _, key := range keys {
		if _, ok := o[key]; !ok {
			return false
		}
	}
	return true
}

// hasAny says whether one of the keys is there, whatever it holds.
func hasAny(o object, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return has(o, key) })
}

// sortedKeys is every key of o that the log wrote, in order, so that results do not follow the order of a map.
func sortedKeys(o object) []string {
	keys := make([]string, 0, len(o))
	for key := range o {
		if key != lineKey {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// objects is every object of a list.
func objects(v any) iter.Seq[object] {
	return func(yield func(object) bool) {
		for _, e := range list(v) {
			if o, ok := e.(object); ok && !yield(o) {
				return
			}
		}
	}
}
