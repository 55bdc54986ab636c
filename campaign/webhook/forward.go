package webhook

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// What a forwarder keeps and how long it tries. With its waits it bridges a restart of the other side, not an outage.
const (
	mostKept       = 64 << 20 // bytes that wait to be handed on
	forwardWorkers = 4
	forwardTries   = 6
	firstWait      = 500 * time.Millisecond // then twice as long each time
	slowestForward = 10 * time.Second
)

// Forwarder hands webhooks on to whoever had the callback before: the same bytes with the same signature. Its owner calls Close.
type Forwarder struct {
	url    string
	client *http.Client
	queue  chan forwarded
	kept   atomic.Int64 // bytes in the queue or on their way
	lost   atomic.Int64
	work   sync.WaitGroup
	quit   context.Context
	end    context.CancelFunc
}

type forwarded struct {
	body      []byte
	signature string
}

// NewForwarder starts a forwarder to url. A nil transport is the usual one.
func NewForwarder(url string, transport http.RoundTripper) *Forwarder {
	f := &Forwarder{url: url, queue: make(chan forwarded, 8192), client: &http.Client{Transport: transport, Timeout: slowestForward,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	f.quit, f.end = context.WithCancel(context.Background())
	for range forwardWorkers {
		f.work.Go(f.run)
	}
	return f
}

// Forward takes a webhook to hand on. It never waits: what does not fit any more is lost and counted.
func (f *Forwarder) Forward(body []byte, signature string) {
	if f.kept.Add(int64(len(body))) > mostKept {
		f.drop(body)
		return
	}
	select {
	case f.queue <- forwarded{body, signature}:
	default:
		f.drop(body)
	}
}

func (f *Forwarder) drop(body []byte) {
	f.kept.Add(-int64(len(body)))
	f.lost.Add(1)
}

// Close hands on what is left for at most patience, and says how many webhooks were lost in all. Nothing may be forwarded any more.
func (f *Forwarder) Close(patience time.Duration) (lost int) {
	close(f.queue)
	late := time.AfterFunc(patience, f.end)
	f.work.Wait()
	late.Stop()
	f.end()
	return int(f.lost.Load())
}

func (f *Forwarder) run() {
	for w := range f.queue {
		if f.deliver(w) {
			f.kept.Add(-int64(len(w.body)))
		} else {
			f.drop(w.body)
		}
	}
}

// deliver tries until the other side has taken it, a few times.
func (f *Forwarder) deliver(w forwarded) bool {
	wait := firstWait
	for try := 1; ; try++ {
		if f.post(w) {
			return true
		}
		if try == forwardTries {
			return false
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-f.quit.Done():
			timer.Stop()
			return false
		}
		wait *= 2
	}
}

func (f *Forwarder) post(w forwarded) bool {
	r, err := http.NewRequestWithContext(f.quit, http.MethodPost, f.url, bytes.NewReader(w.body))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(SignatureHeader, w.signature)
	answer, err := f.client.Do(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode >= 200 && answer.StatusCode < 300
}
