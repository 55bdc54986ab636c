package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// Why a link is not fetched. Match with errors.Is.
var (
	ErrNotHTTPS  = errors.New("only https links are fetched")
	ErrNotPublic = errors.New("it leads to an address that is not public")
	ErrTooLarge  = errors.New("the file is larger than the platform takes")
	errRedirects = errors.New("it redirects more than five times")
)

const (
	mostRedirects = 5
	fetchTimeout  = 2 * time.Minute // for a whole file
	headerTimeout = 20 * time.Second
)

// Fetcher downloads what https links lead to, into files that only it knows. Make one with NewFetcher and close it.
type Fetcher struct {
	client *http.Client
	agent  string
	folder string // of the downloads, made at the first
	count  int
	allows func(netip.Addr) bool
}

// NewFetcher makes a Fetcher that names itself with this version of wactl. It sends no cookie, no token and no referrer, and asks no proxy:
// only then is the address that is called the one that was looked at.
func NewFetcher(version string) *Fetcher {
	f := &Fetcher{agent: "wactl/" + version, allows: public}
	dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: f.control}
	f.client = &http.Client{Timeout: fetchTimeout, CheckRedirect: checkRedirect, Transport: &http.Transport{
		DialContext: dialer.DialContext, DisableCompression: true, TLSHandshakeTimeout: 10 * time.Second,
		ResponseHeaderTimeout: headerTimeout, MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 2, IdleConnTimeout: 10 * time.Second,
	}}
	return f
}

// control looks at the address that a name resolved to, at the moment of the call: an earlier look could be answered otherwise.
func (f *Fetcher) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !f.allows(a.Addr()) {
		return ErrNotPublic
	}
	return nil
}

func checkRedirect(r *http.Request, via []*http.Request) error {
	if len(via) > mostRedirects {
		return errRedirects
	}
	r.Header.Del("Referer") // where the list has a file from is nobody else's affair
	return checkLink(r.URL)
}

func checkLink(u *url.URL) error {
	switch {
	case !strings.EqualFold(u.Scheme, "https"):
		return ErrNotHTTPS
	case u.Hostname() == "":
		return errors.New("the link names no host")
	case u.User != nil:
		return errors.New("the link holds a user name or password")
	}
	return nil
}

// Fetch downloads a link of at most most bytes and finds out what it is. Redirects are followed to https links only.
func (f *Fetcher) Fetch(ctx context.Context, link string, most int64) (File, error) {
	u, err := url.Parse(link)
	if err == nil {
		err = checkLink(u)
	}
	if err != nil {
		return File{}, plain(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return File{}, plain(err)
	}
	request.Header.Set("User-Agent", f.agent)
	request.Header.Set("Accept", "*/*")
	answer, err := f.client.Do(request)
	if err != nil {
		return File{}, plain(err)
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode != http.StatusOK:
		return File{}, fmt.Errorf("the host answers with HTTP status %d", answer.StatusCode)
	case answer.ContentLength > most:
		return File{}, fmt.Errorf("%w: %d MB, and %d MB are allowed", ErrTooLarge, answer.ContentLength>>20, most>>20)
	}
	return f.keep(nameOf(answer.Request.URL), io.LimitReader(answer.Body, most+1), most)
}

// keep writes a download into a file of its own and looks into it.
func (f *Fetcher) keep(name string, body io.Reader, most int64) (File, error) {
	if f.folder == "" {
		folder, err := os.MkdirTemp("", ".wactl-media-*")
		if err != nil {
			return File{}, err
		}
		f.folder = folder
	}
	f.count++
	place := fmt.Sprintf("%s/%d", f.folder, f.count)
	file, err := os.OpenFile(place, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), body)
	if err == nil && n > most {
		err = fmt.Errorf("%w: over %d MB", ErrTooLarge, most>>20)
	}
	if err != nil {
		return File{}, errors.Join(plain(err), os.Remove(place))
	}
	kept := File{Name: name, Size: n, Sum: hex.EncodeToString(sum.Sum(nil)), Open: func() (io.ReadCloser, error) { return os.Open(place) }}
	kept.Type, kept.Odd = Sniff(name, file, n)
	return kept, nil
}

// Close removes what was downloaded.
func (f *Fetcher) Close() error {
	f.client.CloseIdleConnections()
	if f.folder == "" {
		return nil
	}
	return os.RemoveAll(f.folder)
}

// nameOf is the last part of a link's path, to show as a document's name.
func nameOf(u *url.URL) string {
	name := path.Base(u.Path)
	if name == "." || name == "/" || name == "" {
		return "file"
	}
	return name
}

// plain is an error of the way without the link, which the message has already and which may hold a secret in its query.
func plain(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	for _, known := range []error{ErrNotHTTPS, ErrNotPublic, errRedirects} {
		if errors.Is(err, known) {
			return known
		}
	}
	return err
}
