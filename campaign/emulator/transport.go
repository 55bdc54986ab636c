package emulator

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
)

// RoundTripper calls the emulator without sockets, for a client in the same process or in a synctest bubble.
//
// A cut answer is an error after the bytes were written, a context that ends returns its cause, and the httptrace hooks WroteHeaders,
// WroteRequest and GotFirstResponseByte fire as they would on a wire.
func (e *Emulator) RoundTripper() http.RoundTripper { return direct{e} }

// direct is a transport whose other end is a handler.
type direct struct{ handler http.Handler }

// RoundTrip implements [http.RoundTripper].
func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	body, err := takeBody(r)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace != nil && trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
	w := &reply{header: http.Header{}}
	cut := d.serve(w, arriving(r, body))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if cut && !w.flushed {
		return nil, fmt.Errorf("the emulator closed the connection without an answer: %w", io.ErrUnexpectedEOF)
	}
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	return w.response(r, cut), nil
}

// takeBody reads and closes a request's body, as a transport must also when it fails.
func takeBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

// arriving is a client's request as a server sees it.
func arriving(r *http.Request, body []byte) *http.Request {
	in := r.Clone(r.Context())
	in.Body = io.NopCloser(bytes.NewReader(body))
	in.ContentLength = int64(len(body))
	in.RequestURI = r.URL.RequestURI()
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	return in
}

// serve runs the handler and says whether it cut the connection.
func (d direct) serve(w *reply, r *http.Request) (cut bool) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			cut = true
		default:
			panic(p)
		}
	}()
	d.handler.ServeHTTP(w, r)
	return false
}

// reply collects what a handler writes.
type reply struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	flushed bool
}

func (w *reply) Header() http.Header { return w.header }

func (w *reply) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *reply) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// FlushError is what [http.ResponseController] looks for; without a flush, a cut connection takes everything with it.
func (w *reply) FlushError() error {
	w.flushed = true
	return nil
}

// response is the collected answer as a client sees it; a cut one ends in an error.
func (w *reply) response(r *http.Request, cut bool) *http.Response {
	var body io.Reader = bytes.NewReader(w.body.Bytes())
	length := int64(w.body.Len())
	if cut {
		body = io.MultiReader(body, broken{})
		length = -1
		if n, err := fmt.Sscan(w.header.Get("Content-Length"), &length); n != 1 || err != nil {
			length = -1
		}
	}
	w.WriteHeader(http.StatusOK)
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)),
		StatusCode:    w.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        w.header,
		Body:          io.NopCloser(body),
		ContentLength: length,
		Request:       r,
	}
}

// broken is the end of a connection that closed too early.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
