package cloudapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// Client sends messages to one endpoint with one token. It is safe for use by several goroutines.
type Client struct {
	endpoint  *url.URL // base URL with API version; behind another door the address of messages
	door      Door
	timeout   time.Duration
	transport http.RoundTripper
	own       bool                  // transport is ours: its hooks and byte counts can be relied on
	sign      func(http.Header)     // sets the fixed headers; a function, so that printing a Client shows no token
	budget    *budget               // of readings
	hide      func(s string) string // takes the token out of a text, shortened for people
	strip     func(b []byte) []byte // takes it out of a whole answer
}

var _ campaign.Provider = (*Client)(nil)

// New makes a Client, or says what in c is missing or unsafe: ErrBaseURL, ErrPlainHTTP, ErrAPIVersion or ErrToken.
func New(c Config) (*Client, error) { return NewAt(c, Door{}) }

// NewAt makes a Client for another provider that speaks the platform's language behind its own door; beside New's errors there is ErrPath.
func NewAt(c Config, d Door) (*Client, error) {
	c, d = c.withDefaults(), d.withDefaults()
	u, err := d.endpoint(c)
	if err != nil {
		return nil, err
	}
	if err := checkToken(c.Token); err != nil {
		return nil, err
	}
	client := &Client{endpoint: u, door: d, timeout: c.Timeout, transport: c.Transport, sign: signer(c.Token, c.Version), budget: &budget{}, hide: hider(c.Token),
		strip: stripper(c.Token)}
	if c.Transport == nil {
		client.transport, client.own = newTransport(c.MaxInFlight, u.Scheme == "http"), true
	}
	return client, nil
}

func signer(token, version string) func(http.Header) {
	return func(h http.Header) {
		h.Set("Authorization", "Bearer "+token)
		h.Set("Content-Type", "application/json")
		h.Set("User-Agent", "wactl/"+version)
	}
}

// Send makes one request for s and judges the answer. It never repeats a request: whether to try again is the caller's decision.
func (c *Client) Send(ctx context.Context, s campaign.Step) campaign.Answer {
	body, err := c.door.Body(s)
	if err == nil {
		err = checkNumberID(s.NumberID)
	}
	if err != nil {
		return campaign.Answer{Class: outcome.RequestWrong, Details: c.hide(err.Error())}
	}
	return c.judge(c.exchange(ctx, c.address(s.NumberID), body))
}

// checkNumberID refuses what would change the path that the request goes to.
func checkNumberID(id string) error {
	if id == "" || strings.Trim(id, ".") == "" {
		return fmt.Errorf("%q is no phone number id", id)
	}
	return nil
}

// CloseIdleConnections drops the connections that wait for use, as after a long sleep, when they may be dead without saying so.
func (c *Client) CloseIdleConnections() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}
