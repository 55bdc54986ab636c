package cloudapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/campaign/wire"
)

// ErrNoReads says that readings are asked of a provider that passes on messages only.
var ErrNoReads = errors.New("this provider has no such reading")

const (
	largestReading  = 16 << 20         // bytes; a page of templates is some 100 KiB
	mostReads       = 6                // tries of one reading that is refused for the budget of calls
	mostFaults      = 2                // tries of one reading that a fault of the platform spoiled
	longestRegain   = 5 * time.Minute  // a longer wait is told and not waited for: messages need no readings
	nearlyUsedUp    = 95.0             // per cent of the budget of calls, from where on readings are spread out
	spreadOut       = 10 * time.Second // between readings then
	largestCallWait = time.Minute
)

// budget is what is known of the hourly budget of calls, which all readings of a Client share.
type budget struct {
	mu     sync.Mutex
	closed time.Time // no reading before
}

// told takes what an answer's usage headers say.
func (b *budget) told(h http.Header, now time.Time) {
	used, regain := wire.Usage(h)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case regain > 0:
		b.closed = later(b.closed, now.Add(regain))
	case used >= nearlyUsedUp:
		b.closed = later(b.closed, now.Add(spreadOut))
	}
}

// wait is how long the budget is closed from now on.
func (b *budget) wait(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.closed.Sub(now), 0)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// get reads one object into v. Reading twice does no harm, so refusals that pass by are waited out, unless they last longer than minutes.
func (c *Client) get(ctx context.Context, what string, path []string, query url.Values, v any) error {
	if c.door.Path != "" {
		return &preflight.Refusal{What: what, Details: ErrNoReads.Error()}
	}
	u := c.endpoint.JoinPath(path...)
	u.RawQuery = query.Encode()
	for try := 1; ; try++ {
		if wait := c.budget.wait(time.Now()); wait > longestRegain {
			return &preflight.Refusal{What: what, Wait: wait, Details: "the budget of API calls is used up"}
		} else if err := pause(ctx, wait); err != nil {
			return err
		}
		x := c.ask(ctx, http.MethodGet, u.String(), "", nil)
		refused := c.refusal(what, x)
		if refused == nil {
			return c.decode(what, x, v)
		}
		wait, again := patience(refused, try)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if !again {
			return refused
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

func (c *Client) decode(what string, x exchanged, v any) error {
	if err := json.Unmarshal(x.body, v); err != nil {
		return &preflight.Refusal{What: what, HTTPStatus: x.status, Details: "the answer is not what the platform documents: " + c.hide(err.Error())}
	}
	return nil
}

// patience is how long to wait before a reading is tried again, and whether it is.
func patience(r *preflight.Refusal, try int) (wait time.Duration, again bool) {
	most := 1
	switch class := outcome.ForCode(r.Code).Class; {
	case r.HasCode && class == outcome.CallsWait:
		most = mostReads
	case r.HasCode && (class == outcome.RetryFew || class == outcome.NumberHold), !r.HasCode && r.HTTPStatus >= 500:
		most = mostFaults
	}
	wait = max(r.Wait, min(time.Second<<(try-1), largestCallWait))
	return wait, try < most && wait <= longestRegain
}

// ask makes one exchange that is no message. Redirects are not followed: they could lead the token elsewhere.
func (c *Client) ask(ctx context.Context, method, address, contentType string, body io.Reader) exchanged {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errTimeout)
	defer cancel()
	return c.askFor(ctx, method, address, contentType, body)
}

// askFor is ask without a time limit of its own.
func (c *Client) askFor(ctx context.Context, method, address, contentType string, body io.Reader) exchanged {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return exchanged{err: err}
	}
	c.sign(req.Header)
	req.Header.Del("Content-Type")
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := c.transport.RoundTrip(req)
	if err == nil && resp == nil {
		err = errNoAnswer
	}
	if err != nil {
		return exchanged{err: err, timedOut: errors.Is(context.Cause(ctx), errTimeout)}
	}
	defer resp.Body.Close()
	x := exchanged{status: resp.StatusCode, header: resp.Header}
	x.body, x.err = io.ReadAll(io.LimitReader(resp.Body, largestReading+1))
	if x.err == nil && len(x.body) > largestReading {
		x.err = fmt.Errorf("the answer is larger than %d MiB", largestReading>>20)
	}
	x.body = c.strip(x.body)
	c.budget.told(resp.Header, time.Now())
	return x
}

// refusal is why an exchange gave no reading, nil when it did.
func (c *Client) refusal(what string, x exchanged) *preflight.Refusal {
	r := &preflight.Refusal{What: what, HTTPStatus: x.status}
	if x.status == 0 {
		r.Unreachable, r.Details = true, c.hide(errorText(x.err))
		return r
	}
	said := wire.ParseAnswer(x.status, x.body)
	r.Title, r.Details = c.hide(said.Title), c.hide(said.Details)
	r.Wait = max(wire.RetryAfter(x.header.Get("Retry-After"), time.Now()), regain(x.header))
	switch {
	case said.HasCode:
		r.HasCode, r.Code, r.Missing = true, int(said.Code), said.Code == invalidParameter && subcode(x.body) == missingObject
	case x.err != nil:
		r.Details = c.hide(errorText(x.err))
	case x.status == http.StatusOK && bytes.HasPrefix(bytes.TrimSpace(x.body), []byte("{")):
		return nil
	case x.status == http.StatusOK:
		r.Details = "the answer is no JSON object"
	}
	return r
}

// missingObject is the subcode of 100 for an object that is not there, or not for this token.
const missingObject = 33

func subcode(body []byte) int {
	var e wire.ErrorBody
	if json.Unmarshal(body, &e) != nil || e.Error == nil {
		return 0
	}
	return e.Error.Subcode
}

func regain(h http.Header) time.Duration {
	_, wait := wire.Usage(h)
	return wait
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
