package cloudapi

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// seen is what came to a server.
type seen struct{ opened, requests, shaking, mostShaking atomic.Int32 }

// listening is a server that counts; every TLS handshake takes a while, so that those at the same time can be told.
func listening(t *testing.T, encrypted bool) (*httptest.Server, *seen) {
	t.Helper()
	n := &seen{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.requests.Add(1)
		time.Sleep(50 * time.Millisecond) // so that all messages of a wave are on their way together
		io.WriteString(w, acceptedBody)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that are under way when the server ends
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			n.opened.Add(1)
		}
	}
	t.Cleanup(s.Close)
	if !encrypted {
		s.Start()
		return s, n
	}
	s.TLS = &tls.Config{
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			now := n.shaking.Add(1)
			for most := n.mostShaking.Load(); now > most && !n.mostShaking.CompareAndSwap(most, now); most = n.mostShaking.Load() {
			}
			time.Sleep(2 * time.Millisecond)
			n.shaking.Add(-1)
			return nil, nil
		},
	}
	s.StartTLS()
	return s, n
}

// TestWarm opens connections ahead: nothing is sent on them, few handshakes run at a time, and a wave of messages needs no other.
func TestWarm(t *testing.T) {
	const connections = 60
	for name, encrypted := range map[string]bool{"plain": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			s, n := listening(t, encrypted)
			c := newClient(t, Config{BaseURL: s.URL, Token: secret, MaxInFlight: 2 * connections})
			if encrypted {
				c.transport.(*http.Transport).TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
			}
			c.Warm(t.Context(), connections)
			for range 1000 { // the server may still have to take the last ones
				if n.opened.Load() >= connections {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			if opened := n.opened.Load(); opened != connections || n.requests.Load() != 0 {
				t.Fatalf("%d connections and %d requests, want %d and none", opened, n.requests.Load(), connections)
			}
			if most := n.mostShaking.Load(); most > dialsAtOnce || encrypted && most == 0 {
				t.Errorf("%d handshakes at a time, want %d at most", most, dialsAtOnce)
			}
			time.Sleep(20 * time.Millisecond) // the last ones are on their way into the pool
			sendAtOnce(t, c, connections)
			if more := n.opened.Load() - connections; more > connections/10 { // the last ones may not have been in the pool yet
				t.Errorf("the messages opened %d more connections", more)
			}
		})
	}
}

// TestHandshakesAreBounded: a wave of messages over a cold pool opens few connections at a time, and all of them are answered.
func TestHandshakesAreBounded(t *testing.T) {
	s, n := listening(t, true)
	c := newClient(t, Config{BaseURL: s.URL, Token: secret, MaxInFlight: 300})
	c.transport.(*http.Transport).TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	sendAtOnce(t, c, 120)
	if most := n.mostShaking.Load(); most > dialsAtOnce || most == 0 {
		t.Errorf("%d handshakes at a time, want %d at most", most, dialsAtOnce)
	}
	if n.requests.Load() != 120 {
		t.Errorf("%d requests", n.requests.Load())
	}
}

// TestWarmAgain: a pool that has connections already loses none of its use, and nothing is sent.
func TestWarmAgain(t *testing.T) {
	s, n := listening(t, false)
	c := newClient(t, Config{BaseURL: s.URL, Token: secret, MaxInFlight: 20})
	sendAtOnce(t, c, 3)
	for range 3 {
		c.Warm(t.Context(), 10)
	}
	if got := n.requests.Load(); got != 3 {
		t.Errorf("%d requests, want the 3 messages", got)
	}
	sendAtOnce(t, c, 10)
}

// TestWarmNobody: who cannot be reached is found out by the first message.
func TestWarmNobody(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	c := newClient(t, Config{BaseURL: "http://" + closed.Addr().String(), Token: secret})
	begun := time.Now()
	c.Warm(t.Context(), 10)
	if took := time.Since(begun); took >= warmFor {
		t.Errorf("it took %v", took)
	}
	if a := c.Send(t.Context(), step()); a.BytesWritten {
		t.Errorf("%+v", a)
	}
	c = newClient(t, Config{BaseURL: "https://192.0.2.1", Token: secret})
	c.transport.(*http.Transport).Proxy = http.ProxyURL(c.endpoint)
	c.Warm(t.Context(), 10) // through a proxy nothing is opened ahead
}
