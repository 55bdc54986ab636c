package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxLayers is how often a file may be packed; more than a double click too many is no list.
const maxLayers = 2

// maxWindow is how much a zstd stream may ask to remember, in bytes: what its highest level asks for.
const maxWindow = 128 << 20

const saveAsCSV = "save the sheet as \"CSV UTF-8\" and use that file"

// packing is a compression that its first bytes give away.
type packing struct {
	prefix, name string
	open         func(io.Reader) (io.Reader, func(), error)
}

var packings = []packing{
	{"\x1f\x8b", "gzip", func(src io.Reader) (io.Reader, func(), error) {
		z, err := gzip.NewReader(src) // it reads several members as one text
		return z, func() {}, err
	}},
	{"\x28\xb5\x2f\xfd", "zstd", func(src io.Reader) (io.Reader, func(), error) {
		z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}},
}

// Unpack gives the bytes of a list without compression, as [NewReader] would read them; they are the same however the list was packed. Path is for
// messages only. Closing it frees what unpacking holds, and leaves src open.
func Unpack(path string, src io.Reader) (io.ReadCloser, error) {
	b, closeAll, err := unpack(path, src)
	if err != nil {
		return nil, err
	}
	return unpacked{b, closeAll}, nil
}

type unpacked struct {
	peeked
	close func()
}

func (u unpacked) Close() error {
	u.close()
	return nil
}

// unpack takes the layers of compression off; close ends the unpacking.
func unpack(path string, src io.Reader) (b peeked, closeAll func(), err error) {
	b, closeAll = newPeeked(src), func() {}
	for range maxLayers {
		p := packingOf(b.Reader)
		if p == nil {
			break
		}
		unpacked, closeOne, err := p.open(b.Reader)
		if err != nil {
			closeAll()
			return b, nil, &FileError{Path: path, Msg: fmt.Sprintf("the %s data is damaged: %v", p.name, err), Hint: "pack the list again, or give it unpacked", Err: ErrPacked}
		}
		before := closeAll
		closeAll = func() { closeOne(); before() }
		b = newPeeked(&packed{path, p.name, unpacked})
	}
	return b, closeAll, nil
}

func packingOf(b *bufio.Reader) *packing {
	head, _ := b.Peek(4) // a shorter file is not packed; an error comes again when it is read
	for i, p := range packings {
		if bytes.HasPrefix(head, []byte(p.prefix)) {
			return &packings[i]
		}
	}
	return nil
}

// peeked is a source of which the beginning can be looked at. Read passes by the buffer once it is empty: a copy less.
type peeked struct {
	*bufio.Reader
	src *sticky
}

func newPeeked(src io.Reader) peeked {
	s := &sticky{src: src}
	return peeked{bufio.NewReaderSize(s, sampleSize), s}
}

func (p peeked) Read(b []byte) (int, error) {
	if p.Buffered() > 0 {
		return p.Reader.Read(b)
	}
	return p.src.Read(b)
}

// sticky is a source that stays at its end or its error, also where the buffer was told of it first.
type sticky struct {
	src io.Reader
	err error
}

func (s *sticky) Read(b []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = s.src.Read(b)
	}
	return n, s.err
}

// packed gives unpacking errors their words. A cut stream must not pass for the end of the file.
type packed struct {
	path, name string
	src        io.Reader
}

func (p *packed) Read(b []byte) (int, error) {
	n, err := p.src.Read(b)
	if err == nil || err == io.EOF {
		return n, err
	}
	if _, ok := errors.AsType[*FileError](err); ok {
		return n, err
	}
	return n, &FileError{Path: p.path, Hint: "pack the list again, or give it unpacked", Err: errors.Join(ErrPacked, err),
		Msg: fmt.Sprintf("the %s data is damaged or cut off: %v", p.name, err)}
}

// signature is a format that its first bytes give away.
type signature struct {
	prefix string
	name   string
	err    error
	hint   string
}

// signatures are the formats that are known but not read.
var signatures = []signature{
	{"\xff\xfe\x00\x00", "UTF-32 text (little endian)", ErrEncoding, saveAsCSV},
	{"\x00\x00\xfe\xff", "UTF-32 text (big endian)", ErrEncoding, saveAsCSV},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (XLS) or one with a password", ErrFormat, "save it as XLSX without a password, or as \"CSV UTF-8\""},
	{"%PDF-", "a PDF", ErrFormat, saveAsCSV},
	{"SQLite format 3\x00", "an SQLite database", ErrFormat, "export the table as CSV"},
	{"BZh91AY&SY", "a bzip2 file", ErrFormat, "unpack it first, for example with bunzip2"},
	{"\xfd7zXZ\x00", "an xz file", ErrFormat, "unpack it first, for example with unxz"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", ErrFormat, "unpack it first"},
	{"Rar!", "a RAR archive", ErrFormat, "unpack it first"},
	{"<!DOCTYPE html", "a web page", ErrFormat, saveAsCSV},
	{"<html", "a web page", ErrFormat, saveAsCSV},
	{"<?xml", "an XML file", ErrFormat, saveAsCSV},
}

// checkSignature refuses a file whose first bytes name a format that is not read.
func checkSignature(path string, sample []byte) error {
	for _, s := range signatures {
		if bytes.HasPrefix(sample, []byte(s.prefix)) {
			return &FileError{Path: path, Msg: "this is " + s.name + ", which is not read", Hint: s.hint, Err: s.err}
		}
	}
	return nil
}
