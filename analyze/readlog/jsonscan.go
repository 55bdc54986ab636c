package readlog

// maxDepth is how deep JSON may be nested; deeper text is no log, and encoding/json refuses ten times as much.
const maxDepth = 1000

// jsonScan walks over the bytes of one JSON value and tells where it ends, or where it stops being JSON.
//
// It looks at structure only: brackets, strings, commas, keys. That is enough to see at once that a line was cut and another one follows.
type jsonScan struct {
	stack    []byte // open brackets, innermost last
	prev     byte   // last byte that was no space; 0 at the start; 's' for a scalar, '"' for a string
	inString bool
	escaped  bool
}

// scanned is what a step over one byte found.
type scanned uint8

const (
	goesOn   scanned = iota
	complete         // the value ended with this byte
	broken           // this byte cannot stand here
)

// step takes the next byte.
func (s *jsonScan) step(b byte) scanned {
	if s.inString {
		return s.inside(b)
	}
	switch b {
	case ' ', '\t', '\r', '\n':
		return goesOn
	case '{', '[':
		return s.open(b)
	case '}', ']':
		return s.close(b)
	case '"':
		return s.quote()
	case ',', ':':
		return s.separate(b)
	}
	return s.scalar(b)
}

func (s *jsonScan) inside(b byte) scanned {
	switch {
	case s.escaped:
		s.escaped = false
	case b == '\\':
		s.escaped = true
	case b == '"':
		s.inString = false
	case b == '\n':
		return broken // a string has no raw line ending: the line was cut here
	}
	return goesOn
}

func (s *jsonScan) top() byte {
	if len(s.stack) == 0 {
		return 0
	}
	return s.stack[len(s.stack)-1]
}

// expectsValue says whether a value may begin here.
func (s *jsonScan) expectsValue() bool {
	switch s.top() {
	case '{':
		return s.prev == ':'
	case '[':
		return s.prev == '[' || s.prev == ','
	}
	return s.prev == 0
}

func (s *jsonScan) open(b byte) scanned {
	if !s.expectsValue() || len(s.stack) == maxDepth {
		return broken
	}
	s.stack, s.prev = append(s.stack, b), b
	return goesOn
}

func (s *jsonScan) close(b byte) scanned {
	if top := s.top(); top == 0 || top+2 != b || s.prev == ':' || s.prev == ',' { // in ASCII each closing bracket is its opening one plus 2
		return broken
	}
	s.stack, s.prev = s.stack[:len(s.stack)-1], b
	if len(s.stack) == 0 {
		return complete
	}
	return goesOn
}

func (s *jsonScan) quote() scanned {
	key := s.top() == '{' && (s.prev == '{' || s.prev == ',')
	if !key && !s.expectsValue() {
		return broken
	}
	s.inString, s.prev = true, '"'
	return goesOn
}

func (s *jsonScan) separate(b byte) scanned {
	switch s.prev {
	case '{', '[', ',', ':', 0:
		return broken
	}
	if b == ':' && (s.top() != '{' || s.prev != '"') {
		return broken
	}
	s.prev = b
	return goesOn
}

func (s *jsonScan) scalar(b byte) scanned {
	switch {
	case b >= '0' && b <= '9', b == '-', b == '+', b == '.', b == 'E':
	case b >= 'a' && b <= 'u': // true, false, null and the e of a number; what it spells is the decoder's matter
	default:
		return broken
	}
	if s.prev != 's' && !s.expectsValue() {
		return broken
	}
	s.prev = 's'
	return goesOn
}
