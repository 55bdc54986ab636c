package genuka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/wire"
)

// What Genuka WA's public page shows.
const (
	DefaultBaseURL = "https://wa.genuka.com"
	DefaultPath    = "api/v1/messages"
)

// ErrUserID says that a recipient is known by user id alone, which Genuka WA's page gives no field for.
var ErrUserID = errors.New("Genuka WA takes phone numbers only")

// Config is what a Client needs to know. Only Token, the API key, has no default. APIVersion is not used.
type Config struct {
	cloudapi.Config        // BaseURL is DefaultBaseURL when empty
	Path            string // of messages below BaseURL; default DefaultPath
	Plus            bool   // write recipients with "+"; the default is digits only, the normal form of Genuka WA's page
}

// Client sends messages with one key. A step's NumberID is the connectionId. It is safe for use by several goroutines.
type Client struct{ api *cloudapi.Client }

var _ campaign.Provider = Client{}

// New makes a Client, or says what in c is missing or unsafe with one of cloudapi's errors.
func New(c Config) (Client, error) {
	c.BaseURL = cmp.Or(c.BaseURL, DefaultBaseURL)
	api, err := cloudapi.NewAt(c.Config, cloudapi.Door{
		Path: cmp.Or(c.Path, DefaultPath),
		Body: func(s campaign.Step) ([]byte, error) { return body(s, c.Plus) },
		Read: ParseAnswer,
	})
	return Client{api}, err
}

// Send makes one request for s and judges the answer. It never repeats a request.
func (c Client) Send(ctx context.Context, s campaign.Step) campaign.Answer { return c.api.Send(ctx, s) }

// Warm opens up to n connections ahead of the messages; nothing is sent on them.
func (c Client) Warm(ctx context.Context, n int) { c.api.Warm(ctx, n) }

// CloseIdleConnections drops the connections that wait for use, as after a long sleep.
func (c Client) CloseIdleConnections() { c.api.CloseIdleConnections() }

// request is the platform's message with a connectionId. The two fields hide the platform's, since Genuka WA's page does not have them.
type request struct {
	ConnectionID string `json:"connectionId"`
	wire.Request
	MessagingProduct string `json:"messaging_product,omitempty"`
	CallbackData     string `json:"biz_opaque_callback_data,omitempty"`
	RecipientType    string `json:"recipient_type,omitempty"`
}

func body(s campaign.Step, plus bool) ([]byte, error) {
	m, err := cloudapi.Request(s)
	if err == nil && m.To == "" {
		err = fmt.Errorf("line %d: %w: %w", s.Line, cloudapi.ErrUnsendable, ErrUserID)
	}
	if err != nil {
		return nil, err
	}
	if !plus {
		m.To = strings.TrimPrefix(m.To, "+")
	}
	return cloudapi.Encode(request{ConnectionID: s.NumberID, Request: m})
}
