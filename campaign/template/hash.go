package template

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
)

// Hash is the same for equal messages and differs for others: 16 bytes of SHA-256 over all fields, each with its length in front.
//
// A nil slice and an empty one are equal, as they are in the JSON that a message is stored as.
func (m Message) Hash() [16]byte {
	var space [512]byte
	sum := sha256.Sum256(canon(space[:0]).message(&m))
	return [16]byte(sum[:16])
}

// Mark is a Hash for one run only: it is taken in a fraction of the time, and differs from run to run. The seeds are two of the run's own.
func (m *Message) Mark(seeds [2]maphash.Seed) (mark [16]byte) {
	var space [512]byte
	b := canon(space[:0]).message(m)
	for i, seed := range seeds {
		binary.LittleEndian.PutUint64(mark[8*i:], maphash.Bytes(seed, b))
	}
	return mark
}

// canon is a message's canonical bytes so far.
type canon []byte

// message is all fields, each with its length in front.
func (b canon) message(m *Message) canon {
	b = b.text(m.Type).text(m.Template).text(m.Language)
	b = b.header(m.Header)
	b = b.number(len(m.Body))
	for _, p := range m.Body {
		b = b.text(p.Name).text(p.Text)
	}
	b = b.number(len(m.Buttons))
	for _, u := range m.Buttons {
		b = b.number(u.Index).text(u.SubType).text(u.Text)
	}
	return b.text(m.Text).media(m.Media).text(m.Caption)
}

func (b canon) number(n int) canon {
	if uint(n) < 64 { // as most are, in one byte
		return append(b, byte(n<<1))
	}
	return binary.AppendVarint(b, int64(n))
}

func (b canon) text(s string) canon { return append(b.number(len(s)), s...) }

func (b canon) media(m *Media) canon {
	if m == nil {
		return append(b, 0)
	}
	if m.Path == "" && m.Sum == "" { // as it was before there were local files: hashes stand in states
		return append(b, 1).text(m.Link).text(m.ID).text(m.Filename)
	}
	return append(b, 2).text(m.Link).text(m.ID).text(m.Filename).text(m.Path).text(m.Sum)
}

func (b canon) header(h *Header) canon {
	if h == nil {
		return append(b, 0)
	}
	return append(b, 1).text(h.Type).text(h.Name).text(h.Text).media(h.Media)
}
