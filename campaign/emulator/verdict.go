package emulator

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign/wire"
)

// The reasons for a refusal, as journal and ledger name them.
const (
	byAuth       = "auth"
	byBody       = "body"
	byFault      = "fault"
	byHold       = "hold"
	byThroughput = "throughput"
	byMessaging  = "messaging"
	byPair       = "pair"
)

var reasons = []string{byAuth, byBody, byFault, byHold, byThroughput, byMessaging, byPair}

// refusal is why a message is not accepted, with the platform's code for it.
type refusal struct {
	by      string
	code    int
	subcode int
	details string
}

// verdict is what became of a message. Instants are Unix milliseconds, 0 for none.
type verdict struct {
	at        int64
	by        string // reason of a refusal, empty when accepted
	code      int
	status    int // 0 when the connection closes before any verdict
	messageID string
	clearAt   int64
	html      bool // the body is a page, not the platform's JSON
	body      []byte
	fault     effect
}

// judge gives the verdict on a message that arrives now, and counts it. refused is what was found wrong before, nil for nothing.
func (e *Emulator) judge(m message, refused *refusal) verdict {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := verdict{at: e.now()}
	e.state.sweep(v.at, e.pairRule())
	e.serial++
	trace := e.trace(v.at)
	e.state.arrivals++

	if refused == nil {
		if f := e.fault(m); f != nil {
			v.fault = *f
			refused = e.struck(m, v.fault, v.at)
		}
	}
	if refused == nil {
		refused = e.limits(m, v.at)
	}
	if refused != nil {
		return e.refuse(m, v, *refused, trace)
	}
	return e.accept(m, v)
}

func (e *Emulator) pairRule() pairRule { return newPairRule(e.opt.PairModel, e.opt.PairInterval) }

// now is the instant of a verdict, cut to whole milliseconds. It never goes back.
func (e *Emulator) now() int64 {
	if e.opt.Now != nil {
		e.state.latest = max(e.state.latest, e.opt.Now().UnixMilli())
		return e.state.latest
	}
	if e.epoch.IsZero() {
		e.epoch = time.Now()
	}
	// Counted from the first request by the monotonic clock: like a server elsewhere, it does not see this machine's clock being set.
	e.state.latest = max(e.state.latest, e.epoch.Add(time.Since(e.epoch)).UnixMilli())
	return e.state.latest
}

// fault is the fault that strikes this arrival, nil for none.
func (e *Emulator) fault(m message) *effect {
	if m.callback == "" {
		return strike(e.faults, e.opt.Seed, "", e.state.arrivals)
	}
	k := m.key()
	p := e.state.messages[k]
	p.attempts++
	e.state.messages[k] = p
	return strike(e.faults, e.opt.Seed, m.callback, uint64(p.attempts))
}

// struck is the refusal that a fault brings, nil where it strikes after the verdict only.
func (e *Emulator) struck(m message, f effect, t int64) *refusal {
	switch {
	case !f.before:
		return nil
	case f.hold:
		if e.state.holds[m.number] <= t {
			e.state.holds[m.number] = t + holdFor.Milliseconds()
		}
		return &refusal{by: byHold, code: 131057, details: holdDetails}
	}
	return &refusal{by: byFault, code: f.code, details: "A fault that the emulator was told to make."}
}

const holdDetails = "Business Account is in maintenance mode; a throughput upgrade takes up to a minute."

// limits is the first limit that has no room at t, nil when all have.
func (e *Emulator) limits(m message, t int64) *refusal {
	s := &e.state
	if s.holds[m.number] > t {
		return &refusal{by: byHold, code: 131057, details: holdDetails}
	}
	s.seconds[m.number] = s.seconds[m.number].passed(t)
	if len(s.seconds[m.number]) >= e.opt.MPS {
		return &refusal{by: byThroughput, code: 130429,
			details: fmt.Sprintf("Cloud API message throughput has been reached: %d messages in the last second.", e.opt.MPS)}
	}
	if e.opt.Tier > 0 && s.audience.full(m.recipient, t, e.opt.Tier) {
		return &refusal{by: byMessaging, code: e.opt.TierCode,
			details: fmt.Sprintf("The messaging limit of %d recipients in 24 hours is used up.", e.opt.Tier)}
	}
	if !e.pairRule().allows(s.pairs[m.pair()], t) {
		return &refusal{by: byPair, code: 131056,
			details: "Too many messages sent from the sender phone number to the same recipient phone number in a short period of time."}
	}
	return nil
}

