package providertest

import (
	"net"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// unreachable are the ways in which no connection comes about. Nothing of the message has left, so each may be tried again.
var unreachable = []struct {
	name    string
	baseURL func(t *testing.T) string
	timeout time.Duration
}{
	{"refused", func(t *testing.T) string { return "http://" + closedPort(t) }, patience},
	{"no such host", func(*testing.T) string { return "https://wactl.invalid" }, patience},
	{"connection ends in the TLS handshake", func(t *testing.T) string { return "https://" + listener(t, func(c net.Conn) { c.Close() }) }, patience},
	{"no TLS", func(t *testing.T) string {
		return "https://" + listener(t, func(c net.Conn) {
			c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			c.Close()
		})
	}, patience},
	{"TLS handshake stalls", func(t *testing.T) string { return "https://" + listener(t, func(net.Conn) {}) }, impatient},
}

func runUnreachable(t *testing.T, open func(*testing.T, Setup) campaign.Provider) {
	for _, c := range unreachable {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, Setup{BaseURL: c.baseURL(t), Token: token, Timeout: c.timeout})
			compare(t, campaign.Answer{Class: outcome.RetryFew}, p.Send(t.Context(), step()))
		})
	}
}

func closedPort(t *testing.T) string {
	l := listen(t)
	l.Close()
	return l.Addr().String()
}

// listener hands each connection to serve and closes them all when the test ends.
func listener(t *testing.T, serve func(net.Conn)) string {
	l := listen(t)
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			serve(c)
		}
	}()
	return l.Addr().String()
}

func listen(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}
