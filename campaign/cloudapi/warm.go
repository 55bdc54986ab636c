package cloudapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// warmFor is the most that opening connections ahead may take. A platform that is slower than that is met by the messages themselves.
const warmFor = 5 * time.Second

// Warm opens up to n connections ahead of the messages, a few at a time, so that none waits for a handshake. Nothing is sent on them, and
// whoever cannot be reached is no error yet.
func (c *Client) Warm(ctx context.Context, n int) {
	t, ok := c.transport.(*http.Transport)
	if !ok || !c.own || n <= 0 || c.proxied(t) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, warmFor)
	defer cancel()
	w := &warming{gate: make(chan struct{})}
	var all sync.WaitGroup
	n = min(n, t.MaxConnsPerHost)
	w.asked.Add(n)
	for range n {
		all.Go(func() { w.open(ctx, t, c.endpoint.String()) })
	}
	w.asked.Wait()
	close(w.gate)
	all.Wait()
}

// proxied says that connections lead through a proxy. Its dialling is the transport's own business, and cannot be given up half-way.
func (c *Client) proxied(t *http.Transport) bool {
	if t.Proxy == nil {
		return false
	}
	proxy, err := t.Proxy(&http.Request{URL: c.endpoint})
	return proxy != nil || err != nil
}

// warming opens many connections. A transport dials for a request that finds no connection, and keeps what it dialled when the request is given
// up meanwhile. All requests have to ask before the first connection is there, or the later ones would take it: hence the gate.
type warming struct {
	asked sync.WaitGroup
	gate  chan struct{} // closed when all have asked
}

// opening is the dialling for one request that is given up.
type opening struct {
	giveUp context.CancelFunc
	gate   <-chan struct{}
	begun  chan struct{}
	ended  chan struct{}
}

type openingKey struct{}

// openingIn is what a dial is for, nil for a message.
func openingIn(ctx context.Context) *opening {
	o, _ := ctx.Value(openingKey{}).(*opening)
	return o
}

// begin gives the request up and waits until the dial may go on.
func (o *opening) begin() {
	if o == nil {
		return
	}
	close(o.begun)
	o.giveUp()
	<-o.gate
}

func (o *opening) end() {
	if o != nil {
		close(o.ended)
	}
}

func (w *warming) open(ctx context.Context, t *http.Transport, address string) {
	asking, giveUp := context.WithCancel(ctx)
	defer giveUp()
	o := &opening{giveUp: giveUp, gate: w.gate, begun: make(chan struct{}), ended: make(chan struct{})}
	err := ask(context.WithValue(asking, openingKey{}, o), t, address)
	w.asked.Done()
	if err != nil {
		return
	}
	select {
	case <-o.begun:
	default:
		return // it found a connection that was there, or there is none to be had
	}
	select {
	case <-o.ended:
	case <-ctx.Done():
	}
}

// ask makes a request that cannot leave: should it find a connection after all, its body is too short, which the transport finds out before
// the first byte is flushed. It flushes headers early for bodies that are not in memory; this one is.
func ask(ctx context.Context, t *http.Transport, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, nil)
	if err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(nil)), 1
	if answer, err := t.RoundTrip(r); err == nil {
		return answer.Body.Close()
	}
	return nil
}
