package cloudapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// largestAnswer bounds what is read of an answer; the platform's are under 2 KiB.
const largestAnswer = 1 << 20

var (
	errTimeout  = errors.New("time limit reached")
	errTooLarge = errors.New("the answer is larger than 1 MiB")
	errNoAnswer = errors.New("the transport gave neither answer nor error")
)

// exchanged is all that one HTTP exchange left behind.
type exchanged struct {
	status   int // 0 when no answer came
	header   http.Header
	body     []byte
	err      error // why no answer came, or why its body is not whole
	written  bool  // whether any byte of the request left
	timedOut bool
}

// exchange posts one body. It calls the transport itself and no http.Client, which would follow redirects.
func (c *Client) exchange(ctx context.Context, address string, body []byte) exchanged {
	ctx, cancel := patient(ctx, time.Now().Add(c.timeout))
	defer cancel()
	var d departure
	req, err := c.newRequest(httptrace.WithClientTrace(ctx, d.trace()), address, body)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return exchanged{err: err}
	}
	resp, err := c.transport.RoundTrip(req)
	if err == nil && resp == nil {
		err = errNoAnswer
	}
	if err != nil {
		return exchanged{err: err, written: d.left(err, c.own), timedOut: errors.Is(context.Cause(ctx), errTimeout)}
	}
	defer resp.Body.Close()
	x := exchanged{status: resp.StatusCode, header: resp.Header, written: true}
	x.body, x.err = readAnswer(resp.Body)
	x.timedOut = x.err != nil && errors.Is(context.Cause(ctx), errTimeout)
	return x
}

// wakeGrace is what an answer that came while this machine stood still gets to be read, once the clock says that its time is over.
const wakeGrace = 5 * time.Second

// patient ends ctx with errTimeout at due. A timer that fires late says that the machine stood still: the answer may lie in the socket, and
// giving it up would leave a message uncertain that was answered.
func patient(ctx context.Context, due time.Time) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	timer := time.AfterFunc(time.Until(due), func() {
		if time.Since(due) > time.Second {
			select {
			case <-ctx.Done():
			case <-time.After(wakeGrace):
			}
		}
		end(errTimeout)
	})
	return ctx, func() {
		timer.Stop()
		end(context.Canceled)
	}
}

func (c *Client) newRequest(ctx context.Context, address string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	// Without it net/http has no second copy of the body, so nothing in it can send the message again on another connection.
	req.GetBody = nil
	c.sign(req.Header)
	return req, nil
}

func readAnswer(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, largestAnswer+1))
	if err == nil && len(b) > largestAnswer {
		return b[:largestAnswer], errTooLarge
	}
	return b, err
}

// departure finds out whether any byte of a request left. In doubt it says yes: a message that may have left is never sent again.
type departure struct {
	mu     sync.Mutex
	asked  bool     // the transport looked for a connection
	begun  bool     // the transport began to write the request
	conn   *counted // the connection in use, when it is one of ours
	before int64    // bytes that conn had written before this request
	gotAny bool     // a connection was found
}

func (d *departure) trace() *httptrace.ClientTrace {
	note := func(f func()) {
		d.mu.Lock()
		defer d.mu.Unlock()
		f()
	}
	return &httptrace.ClientTrace{
		GetConn: func(string) { note(func() { d.asked = true }) },
		GotConn: func(i httptrace.GotConnInfo) {
			note(func() {
				d.gotAny = true
				if d.conn = countedBelow(i.Conn); d.conn != nil {
					d.before = d.conn.written.Load()
				}
			})
		},
		// The headers go into a buffer first; from the first field on, some of it may be on its way.
		WroteHeaderField: func(string, []string) { note(func() { d.begun = true }) },
	}
}

// left says whether bytes may have left when the exchange ended with err. Hooks that never fired prove something in our own transport only.
func (d *departure) left(err error, own bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.conn != nil:
		return d.begun && d.conn.written.Load() > d.before
	case d.gotAny:
		return d.begun
	case d.asked || own:
		return false
	default:
		return !isDialError(err)
	}
}

// isDialError knows the errors of a connection that never came about, from any transport.
func isDialError(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return true
	}
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}
