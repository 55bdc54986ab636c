package webhook

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/wire"
)

// largest is the most that a webhook may have, in bytes: the platform's are up to 3 MB.
const largest = 4 << 20

// longestChallenge is far more than the platform asks to have repeated, in bytes.
const longestChallenge = 1 << 10

// Options say how a [Listener] checks and what it does with what it gets.
type Options struct {
	Secret      []byte // of the app; without it every webhook is refused
	VerifyToken string // that the platform repeats when the callback is set up; empty refuses that
	Canonical   Canonical
	// Write makes news durable before it returns, and counts by name what was not known.
	Write func(ctx context.Context, b feedback.Batch) (map[string]int, error)
	// Forward gets the raw bytes and the signature of each webhook that was written down; it must not block. May be nil.
	Forward func(body []byte, signature string)
	// Refused is told of what is refused and why, from several goroutines; may be nil.
	Refused func(why string)
}

// Counts is what a [Listener] has seen so far.
type Counts struct {
	Webhooks int            // that were taken
	Refused  int            // without a good signature, too long, or not readable at all
	Unread   int            // items and bodies that were signed and are nothing the platform is known to send
	News     map[string]int // by name, as Write counts them
}

// Listener is the webhook's endpoint. Make it with [NewListener]; it is safe for concurrent use, and its owner calls Close.
type Listener struct {
	o      Options
	gather *gatherer

	mu     sync.Mutex
	counts Counts
}

// NewListener starts a listener; nothing is listened to before it is served.
func NewListener(o Options) *Listener {
	return &Listener{o: o, gather: newGatherer(o.Write), counts: Counts{News: map[string]int{}}}
}

// Close writes what has come and ends the listener. Call it after the server has stopped.
func (l *Listener) Close() { l.gather.close() }

// Counts is what it has seen so far.
func (l *Listener) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counts
	c.News = map[string]int{}
	for name, n := range l.counts.News {
		c.News[name] = n
	}
	return c
}

// ServeHTTP answers the platform: GET is its handshake, POST a webhook. A webhook is answered with 200 only when what it tells is on disk.
func (l *Listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		l.handshake(w, r)
	case http.MethodPost:
		l.take(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		l.refuse(w, http.StatusMethodNotAllowed, "a method that no webhook has")
	}
}

// handshake repeats the challenge to whoever knows the token.
func (l *Listener) handshake(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	challenge := q.Get("hub.challenge")
	known := subtle.ConstantTimeCompare([]byte(q.Get("hub.verify_token")), []byte(l.o.VerifyToken)) == 1
	if q.Get("hub.mode") != "subscribe" || l.o.VerifyToken == "" || !known || challenge == "" || len(challenge) > longestChallenge {
		l.refuse(w, http.StatusForbidden, "a handshake without the right verify token")
		return
	}
	_, _ = io.WriteString(w, challenge)
}

func (l *Listener) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
	if err != nil {
		status, why := http.StatusBadRequest, "a webhook that was cut off"
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			status, why = http.StatusRequestEntityTooLarge, "a webhook of more than 4 MiB"
		}
		l.refuse(w, status, why)
		return
	}
	signature := r.Header.Get(SignatureHeader)
	if !Signed(signature, body, l.o.Secret) {
		l.refuse(w, http.StatusUnauthorized, "a webhook without a good signature")
		return
	}
	news, err := l.write(r.Context(), body)
	if err != nil {
		// The platform sends it again, for days; nothing was forwarded, so nobody gets it twice for that.
		if l.o.Refused != nil {
			l.o.Refused("a webhook that could not be written down: " + err.Error())
		}
		http.Error(w, "not written down, send it again", http.StatusServiceUnavailable)
		return
	}
	if l.o.Forward != nil {
		l.o.Forward(body, signature)
	}
	l.count(news)
}

// write writes down what a signed body tells. One that is no webhook tells nothing; refusing it would only bring it again.
func (l *Listener) write(ctx context.Context, body []byte) (Counts, error) {
	c := Counts{Webhooks: 1}
	read, err := wire.ParseWebhook(body)
	if c.Unread = read.Unread; err != nil {
		c.Unread = 1
		return c, nil
	}
	b := Translate(read, l.o.Canonical)
	if b.Empty() {
		return c, nil
	}
	c.News, err = l.gather.write(ctx, b)
	return c, err
}

func (l *Listener) refuse(w http.ResponseWriter, status int, why string) {
	l.count(Counts{Refused: 1})
	if l.o.Refused != nil {
		l.o.Refused(why)
	}
	http.Error(w, http.StatusText(status), status)
}

func (l *Listener) count(c Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Webhooks += c.Webhooks
	l.counts.Refused += c.Refused
	l.counts.Unread += c.Unread
	for name, n := range c.News {
		l.counts.News[name] += n
	}
}
