package cloudapi

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// deadConn is a connection whose writes fail once it is told to die, with nothing written.
type deadConn struct {
	net.Conn
	dead *atomic.Bool
}

func (c deadConn) Write(b []byte) (int, error) {
	if c.dead.Load() {
		return 0, errors.New("broken pipe")
	}
	return c.Conn.Write(b)
}

// TestKeptConnectionThatTakesNoByte is the case that headers in a buffer look like headers on the wire: nothing left, so the message may
// go again, but only the caller may decide it: the transport must not have tried by itself.
func TestKeptConnectionThatTakesNoByte(t *testing.T) {
	var requests atomic.Int32
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		io.WriteString(w, acceptedBody)
	})
	for name, start := range map[string]func(http.Handler) *httptest.Server{"plain": httptest.NewServer, "TLS": httptest.NewTLSServer} {
		t.Run(name, func(t *testing.T) {
			requests.Store(0)
			s := start(handler)
			defer s.Close()
			var dead atomic.Bool
			c := newClient(t, Config{BaseURL: s.URL, Token: secret})
			rt := c.transport.(*http.Transport)
			rt.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
			rt.DialContext = countedOver(&dead)
			if a := c.Send(t.Context(), step()); a.Class != outcome.Accepted {
				t.Fatalf("first message: %+v", a)
			}
			dead.Store(true)
			a := c.Send(t.Context(), step())
			if a.Class != outcome.RetryFew || a.BytesWritten {
				t.Errorf("%s, written %t (%s); want %s, not written", a.Class, a.BytesWritten, a.Details, outcome.RetryFew)
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("%d requests reached the server, want 1: something repeated the message", n)
			}
		})
	}
}

func countedOver(dead *atomic.Bool) dialFunc {
	return counting(func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		return deadConn{c, dead}, err
	})
}

// TestConnectionsAreKeptAndCapped sends in waves over a pool of four: never more than four connections, and none opened anew.
func TestConnectionsAreKeptAndCapped(t *testing.T) {
	const pool = 4
	var opened atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 || r.Header.Get("Idempotency-Key") != "" {
			t.Errorf("%s, Idempotency-Key %q", r.Proto, r.Header.Get("Idempotency-Key"))
		}
		io.WriteString(w, acceptedBody)
	}))
	s.EnableHTTP2 = true
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.StartTLS()
	defer s.Close()
	c := newClient(t, Config{BaseURL: s.URL, Token: secret, MaxInFlight: pool})
	c.transport.(*http.Transport).TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	c.transport.(*http.Transport).TLSClientConfig.NextProtos = nil
	for range 5 {
		sendAtOnce(t, c, 3*pool)
	}
	if n := opened.Load(); n > pool {
		t.Errorf("%d connections, want %d at most", n, pool)
	}
}

func sendAtOnce(t *testing.T, p campaign.Provider, messages int) {
	var all sync.WaitGroup
	for range messages {
		all.Go(func() {
			if a := p.Send(t.Context(), step()); a.Class != outcome.Accepted {
				t.Errorf("%+v", a)
			}
		})
	}
	all.Wait()
}

// TestPlainHTTPReachesThisMachineOnly looks at the address itself, since a name such as localhost can be made to mean anything.
func TestPlainHTTPReachesThisMachineOnly(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "127.3.2.1:8025": true, "[::ffff:127.0.0.1]:80": true,
		"192.0.2.1:80": false, "10.0.0.1:80": false, "[2001:db8::1]:80": false, "0.0.0.0:80": false, "nonsense": false,
	} {
		if err := refuseOthers(t.Context(), "tcp", address, nil); (err == nil) != ok || !ok && !errors.Is(err, ErrPlainHTTP) {
			t.Errorf("%s: %v", address, err)
		}
	}
	c := newClient(t, Config{BaseURL: "http://localhost:1", Token: secret})
	c.endpoint.Host = "192.0.2.1:80" // as if localhost had been given this address
	a := c.Send(t.Context(), step())
	if a.Class != outcome.RetryFew || a.BytesWritten || !strings.Contains(a.Details, ErrPlainHTTP.Error()) {
		t.Errorf("%+v", a)
	}
}

func TestCountedCountsWhatWasWritten(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	go io.CopyN(io.Discard, b, 5)
	c := &counted{Conn: a}
	if n, err := c.Write([]byte("hello")); n != 5 || err != nil || c.written.Load() != 5 {
		t.Errorf("%d, %v, counted %d", n, err, c.written.Load())
	}
	b.Close()
	if _, err := c.Write([]byte("more")); err == nil || c.written.Load() != 5 {
		t.Errorf("%v, counted %d", err, c.written.Load())
	}
}
