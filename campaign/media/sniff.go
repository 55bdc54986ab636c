package media

import (
	"archive/zip"
	"bytes"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// headSize is how much of a file is looked at.
const headSize = 64 << 10

// unknown is the type of what nobody knows.
const unknown = "application/octet-stream"

// brands are the first marks of files in MPEG-4's container, by which they differ.
var brands = []struct{ mark, is string }{
	{"3g", "video/3gpp"}, {"qt", "video/quicktime"}, {"M4A", "audio/mp4"}, {"M4B", "audio/mp4"}, {"M4V", "video/mp4"}, {"heic", "image/heic"},
	{"heix", "image/heic"}, {"mif1", "image/heic"}, {"msf1", "image/heic"}, {"avif", "image/avif"}, {"avis", "image/avif"}, {"isom", "video/mp4"},
	{"iso", "video/mp4"}, {"mp4", "video/mp4"}, {"avc1", "video/mp4"}, {"dash", "video/mp4"}, {"MSNV", "video/mp4"}, {"f4v", "video/mp4"},
}

// offices are the folders inside a packed office document, by which they differ.
var offices = []struct{ folder, is string }{
	{"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	{"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
}

// olds are the names' endings of office documents before 2007, whose bytes all begin alike.
var olds = []struct{ ending, is string }{
	{".doc", "application/msword"}, {".xls", "application/vnd.ms-excel"}, {".ppt", "application/vnd.ms-powerpoint"},
}

const oldOffice = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Sniff is a file's MIME type by its bytes, and what is odd about it although its type is right; empty for nothing. The name decides only where
// the bytes of several types begin alike. A file that cannot be read is application/octet-stream.
func Sniff(name string, file io.ReaderAt, size int64) (kind, odd string) {
	head := make([]byte, min(headSize, size))
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return unknown, ""
	}
	head = head[:n]
	switch {
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return container(head), ""
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return packed(file, size), ""
	case bytes.HasPrefix(head, []byte(oldOffice)):
		return old(name), ""
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf%PDF-")), bytes.HasPrefix(head, []byte("%PDF-")):
		return "application/pdf", ""
	}
	kind, _, _ = strings.Cut(http.DetectContentType(head), ";")
	switch kind {
	case "image/png", "image/jpeg":
		return kind, picture(kind, io.NewSectionReader(file, 0, size))
	case "text/plain":
		if !isText(head, int64(n) < size) {
			kind = unknown
		}
	}
	return kind, ""
}

func container(head []byte) string {
	mark := string(head[8:12])
	for _, b := range brands {
		if strings.HasPrefix(mark, b.mark) {
			return b.is
		}
	}
	return unknown
}

// packed tells office documents from other archives. Only the archive's list is read, never what it holds.
func packed(file io.ReaderAt, size int64) string {
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return "application/zip"
	}
	for _, o := range offices {
		if slices.ContainsFunc(archive.File, func(f *zip.File) bool { return strings.HasPrefix(f.Name, o.folder) }) {
			return o.is
		}
	}
	return "application/zip"
}

func old(name string) string {
	for _, o := range olds {
		if strings.HasSuffix(strings.ToLower(name), o.ending) {
			return o.is
		}
	}
	return unknown
}

// isText says whether bytes are UTF-8 without control characters; cut says that the text goes on, perhaps in mid-character.
func isText(head []byte, cut bool) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 {
			return cut && !utf8.FullRune(head)
		}
		if r < ' ' && !strings.ContainsRune("\t\n\r\f", r) {
			return false
		}
		head = head[n:]
	}
	return true
}

// picture is what the platform would not take about a picture of a right type: it wants 8 bits a channel, RGB or RGBA.
func picture(kind string, file io.Reader) (odd string) {
	config := png.DecodeConfig // both decoders read the header only
	if kind == "image/jpeg" {
		config = jpeg.DecodeConfig
	}
	c, err := config(file)
	if err != nil {
		return "a damaged header"
	}
	switch c.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model, color.Gray16Model:
		return "16 bits a channel"
	case color.CMYKModel:
		return "the colours of print (CMYK)"
	}
	return ""
}
