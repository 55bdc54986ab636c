package cloudapi

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"syscall"
	"time"
)

// newTransport is a pool of HTTP/1.1 connections: inFlight at most, all kept, so that no message pays for a new one in a steady send.
//
// HTTP/2 would put all messages on one connection, whose loss makes all of them uncertain at once.
func newTransport(inFlight int, loopbackOnly bool) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	proxy := http.ProxyFromEnvironment
	if loopbackOnly {
		dialer.ControlContext, proxy = refuseOthers, nil
	}
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	few := make(chan struct{}, dialsAtOnce)
	t := &http.Transport{
		Proxy:                  proxy,
		DialContext:            counting(dialer.DialContext),
		Protocols:              &protocols,
		MaxIdleConns:           inFlight,
		MaxIdleConnsPerHost:    inFlight,
		MaxConnsPerHost:        inFlight,
		IdleConnTimeout:        time.Minute, // below what servers keep, so that a connection is seldom found dead
		TLSHandshakeTimeout:    handshakeFor,
		MaxResponseHeaderBytes: 64 << 10,
	}
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return fewAtOnce(ctx, few, func() (net.Conn, error) { return dialTLS(ctx, t, network, address) })
	}
	if loopbackOnly { // plain: there is no handshake to wait for, and no proxy that would dial twice
		dial := t.DialContext
		t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			return fewAtOnce(ctx, few, func() (net.Conn, error) { return dial(ctx, network, address) })
		}
	}
	return t
}

const (
	// dialsAtOnce bounds connections that are being opened. When answers become slow, every message wants a new one, and hundreds of handshakes at
	// a time would slow down those that are open: they are what the messages are waiting for.
	dialsAtOnce  = 32
	handshakeFor = 10 * time.Second
)

// fewAtOnce dials when fewer others do.
func fewAtOnce(ctx context.Context, few chan struct{}, dial func() (net.Conn, error)) (net.Conn, error) {
	o := openingIn(ctx)
	o.begin()
	defer o.end()
	select {
	case few <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-few }()
	return dial()
}

// dialTLS connects and shakes hands, as the transport would by itself, so that both together can be bounded.
func dialTLS(ctx context.Context, t *http.Transport, network, address string) (net.Conn, error) {
	plain, err := t.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		plain.Close()
		return nil, err
	}
	config := &tls.Config{}
	if t.TLSClientConfig != nil {
		config = t.TLSClientConfig.Clone()
	}
	config.ServerName = cmp.Or(config.ServerName, host)
	config.NextProtos = []string{"http/1.1"}
	ctx, cancel := context.WithTimeout(ctx, handshakeFor)
	defer cancel()
	c := tls.Client(plain, config)
	if err := c.HandshakeContext(ctx); err != nil {
		plain.Close()
		return nil, fmt.Errorf("TLS handshake with %s: %w", host, err)
	}
	return c, nil
}

// refuseOthers stops plain http to any address but this machine's, whatever a name such as localhost was made to mean.
func refuseOthers(_ context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !a.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%w: %s is another machine", ErrPlainHTTP, address)
	}
	return nil
}

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// counting is dial with connections that know how many bytes they wrote.
func counting(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &counted{Conn: c}, nil
	}
}

// counted is a connection that knows how many bytes it has written. While a write runs, its bytes count as written.
type counted struct {
	net.Conn
	written atomic.Int64
}

// Write counts before it writes, so that whoever looks in between errs on the safe side.
func (c *counted) Write(b []byte) (int, error) {
	c.written.Add(int64(len(b)))
	n, err := c.Conn.Write(b)
	c.written.Add(int64(n - len(b)))
	return n, err
}

// countedBelow is the counted connection under c, or nil. Bytes of TLS count too, which matters only after the handshake.
func countedBelow(c net.Conn) *counted {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	own, _ := c.(*counted)
	return own
}
