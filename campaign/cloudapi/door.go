package cloudapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/campaign/wire"
)

// ErrPath says that the path of a Door can't be used; the error that wraps it says why.
var ErrPath = errors.New("the path can't be used")

// Door is what differs where another provider passes messages on to the platform. The zero value is the platform's own door.
type Door struct {
	// Path is where messages are posted below the base URL, such as "api/messages". Empty: API version, number id, "messages".
	Path string
	// Body is the request for a step; nil is the function Body.
	Body func(campaign.Step) ([]byte, error)
	// Read takes an answer apart; nil is wire.ParseAnswer.
	Read func(status int, body []byte) wire.Answer
}

func (d Door) withDefaults() Door {
	if d.Body == nil {
		d.Body = Body
	}
	if d.Read == nil {
		d.Read = wire.ParseAnswer
	}
	return d
}

// endpoint is what requests are addressed from: with a Path it is the address of messages itself.
func (d Door) endpoint(c Config) (*url.URL, error) {
	if d.Path == "" {
		return endpoint(c.BaseURL, c.APIVersion)
	}
	u, err := base(c.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := checkPath(d.Path); err != nil {
		return nil, err
	}
	return u.JoinPath(d.Path), nil
}

var pathForm = regexp.MustCompile(`^/?[0-9A-Za-z._~-]+(/[0-9A-Za-z._~-]+)*/?$`)

// checkPath refuses what would lead elsewhere than below the base URL.
func checkPath(path string) error {
	if !pathForm.MatchString(path) {
		return fmt.Errorf("%w: %.60q is not of the form api/messages", ErrPath, path)
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "." || part == ".." {
			return fmt.Errorf("%w: %.60q has dots for a folder", ErrPath, path)
		}
	}
	return nil
}

// address is where a message of the number is posted.
func (c *Client) address(numberID string) string {
	if c.door.Path != "" {
		return c.endpoint.String()
	}
	return c.endpoint.JoinPath(url.PathEscape(numberID), "messages").String()
}

// Get reads what lies beside messages behind the door's Path, once. What went wrong is a *preflight.Refusal about what.
func (c *Client) Get(ctx context.Context, what, name string) ([]byte, error) {
	if c.door.Path == "" {
		return nil, &preflight.Refusal{What: what, Details: ErrNoReads.Error()}
	}
	x := c.ask(ctx, http.MethodGet, c.endpoint.JoinPath("..", name).String(), "", nil)
	if x.status == http.StatusOK && x.err == nil {
		return x.body, nil
	}
	r := c.refusal(what, x)
	if said := c.door.Read(x.status, x.body); said.HasCode {
		r.HasCode, r.Code = true, int(said.Code)
	}
	return nil, r
}

// ParseNumber reads a number's JSON object in the platform's spelling, as proxies hand it on. Every field may be missing.
func ParseNumber(object []byte) (preflight.Number, error) {
	var j jsonNumber
	err := json.Unmarshal(object, &j)
	return j.number(), err
}
