package analyze

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// lastDigits is the greatest recipient that is a phone number; what lies above are the ids that are none.
const lastDigits = 1_000_000_000_000_000

func idRecipient(i int) uint64 {
	if i == 0 {
		return 0
	}
	return lastDigits + uint64(i)
}

// The lengths of a phone number with its country code.
const (
	leastDigits = 7
	mostDigits  = 15
)

// Recipient is the key under which a ledger keeps a recipient as logged: a number in any spelling, a JID, a hash; 0 for none, and for a mask.
//
// A number keeps the digits that it was written with. That two of them are one person is settled when everything has been read.
func (l *Ledger) Recipient(id []byte) uint64 {
	if n, ok := plainDigits(id); ok && l.Region == "" {
		return n
	}
	id = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(id), []byte("whatsapp:")))
	number, plus := id, false
	if at := bytes.IndexByte(id, '@'); at >= 0 {
		if !phoneDomains[string(id[at+1:])] {
			return idRecipient(l.ids.id(id, whoMask-lastDigits))
		}
		number, _, _ = bytes.Cut(id[:at], []byte(":")) // the device behind it is the same person's
		number, _, _ = bytes.Cut(number, []byte("."))
	}
	digits, plus, ok := spelled(number)
	switch {
	case !ok && isMask(id):
		return 0
	case !ok:
		return idRecipient(l.ids.id(id, whoMask-lastDigits))
	}
	if !plus && l.Region != "" {
		if n := l.regional(string(digits)); n != 0 {
			return n
		}
	}
	if rest, ok := bytes.CutPrefix(digits, []byte("00")); ok { // dialled
		digits = rest
	}
	if n, ok := plainDigits(digits); ok {
		return n
	}
	return idRecipient(l.ids.id(id, whoMask-lastDigits))
}

// phoneDomains are the servers of a JID whose left part is a phone number.
var phoneDomains = map[string]bool{"s.whatsapp.net": true, "c.us": true}

// plainDigits reads digits that carry their country code and nothing else.
func plainDigits(b []byte) (n uint64, ok bool) {
	if len(b) < leastDigits || len(b) > mostDigits || b[0] == '0' {
		return 0, false
	}
	for _, c := range b {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return n, true
}

// spelled takes the marks out that people write between the digits of a phone number; not ok when there is anything else.
func spelled(b []byte) (digits []byte, plus, ok bool) {
	digits = make([]byte, 0, mostDigits+2)
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9':
			digits = append(digits, c)
		case c == '+' && i == 0:
			plus = true
		case strings.IndexByte(" -.()/", c) < 0:
			return nil, false, false
		}
	}
	return digits, plus, len(digits) >= leastDigits
}

// isMask says whether an id has covered characters, which several people share.
func isMask(id []byte) bool {
	return bytes.ContainsAny(id, "*•…") || bytes.Contains(id, []byte("xxx")) || bytes.Contains(id, []byte("XXX"))
}

// regional reads digits under the ledger's region, if they are no number with its country code; 0 when they are neither.
func (l *Ledger) regional(digits string) uint64 {
	if n, ok := l.local[digits]; ok {
		return n
	}
	n := normalize.Parse(digits, normalize.International).Digits
	if n == 0 {
		n = normalize.Parse(digits, l.Region).Digits
	} else if own, err := strconv.ParseUint(digits, 10, 64); err == nil {
		n = own // the spelling that the log has; normalize.Canonical joins it with the others
	}
	if l.local == nil {
		l.local = map[string]uint64{}
	}
	l.local[digits] = n
	return n
}

// users says which recipients are one person: a forest in which only those stand that are known under two ids.
type users struct{ parent map[uint64]uint64 }

// find is the id that stands for all of a person.
func (u *users) find(r uint64) uint64 {
	if r = canonical(r); len(u.parent) == 0 {
		return r
	}
	for {
		p, ok := u.parent[r]
		if !ok {
			return r
		}
		r = p
	}
}

// link makes two ids one person. A phone number stands for the others, whatever the order in which the links come.
func (u *users) link(x, y uint64, ids *names) {
	a, b := u.find(x), u.find(y)
	if a == b {
		return
	}
	if before(b, a, ids) {
		a, b = b, a
	}
	if u.parent == nil {
		u.parent = map[uint64]uint64{}
	}
	u.parent[b] = a
	for _, r := range []uint64{x, y} { // short ways for those who ask next
		if r = canonical(r); r != a {
			u.parent[r] = a
		}
	}
}

// canonical is the form of a recipient that does not depend on what else is known of it.
func canonical(r uint64) uint64 {
	if r <= lastDigits {
		return normalize.Canonical(r)
	}
	return r
}

// before orders the ids of a person: phone numbers first, then texts.
func before(a, b uint64, ids *names) bool {
	if a <= lastDigits || b <= lastDigits {
		return a < b
	}
	return ids.text(int(a-lastDigits)) < ids.text(int(b-lastDigits))
}

// recipientText is a recipient as the report shows it: E.164, or the log's own id.
func (l *Ledger) recipientText(r uint64) string {
	switch {
	case r == 0:
		return ""
	case r <= lastDigits:
		return "+" + strconv.FormatUint(r, 10)
	}
	return l.ids.text(int(r - lastDigits))
}

// unite makes two business numbers one, where a message shows that they are; the one that reads most like an id of the platform stands for both.
func (l *Ledger) unite(parent map[uint16]uint16, a, b uint16) {
	a, b = rootNumber(parent, a), rootNumber(parent, b)
	if a == b {
		return
	}
	x, y := l.numbers.text(int(a)), l.numbers.text(int(b))
	if idLike(y) > idLike(x) || idLike(y) == idLike(x) && y < x {
		a, b = b, a
	}
	parent[b] = a
}

func rootNumber(parent map[uint16]uint16, n uint16) uint16 {
	for {
		p, ok := parent[n]
		if !ok {
			return n
		}
		n = p
	}
}

// idLike grows with how much a text looks like a phone number id: digits only, and many.
func idLike(s string) int {
	if strings.Trim(s, "0123456789") != "" {
		return 0
	}
	return len(s)
}