func (e *Emulator) refuse(m message, v verdict, r refusal, trace string) verdict {
	e.state.refused[r.by]++
	v.by, v.code = r.by, r.code
	switch {
	case r.by == byPair:
		v.clearAt = e.pairRule().clearAt(e.state.pairs[m.pair()])
	case r.by == byFault && v.fault.cut == cutAll:
		return v
	case r.by == byFault && v.fault.status != 0:
		v.status, v.html = v.fault.status, true
		v.body = page(v.status)
		return v
	}
	v.status = e.statusOf(v.code)
	v.body = platformError(v.code, r.subcode, r.details, trace)
	return v
}

func (e *Emulator) accept(m message, v verdict) verdict {
	s, rule := &e.state, e.pairRule()
	s.accepted++
	s.seconds[m.number] = append(s.seconds[m.number], v.at)
	if e.opt.Tier > 0 {
		s.audience.add(m.recipient, v.at)
	}
	s.pairs[m.pair()] = rule.add(s.pairs[m.pair()], v.at)
	v.clearAt = rule.clearAt(s.pairs[m.pair()])
	v.messageID = wire.NewWamid(strings.TrimPrefix(m.recipient, "+"), e.unique(v.at))
	v.status = http.StatusOK
	v.body = marshal(e.response(m, v.messageID))
	var fails time.Duration
	if e.opt.Courier != nil {
		fails = e.opt.Courier.accepted(e.opt.Account.id(), m, v.messageID, v.fault)
	}
	e.count(m, v.at, fails)
	return v
}

// count notes that a message was accepted, once more perhaps. One that failed by a status before may come again; fails is after how long this one
// will, 0 for never.
func (e *Emulator) count(m message, t int64, fails time.Duration) {
	if m.callback == "" {
		return
	}
	p := e.state.messages[m.key()]
	if p.failsAt != 0 && t >= p.failsAt {
		p.accepted--
	}
	if p.failsAt = 0; p.accepted > 0 {
		e.state.acceptedTwice++
	}
	p.accepted++
	if fails > 0 {
		p.failsAt = t + fails.Milliseconds()
	}
	e.state.messages[m.key()] = p
}

// response is the platform's answer to an accepted message.
func (e *Emulator) response(m message, id string) wire.Response {
	sent := wire.Sent{ID: id}
	if m.kind == "template" && e.opt.MessageStatus != "none" {
		sent.Status = e.opt.MessageStatus
	}
	return wire.Response{
		MessagingProduct: "whatsapp",
		Contacts:         []wire.Contact{{Input: m.input, WaID: m.waID, UserID: m.userID}},
		Messages:         []wire.Sent{sent},
	}
}

// unique is 16 bytes that no other message gets: a serial number within a run, the instant across runs, hashed.
func (e *Emulator) unique(at int64) []byte {
	b := binary.BigEndian.AppendUint64(nil, e.opt.Seed)
	b = binary.BigEndian.AppendUint64(b, e.serial)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(at)))
	return sum[:16]
}

// trace is a request's fbtrace_id.
func (e *Emulator) trace(at int64) string {
	return "A" + base64.RawURLEncoding.EncodeToString(e.unique(at))
}

// page is a body as a proxy or an overloaded front end writes it.
func page(status int) []byte {
	title := http.StatusText(status)
	if status == http.StatusOK {
		title = "Sign in to continue"
	}
	return fmt.Appendf(nil, "<!DOCTYPE html>\n<html><head><title>%s</title></head><body><h1>%[1]s</h1></body></html>\n", title)
}
