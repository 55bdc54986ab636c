package vectalk

import (
	"cmp"
	"context"
	"strings"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/wire"
)

// What Vectalk's public pages show most often.
const (
	DefaultBaseURL = "https://apis.vectalk.com.br"
	DefaultPath    = "api/messages" // some pages leave out "api/"
)

// Config is what a Client needs to know. Only Token, the instance token, has no default. APIVersion is not used.
type Config struct {
	cloudapi.Config        // BaseURL is DefaultBaseURL when empty
	Path            string // of messages below BaseURL; default DefaultPath
	Digits          bool   // write recipients without "+"; the default is with it, as the platform advises
}

// Client sends messages through one instance, whose token fixes the number. It is safe for use by several goroutines.
type Client struct{ api *cloudapi.Client }

var _ campaign.Provider = Client{}

// New makes a Client, or says what in c is missing or unsafe with one of cloudapi's errors.
func New(c Config) (Client, error) {
	c.BaseURL = cmp.Or(c.BaseURL, DefaultBaseURL)
	door := cloudapi.Door{Path: cmp.Or(c.Path, DefaultPath), Read: wire.ParseProxied}
	if c.Digits {
		door.Body = plain
	}
	api, err := cloudapi.NewAt(c.Config, door)
	return Client{api}, err
}

// Send makes one request for s and judges the answer. It never repeats a request.
func (c Client) Send(ctx context.Context, s campaign.Step) campaign.Answer { return c.api.Send(ctx, s) }

// Warm opens up to n connections ahead of the messages; nothing is sent on them.
func (c Client) Warm(ctx context.Context, n int) { c.api.Warm(ctx, n) }

// CloseIdleConnections drops the connections that wait for use, as after a long sleep.
func (c Client) CloseIdleConnections() { c.api.CloseIdleConnections() }

// plain is the platform's body with the recipient's digits alone.
func plain(s campaign.Step) ([]byte, error) {
	r, err := cloudapi.Request(s)
	if err != nil {
		return nil, err
	}
	r.To = strings.TrimPrefix(r.To, "+")
	return cloudapi.Encode(r)
}
