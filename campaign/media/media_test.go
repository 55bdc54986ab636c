package media

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// drawn is a small picture in a format.
func drawn(t testing.TB, deep bool, encode func(io.Writer, image.Image) error) string {
	t.Helper()
	var picture image.Image = image.NewNRGBA(image.Rect(0, 0, 2, 2))
	if deep {
		deeper := image.NewNRGBA64(image.Rect(0, 0, 2, 2))
		deeper.Set(0, 0, color.NRGBA64{R: 1, A: 0x1234}) // not opaque, so that the alpha channel stays
		picture = deeper
	}
	var b bytes.Buffer
	if err := encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func packedWith(t testing.TB, name string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if _, err := w.Create(name); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func box(mark string) string { return "\x00\x00\x00\x18ftyp" + mark + "\x00\x00\x02\x00" }

func TestSniff(t *testing.T) {
	jpg := func(w io.Writer, i image.Image) error { return jpeg.Encode(w, i, nil) }
	tests := []struct{ name, bytes, kind, odd string }{
		{"a.png", drawn(t, false, png.Encode), "image/png", ""},
		{"a.jpg", drawn(t, false, png.Encode), "image/png", ""}, // the name says nothing
		{"a.png", drawn(t, true, png.Encode), "image/png", "16 bits a channel"},
		{"a.jpeg", drawn(t, false, jpg), "image/jpeg", ""},
		{"a.png", "\x89PNG\r\n\x1a\nno more", "image/png", "a damaged header"},
		{"a.webp", "RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp", ""},
		{"a.gif", "GIF89a\x01\x00\x01\x00", "image/gif", ""},
		{"a", box("isom"), "video/mp4", ""},
		{"a", box("mp42"), "video/mp4", ""},
		{"a", box("avc1"), "video/mp4", ""},
		{"a", box("3gp5"), "video/3gpp", ""},
		{"a", box("qt  "), "video/quicktime", ""},
		{"a", box("M4A "), "audio/mp4", ""},
		{"a", box("heic"), "image/heic", ""},
		{"a", box("????"), unknown, ""},
		{"a", "%PDF-1.7\n", "application/pdf", ""},
		{"a", packedWith(t, "word/document.xml"), offices[0].is, ""},
		{"a", packedWith(t, "xl/workbook.xml"), offices[1].is, ""},
		{"a", packedWith(t, "ppt/presentation.xml"), offices[2].is, ""},
		{"a.docx", packedWith(t, "a.txt"), "application/zip", ""},
		{"a", "PK\x03\x04 cut", "application/zip", ""},
		{"a.XLS", oldOffice + "x", "application/vnd.ms-excel", ""},
		{"a", oldOffice, unknown, ""},
		{"a.txt", "Olá, você", "text/plain", ""},
		{"a.pdf", "<!DOCTYPE html><title>Sign in</title>", "text/html", ""},
		{"a.txt", "caf\xe9 in Latin-1", unknown, ""},
		{"a.txt", strings.Repeat("a", headSize-1) + "é", "text/plain", ""}, // the head ends inside the last character
		{"a", "\x01\x02\x03", unknown, ""},
		{"a", "", "text/plain", ""},
	}
	for _, tt := range tests {
		kind, odd := Sniff(tt.name, strings.NewReader(tt.bytes), int64(len(tt.bytes)))
		if kind != tt.kind || odd != tt.odd {
			t.Errorf("%s %.20q: %s, %q; want %s, %q", tt.name, tt.bytes, kind, odd, tt.kind, tt.odd)
		}
	}
}

// FuzzSniff looks for bytes that make it panic, or give a type with a parameter or without a slash.
func FuzzSniff(f *testing.F) {
	for _, s := range []string{"", "%PDF-", box("isom"), "PK\x03\x04", oldOffice, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "\xff\xd8\xff\xe0"} {
		f.Add("a.doc", []byte(s))
	}
	f.Add("a", []byte(packedWith(f, "xl/a")))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		kind, _ := Sniff(name, bytes.NewReader(b), int64(len(b)))
		if strings.Count(kind, "/") != 1 || strings.ContainsAny(kind, "; \n") {
			t.Errorf("%q is no type", kind)
		}
	})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Fatal(err)
	}
}

