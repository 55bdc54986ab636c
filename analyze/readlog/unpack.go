package readlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/wactl/wactl/normalize/lines"
)

// headSize is how many bytes are looked at to find out what a source is.
const headSize = 256 << 10

// maxPacked is how often a log may be packed: a rotated log is packed once, and once more on its way.
const maxPacked = 3

// maxWindow is how much a zstd stream may ask to remember, in bytes: what its highest level asks for.
const maxWindow = 128 << 20

// errPacked marks the faults of packed data.
var errPacked = errors.New("packed data")

// packedReader gives the faults of unpacking their mark.
type packedReader struct {
	name string
	src  io.Reader
}

func (p packedReader) Read(b []byte) (int, error) {
	n, err := p.src.Read(b)
	if err != nil && err != io.EOF && !errors.Is(err, errPacked) {
		err = fmt.Errorf("%w: %s: %w", errPacked, p.name, err)
	}
	return n, err
}

// isDamage says whether an error is about the bytes of a source, and not about getting at them.
func isDamage(err error) bool {
	_, table := errors.AsType[*lines.FileError](err)
	return table || errors.Is(err, errPacked)
}

// unpacked is the bytes of a source without compression, behind a buffer to look ahead in.
type unpacked struct {
	*bufio.Reader
	below  io.Reader // that the buffer is filled from
	packed bool      // the source holds other bytes
}

// direct reads on without the buffer, when what is in it has been read.
type direct struct{ unpacked }

func (d direct) Read(b []byte) (int, error) {
	if n := d.Buffered(); n > 0 {
		return d.Reader.Read(b[:min(n, len(b))])
	}
	return d.below.Read(b)
}

// unpack takes compression off, layer by layer, and gives the first bytes to look at.
func unpack(src io.Reader) (data unpacked, head []byte, closeAll func(), err error) {
	data, closeAll = unpacked{Reader: bufio.NewReaderSize(src, headSize), below: src}, func() {}
	under := func(r io.Reader) { data = unpacked{bufio.NewReaderSize(r, headSize), r, true} }
	for range maxPacked {
		magic, _ := data.Peek(4) // a shorter source is not packed; an error comes again when it is read
		switch {
		case hasPrefix(magic, "\x1f\x8b"):
			z, err := gzip.NewReader(data.Reader) // it reads several members as one text, and fastest from this very type
			if err != nil {
				return data, nil, closeAll, fmt.Errorf("%w: gzip: %w", errPacked, err)
			}
			under(packedReader{"gzip", z})
		case hasPrefix(magic, "\x28\xb5\x2f\xfd"):
			z, err := zstd.NewReader(data, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
			if err != nil {
				return data, nil, closeAll, fmt.Errorf("%w: zstd: %w", errPacked, err)
			}
			before := closeAll
			closeAll = func() { z.Close(); before() }
			under(packedReader{"zstd", z})
		default:
			head, _ = data.Peek(headSize)
			return data, head, closeAll, nil
		}
	}
	head, _ = data.Peek(headSize)
	return data, head, closeAll, nil
}

// refused says in the source why its bytes are no log, if that can be seen at once.
func (p *pass) refused(head []byte) bool {
	r, err := lines.NewReader(p.source.Path, bytes.NewReader(head))
	if err == nil {
		r.Close()
		return false
	}
	fault, ok := errors.AsType[*lines.FileError](err)
	if !ok || !errors.Is(err, lines.ErrFormat) && !errors.Is(err, lines.ErrEncoding) || wideOrder(head) != nil {
		return false
	}
	p.source.Lines = 1
	p.cannotJudge(formUnknown, fault.Msg+"; export it as JSON lines or as CSV")
	return true
}

// byteOrder reads one unit of UTF-16.
type byteOrder func(b []byte) uint16

func littleEndian(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }
func bigEndian(b []byte) uint16    { return uint16(b[1]) | uint16(b[0])<<8 }

// wideOrder is the order of UTF-16, nil for text of bytes. Without a mark it shows in the NUL beside the first letter.
func wideOrder(head []byte) byteOrder {
	switch {
	case len(head) < 2 || hasPrefix(head, "\xff\xfe\x00\x00", "\x00\x00\xfe\xff"):
		return nil
	case hasPrefix(head, "\xff\xfe"), len(head) >= 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return littleEndian
	case hasPrefix(head, "\xfe\xff"), len(head) >= 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return bigEndian
	}
	return nil
}

// decode gives a text in UTF-8. A byte order mark is left in: the cutter takes it for a space.
func decode(data io.Reader, head []byte) io.Reader {
	if order := wideOrder(head); order != nil {
		return &wideReader{src: data, order: order}
	}
	return data
}

// wideReader turns UTF-16 into UTF-8.
type wideReader struct {
	src   io.Reader
	order byteOrder
	raw   []byte // read and not yet decoded
	out   []byte // decoded and not yet given
	err   error
}

func (w *wideReader) Read(b []byte) (int, error) {
	for len(w.out) == 0 {
		if w.err != nil {
			return 0, w.err
		}
		w.fill()
	}
	n := copy(b, w.out)
	w.out = w.out[n:]
	return n, nil
}

// fill decodes one piece. A pair of units that the piece cuts waits for the next one.
func (w *wideReader) fill() {
	piece := make([]byte, 64<<10)
	var n int
	n, w.err = w.src.Read(piece)
	w.raw = append(w.raw, piece[:n]...)
	i := 0
	for ; i+1 < len(w.raw); i += 2 {
		u := rune(w.order(w.raw[i:]))
		if utf16.IsSurrogate(u) {
			if i+3 >= len(w.raw) && w.err == nil {
				break
			}
			if i+3 < len(w.raw) {
				if whole := utf16.DecodeRune(u, rune(w.order(w.raw[i+2:]))); whole != utf8.RuneError {
					u = whole
					i += 2
				}
			}
		}
		w.out = utf8.AppendRune(w.out, u)
	}
	w.raw = append(w.raw[:0], w.raw[i:]...)
}
