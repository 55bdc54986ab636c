package wire

import (
	"bytes"
	"time"
)

// plainStatus reads a status without the decoder where it is written as the platform does: an object whose keys are in small letters, and whose
// values that we read are strings that say themselves. That is several times cheaper. Raw is whole JSON already. False: the decoder has to read it.
func plainStatus(raw []byte) (s Status, ok bool) {
	p := plain{text: bytes.TrimSpace(raw)}
	var waID, userID, at []byte
	ok = p.object(func(key string) bool {
		var read *[]byte
		var text *string
		switch key {
		case "id":
			text = &s.MessageID
		case "status":
			text = &s.Kind
		case "biz_opaque_callback_data":
			text = &s.Callback
		case "timestamp":
			read = &at
		case "recipient_id":
			read = &waID
		case "recipient_user_id":
			read = &userID
		case "errors":
			return false
		default:
			return p.skip()
		}
		value, ok := p.quoted()
		if !ok {
			return false
		}
		if text != nil {
			*text = string(bytes.TrimSpace(value))
			return true
		}
		*read = value
		return true
	})
	if !ok || s.MessageID == "" || s.Kind == "" {
		return Status{}, false
	}
	if at != nil {
		seconds, small := wholeSeconds(bytes.TrimSpace(at))
		if !small {
			return Status{}, false
		}
		s.At = time.Unix(seconds, 0).UTC()
	}
	s.WaID, s.UserID = person(string(bytes.TrimSpace(waID)), string(bytes.TrimSpace(userID)))
	return s, true
}

// wholeSeconds reads the digits of a Unix time in seconds; false for anything else.
func wholeSeconds(text []byte) (n int64, ok bool) {
	if len(text) == 0 || len(text) > 10 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, n > 0
}

// plain goes through JSON that is known to be whole. It gives up, rather than decode, where a string does not say itself.
type plain struct {
	text []byte
	at   int
}

// space goes over what may stand between the parts of JSON.
func (p *plain) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\n' || p.text[p.at] == '\t' || p.text[p.at] == '\r') {
		p.at++
	}
}

// next says whether c stands next, and goes over it.
func (p *plain) next(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// object gives each key to member, which goes over its value; false when one gives up, or a key might be another spelling of one that is read.
func (p *plain) object(member func(key string) bool) bool {
	if !p.next('{') || p.next('}') {
		return false
	}
	for {
		key, ok := p.quoted()
		if !ok || !smallLetters(key) || !p.next(':') || !member(string(key)) {
			return false
		}
		if p.next('}') {
			return p.at == len(p.text)
		}
		if !p.next(',') {
			return false
		}
	}
}

// smallLetters says that a key is none that the decoder takes for another one: it does not look at the case.
func smallLetters(key []byte) bool {
	for _, c := range key {
		if (c < 'a' || c > 'z') && c != '_' {
			return false
		}
	}
	return len(key) > 0
}

// quoted is a string that says itself, byte for byte.
func (p *plain) quoted() ([]byte, bool) {
	if !p.next('"') {
		return nil, false
	}
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return p.text[start : p.at-1], true
		case c < ' ' || c > '~' || c == '\\':
			return nil, false
		}
	}
	return nil, false
}

// skip goes over any value.
func (p *plain) skip() bool {
	for depth := 0; p.at < len(p.text); {
		switch p.text[p.at] {
		case '"':
			if !p.skipString() {
				return false
			}
			continue
		case '{', '[':
			depth++
		case ',':
			if depth == 0 {
				return true
			}
		case '}', ']':
			if depth == 0 {
				return true // of the object that the value stands in
			}
			depth--
		}
		p.at++
	}
	return false
}

// skipString goes over a string of any kind.
func (p *plain) skipString() bool {
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			return true
		}
	}
	return false
}