func TestRoot(t *testing.T) {
	top := t.TempDir()
	folder := filepath.Join(top, "media")
	write(t, filepath.Join(folder, "in", "a.pdf"), "%PDF-1.7\n")
	write(t, filepath.Join(folder, ".ssh", "key.pdf"), "%PDF-1.7\n")
	write(t, filepath.Join(folder, "..a.pdf"), "%PDF-1.7\n")
	write(t, filepath.Join(top, "private.pdf"), "%PDF-1.7\nprivate")
	write(t, filepath.Join(top, "media2", "a.pdf"), "%PDF-1.7\n")
	link(t, "in/a.pdf", filepath.Join(folder, "near.pdf"))
	link(t, filepath.Join(folder, "in"), filepath.Join(folder, "round"))
	link(t, "../private.pdf", filepath.Join(folder, "out.pdf"))
	link(t, filepath.Join(top, "private.pdf"), filepath.Join(folder, "far.pdf"))
	link(t, "..", filepath.Join(folder, "up"))
	link(t, ".ssh", filepath.Join(folder, "shown"))
	link(t, "loop", filepath.Join(folder, "loop"))
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	root, err := OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tests := []struct {
		path string
		is   error  // nil: it is sent
		says string // where no error of the package fits
	}{
		{"in/a.pdf", nil, ""},
		{"./in/../in/a.pdf", nil, ""},
		{"near.pdf", nil, ""},
		{"round/a.pdf", nil, ""},
		{filepath.Join(real, "in", "a.pdf"), nil, ""},
		{"../private.pdf", ErrOutside, ""},
		{"../nothing.pdf", ErrOutside, ""},
		{"in/../../private.pdf", ErrOutside, ""},
		{"../media2/a.pdf", ErrOutside, ""},
		{"out.pdf", ErrOutside, ""},
		{"far.pdf", ErrOutside, ""},
		{"up/private.pdf", ErrOutside, ""},
		{filepath.Join(top, "private.pdf"), ErrOutside, ""},
		{"/etc/passwd", ErrOutside, ""},
		{"//etc/passwd", ErrOutside, ""},
		{".ssh/key.pdf", ErrHidden, ""},
		{"shown/key.pdf", ErrHidden, ""},
		{"..a.pdf", ErrHidden, ""},
		{"in", ErrNoFile, ""},
		{".", ErrNoFile, ""},
		{"pipe", ErrNoFile, ""},
		{"/dev/zero", ErrOutside, ""},
		{"a\x00b", ErrNoFile, ""},
		{"in/b.pdf", nil, "no such file"},
		{"loop", nil, "cannot be found"},
		{strings.Repeat("x", 5000), nil, "cannot be found"},
	}
	for _, tt := range tests {
		f, err := root.Look(tt.path, 100)
		switch {
		case tt.is == nil && tt.says == "":
			if err != nil || f.Type != "application/pdf" || f.Size != 9 || f.Name != "a.pdf" {
				t.Errorf("%s: %+v, %v", tt.path, f, err)
			}
		case tt.is != nil && !errors.Is(err, tt.is), tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
			t.Errorf("%s: %v; want %v %s", tt.path, err, tt.is, tt.says)
		}
		if err != nil && strings.Contains(err.Error(), top) {
			t.Errorf("%s: the error tells where the folder is: %v", tt.path, err)
		}
	}
	if f, err := root.Look("in/a.pdf", 5); err != nil || f.Size != 9 || f.Sum != "" {
		t.Errorf("a file over the limit: %+v, %v", f, err)
	}
}

