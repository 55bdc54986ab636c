package cloudapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// The defaults of a Config.
const (
	DefaultBaseURL    = "https://graph.facebook.com"
	DefaultAPIVersion = "v26.0" // released 29 July 2026
	DefaultTimeout    = 30 * time.Second
)

const defaultInFlight = 32

// Why New refuses a Config. The text of the error that wraps one says what to change.
var (
	ErrPlainHTTP  = errors.New("plain http is for this machine only")
	ErrBaseURL    = errors.New("the base URL can't be used")
	ErrAPIVersion = errors.New("the API version can't be used")
	ErrToken      = errors.New("the access token can't be used")
)

// Config is what a Client needs to know. Only Token has no default. However it is printed or logged, the token is not shown.
type Config struct {
	BaseURL     string            // scheme, host and perhaps a path; default DefaultBaseURL
	APIVersion  string            // such as "v26.0", the default
	Token       string            `json:"-"`
	Version     string            // wactl's own version, for the User-Agent header; default "dev"
	Timeout     time.Duration     // for a whole request with its answer; default 30 s
	MaxInFlight int               // size of the connection pool; default 32
	Transport   http.RoundTripper `json:"-"` // nil: own connections over HTTP/1.1
}

func (c Config) withDefaults() Config {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.APIVersion == "" {
		c.APIVersion = DefaultAPIVersion
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxInFlight <= 0 {
		c.MaxInFlight = defaultInFlight
	}
	return c
}

// String is the configuration without its token.
func (c Config) String() string {
	return fmt.Sprintf("{base URL %s, API version %s, token %s, time limit %s, in flight %d}",
		redacted(c.BaseURL), c.APIVersion, hiddenToken, c.Timeout, c.MaxInFlight)
}

// redacted is base without a password, which New refuses but a log may see first.
func redacted(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return "(no URL)"
	}
	return u.Redacted()
}

// GoString is String, so that %#v shows no token either.
func (c Config) GoString() string { return "cloudapi.Config" + c.String() }

// Format writes String under every verb, since verbs such as %d would else print the fields.
func (c Config) Format(s fmt.State, _ rune) { fmt.Fprint(s, c.String()) }

// LogValue is String for structured logs.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

var apiVersionForm = regexp.MustCompile(`^v[0-9]{1,3}\.[0-9]{1,2}$`)

// base reads a base URL and checks it.
func base(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		// The parser's own error repeats the whole URL, and a URL may hold a password.
		return nil, fmt.Errorf("%w: it is no URL", ErrBaseURL)
	}
	return u, checkBase(u)
}

// endpoint checks base URL and version and joins them.
func endpoint(baseURL, version string) (*url.URL, error) {
	u, err := base(baseURL)
	if err != nil {
		return nil, err
	}
	if !apiVersionForm.MatchString(version) {
		return nil, fmt.Errorf("%w: %.20q does not look like %s", ErrAPIVersion, version, DefaultAPIVersion)
	}
	return u.JoinPath(version), nil
}

// checkBase refuses what would send the token in clear text, or to another place than the one that was read.
func checkBase(u *url.URL) error {
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%w: it has to begin with https://", ErrBaseURL)
	case u.Hostname() == "":
		return fmt.Errorf("%w: it names no host", ErrBaseURL)
	case u.User != nil:
		return fmt.Errorf("%w: a user or password does not belong into it", ErrBaseURL)
	case u.RawQuery != "" || u.ForceQuery:
		return fmt.Errorf("%w: leave out the part from the question mark on", ErrBaseURL)
	case u.Fragment != "" || strings.HasSuffix(u.String(), "#"):
		return fmt.Errorf("%w: leave out the part from # on", ErrBaseURL)
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return fmt.Errorf("%w: %s is another machine, which would get the token in clear text; use https", ErrPlainHTTP, u.Hostname())
	}
	return nil
}

// isLoopback knows this machine by name or address and asks no name server.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// checkToken looks for what a copied token gets by accident. The error says where, never what.
func checkToken(token string) error {
	if token == "" {
		return fmt.Errorf("%w: there is none", ErrToken)
	}
	for i, r := range token {
		if r <= ' ' || r > '~' {
			return fmt.Errorf("%w: character %d is a space, a line break or not ASCII", ErrToken, i+1)
		}
	}
	return nil
}
