package emulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// maxBody is far above the longest message the platform takes.
const maxBody = 1 << 20

var errBodyTooLarge = errors.New("the request body is over 1 MiB")

// serveMessage is a message from arrival to answer, at the platform's own door.
func (e *Emulator) serveMessage(w http.ResponseWriter, r *http.Request, number string) {
	raw, err := readBody(r.Body)
	if id, ok := readMark(raw); ok {
		e.serveReadMark(w, r, number, id)
		return
	}
	e.serveArrival(w, r, arrival{number: number, raw: raw, err: err})
}

// readMark is the id of the message that a body marks as read, which comes to the same path as a message and is none; bots show that they type with it.
func readMark(raw []byte) (id string, ok bool) {
	if !bytes.Contains(raw, []byte(`"status"`)) {
		return "", false // most bodies by far: they need not be read twice
	}
	var body object
	if json.Unmarshal(raw, &body) != nil || body.text("status") != "read" || body["to"] != nil || body["recipient"] != nil {
		return "", false
	}
	return body.text("message_id"), true
}

// serveReadMark answers a mark. It counts against no limit here: what is published counts messages.
func (e *Emulator) serveReadMark(w http.ResponseWriter, r *http.Request, number, id string) {
	refused := e.authorise(r, number)
	if refused == nil && id == "" {
		refused = missing("message_id")
	}
	if refused != nil {
		writeError(w, e.statusOf(refused.code), platformError(refused.code, refused.subcode, refused.details, ""))
		return
	}
	write(w, http.StatusOK, typeJSON, []byte(`{"success":true}`))
}

// arrival is a request for a message in the platform's form, whatever door it came through.
type arrival struct {
	number  string
	raw     []byte
	err     error                                // in reading raw
	refused *refusal                             // by the door, after the token was looked at
	dress   func(status int, body []byte) []byte // how the door gives the platform's JSON; nil as it is
}

// serveArrival is a message from arrival to answer.
func (e *Emulator) serveArrival(w http.ResponseWriter, r *http.Request, a arrival) {
	ctx := r.Context()
	m, body := readMessage(a.number, a.raw)
	refused := e.authorise(r, a.number)
	if refused == nil {
		refused = a.refused
	}
	if refused == nil {
		refused = checkBody(m, body, a.err)
	}
	if refused == nil {
		refused = first(e.approved(m.kind, body), e.foreignMedia(a.number, map[string]any(body)))
	}
	in, out := e.opt.LatencyFn(m.callback)
	wait(ctx, in) // a client that gives up cannot call its bytes back: they are judged all the same
	v := e.judge(m, refused)
	if a.dress != nil && !v.html && v.status != 0 {
		v.body = a.dress(v.status, v.body)
	}
	wait(ctx, out+v.fault.delay)

	gone := ctx.Err() != nil
	// Written before the answer, so that whoever has seen an answer finds it in the journal.
	e.log.write(lineOf(m, v, !gone && v.fault.cut == cutNothing))
	if gone || v.fault.cut == cutAll {
		panic(http.ErrAbortHandler)
	}
	answer(w, v)
}

// answer writes a verdict's body, or half of it before the connection closes.
func answer(w http.ResponseWriter, v verdict) {
	contentType := typeJSON
	if v.html {
		contentType = typeHTML
	}
	if v.status == http.StatusTooManyRequests && v.html {
		w.Header().Set("Retry-After", "5") // what a front end says when it throttles
	}
	if v.fault.cut != cutHalf {
		write(w, v.status, contentType, v.body)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", fmt.Sprint(len(v.body)))
	w.WriteHeader(v.status)
	_, _ = w.Write(v.body[:len(v.body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// authorise says whether the token and the number may send, nil when they may.
func (e *Emulator) authorise(r *http.Request, number string) *refusal {
	if refused := e.token(r); refused != nil {
		return refused
	}
	if !e.exists(number) {
		return new(noObject(number))
	}
	return nil
}

// token says whether a request brings a token that is accepted, nil when it does.
func (e *Emulator) token(r *http.Request) *refusal {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return &refusal{by: byAuth, code: 190, details: "An access token is required: Authorization: Bearer <token>."}
	}
	if len(e.opt.Tokens) > 0 && !slices.Contains(e.opt.Tokens, token) {
		return &refusal{by: byAuth, code: 190, details: "The access token is not valid here."}
	}
	return nil
}

// readBody reads at most maxBody bytes.
func readBody(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if err == nil && len(raw) > maxBody {
		return nil, errBodyTooLarge
	}
	return raw, err
}

// wait sleeps for d or until the client is gone.
func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