// What became a link out of the folder after it was looked at is not read.
func TestRootHoldsAtTheUpload(t *testing.T) {
	top := t.TempDir()
	write(t, filepath.Join(top, "media", "a.pdf"), "%PDF-1.7\n")
	write(t, filepath.Join(top, "private.pdf"), "private")
	root, err := OpenRoot(filepath.Join(top, "media"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := root.Look("a.pdf", 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(top, "media", "a.pdf")); err != nil {
		t.Fatal(err)
	}
	link(t, "../private.pdf", filepath.Join(top, "media", "a.pdf"))
	if file, err := f.Open(); err == nil {
		text, _ := io.ReadAll(file)
		t.Errorf("it is read: %q", text)
	}
}

func TestPublic(t *testing.T) {
	tests := []struct {
		address string
		want    bool
	}{
		{"8.8.8.8", true}, {"1.1.1.1", true}, {"172.32.0.1", true}, {"100.128.0.1", true}, {"2606:4700::1111", true}, {"::ffff:8.8.8.8", true}, {"64:ff9b::808:808", true},
		{"127.0.0.1", false}, {"127.9.9.9", false}, {"0.0.0.0", false}, {"10.1.2.3", false}, {"172.16.0.1", false}, {"172.31.255.255", false}, {"192.168.1.1", false},
		{"169.254.169.254", false}, {"100.64.0.1", false}, {"192.0.0.8", false}, {"198.18.0.1", false}, {"224.0.0.1", false}, {"255.255.255.255", false}, {"240.0.0.1", false},
		{"::1", false}, {"::", false}, {"fe80::1", false}, {"fe80::1%eth0", false}, {"fc00::1", false}, {"fd12::1", false}, {"fec0::1", false}, {"ff02::1", false},
		{"::ffff:127.0.0.1", false}, {"::127.0.0.1", false}, {"64:ff9b::7f00:1", false}, {"64:ff9b:1::1", false}, {"2002:7f00:1::", false}, {"2001:db8::1", false}, {"2001::1", false},
		{"100::1", false}, {"192.0.2.1", false}, {"203.0.113.9", false}, {"198.51.100.1", false}, {"5f00::1", false},
	}
	for _, tt := range tests {
		if got := public(netip.MustParseAddr(tt.address)); got != tt.want {
			t.Errorf("%s: %v", tt.address, got)
		}
	}
	if public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// worldOf is a Fetcher for which the test's own server is public.
func worldOf(t *testing.T, s *httptest.Server) *Fetcher {
	f := NewFetcher("test")
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	f.allows = func(a netip.Addr) bool { return a.IsLoopback() }
	transport := f.client.Transport.(*http.Transport)
	transport.TLSClientConfig = &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	return f
}

func TestFetch(t *testing.T) {
	asked := http.Header{}
	mux := http.NewServeMux()
	mux.HandleFunc("/a.pdf", func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header
		io.WriteString(w, "%PDF-1.7\n")
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush() // without a length
		io.WriteString(w, strings.Repeat("x", 2000))
	})
	mux.HandleFunc("/told", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat("x", 1500)) })
	to := func(where string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, where, http.StatusFound) }
	}
	mux.HandleFunc("/moved", to("/a.pdf"))
	mux.HandleFunc("/clear", to("http://example.com/a.pdf"))
	mux.HandleFunc("/file", to("file:///etc/passwd"))
	mux.HandleFunc("/round", to("/round"))
	mux.HandleFunc("/user", to("https://me:secret@example.com/a.pdf"))
	s := httptest.NewTLSServer(mux)
	defer s.Close()
	f := worldOf(t, s)
	tests := []struct {
		link string
		is   error
		says string
	}{
		{s.URL + "/a.pdf", nil, ""},
		{s.URL + "/moved?x=1", nil, ""},
		{s.URL + "/large", ErrTooLarge, ""},
		{s.URL + "/told", ErrTooLarge, ""},
		{s.URL + "/clear", ErrNotHTTPS, ""},
		{s.URL + "/file", ErrNotHTTPS, ""},
		{s.URL + "/round", errRedirects, ""},
		{s.URL + "/user", nil, "password"},
		{s.URL + "/nothing", nil, "404"},
		{"http://example.com/a.pdf", ErrNotHTTPS, ""},
		{"file:///etc/passwd", ErrNotHTTPS, ""},
		{"https:///a.pdf", nil, "no host"},
		{"ftp://example.com/", ErrNotHTTPS, ""},
	}
	for _, tt := range tests {
		got, err := f.Fetch(t.Context(), tt.link, 1000)
		switch {
		case tt.is == nil && tt.says == "":
			if err != nil || got.Type != "application/pdf" || got.Size != 9 || got.Name != "a.pdf" {
				t.Errorf("%s: %+v, %v", tt.link, got, err)
			}
		case err == nil, tt.is != nil && !errors.Is(err, tt.is), !strings.Contains(err.Error(), tt.says):
			t.Errorf("%s: %v; want %v %s", tt.link, err, tt.is, tt.says)
		}
		if err != nil && strings.Contains(err.Error(), s.URL) {
			t.Errorf("%s: the error has the link: %v", tt.link, err)
		}
	}
	for _, h := range []string{"Authorization", "Cookie", "Referer"} {
		if asked.Get(h) != "" {
			t.Errorf("the request has %s: %s", h, asked.Get(h))
		}
	}
	left, err := os.ReadDir(f.folder)
	if err != nil || len(left) != 2 {
		t.Errorf("%d downloads are kept, %v; want the two good ones", len(left), err)
	}
}

// A name that leads to this machine is not called, whether it is written, resolved or redirected to.
func TestFetchCallsPublicAddressesOnly(t *testing.T) {
	called := false
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true }))
	defer s.Close()
	f := NewFetcher("test")
	defer f.Close()
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0"} {
		if _, err := f.Fetch(t.Context(), "https://"+host+":"+port+"/", 1000); err == nil {
			t.Errorf("%s is fetched", host)
		}
	}
	if called {
		t.Error("this machine was called")
	}
	// A first host that may be called sends on to one that may not: the second call is looked at as well.
	away := httptest.NewTLSServer(http.RedirectHandler("https://127.0.0.2:"+port+"/", http.StatusFound))
	defer away.Close()
	g := worldOf(t, away)
	g.allows = func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.1") }
	if _, err := g.Fetch(t.Context(), away.URL, 1000); !errors.Is(err, ErrNotPublic) {
		t.Errorf("redirected to a private address: %v", err)
	}
	if err := f.control(context.Background(), "tcp", "not an address", nil); !errors.Is(err, ErrNotPublic) {
		t.Errorf("an address that cannot be read: %v", err)
	}
}
