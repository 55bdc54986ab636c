package readlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// resource is how a provider writes one message, or one status of it, as data: where each meaning stands.
//
// A way is keys with dots between them; of several the first that holds something counts.
type resource struct {
	format string
	inside string     // key of the message within what is posted; empty: the object itself
	signs  [][]string // of each group one way must be there

	number, recipient, userID, waID, id, status, code, reason []string

	sent    []string                // when the message was accepted or sent: the time of its event whatever its status became since
	changed []string                // when its status came, where nothing says when it was sent
	words   map[string]analyze.Kind // status words of its own

	direction []string // holds a word of inboundWords, or of inbound, where the user wrote
	inbound   []string
	outbound  []string // true where the business wrote, whatever direction says
	hidden    []string // true where it is no message at all, but a note
	activity  []string // words of direction that say so
	userWrote bool     // nothing but what users wrote has this form
	sender    []string // who wrote, of such a message
	utc       bool     // times without a zone are UTC

	text, template, campaign, category []string
}

// root is the message in o, nil if o has another form.
func (f *resource) root(o object) object {
	if f.inside != "" {
		o = obj(o[f.inside])
	}
	if o == nil {
		return nil
	}
	for _, group := range f.signs {
		if !slices.ContainsFunc(group, func(way string) bool { return along(o, way) != nil }) {
			return nil
		}
	}
	return o
}

// along follows a way.
func along(o object, way string) any {
	key, rest, further := strings.Cut(way, ".")
	if !further {
		return o[key]
	}
	return at(o[key], strings.Split(rest, ".")...)
}

// pick is the text of the first way that has one.
func pick(o object, ways []string) string {
	for _, way := range ways {
		if s := strings.TrimSpace(str(along(o, way))); s != "" {
			return s
		}
	}
	return ""
}

// inboundWords say that the user wrote.
var inboundWords = map[string]bool{"inbound": true, "incoming": true, "in": true, "received": true, "receiving": true, "mo": true, "from_user": true}

// resourceKinds are providers' words for what became of a message, beside the platform's own.
var resourceKinds = map[string]analyze.Kind{
	"submitted": analyze.Sent, "sending": analyze.Accepted, "scheduled": analyze.Accepted, "pending": analyze.Accepted, "processing": analyze.Accepted,
	"success": analyze.Accepted, "created": analyze.Accepted, "dispatched": analyze.Sent, "replied": analyze.Read, "marked as read": analyze.Read, "seen": analyze.Read,
	"rejected": analyze.Failed, "undeliverable": analyze.Failed, "expired": analyze.Failed, "sending_failed": analyze.Failed, "delivery_failed": analyze.Failed,
	"not_sent": analyze.Failed, "delivered_to_handset": analyze.Delivered,
}

// kindOfWord is what a status word says. "TemplateMessageFailed" and "message.failed" say it in their last word.
func kindOfWord(word string) (analyze.Kind, bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	if kind, ok := statusKinds[word]; ok {
		return kind, true
	}
	kind, ok := resourceKinds[word]
	return kind, ok
}

// resource reads one message as its form says. Outer is what was posted, which may have the only time.
func (p *pass) resource(f *resource, o, outer object) []analyze.Event {
	e := analyze.Event{Number: bareRecipient(pick(o, f.number)), MessageID: pick(o, f.id), UserID: pick(o, f.userID), WaID: pick(o, f.waID)}
	if f.isTrue(o, f.hidden) || slices.Contains(f.activity, pick(o, f.direction)) {
		return nil
	}
	if f.isInbound(o) {
		e.Kind, e.Recipient = analyze.Inbound, pick(o, f.sender)
		if to := bareRecipient(pick(o, f.recipient)); e.Number == "" || e.Number == bareRecipient(e.Recipient) {
			e.Number = to // who is named first is the user here
		}
		p.firstTime(&e, f, o, outer, slices.Concat(f.changed, f.sent))
		return []analyze.Event{p.detailed(e, f, o)}
	}
	p.fate(&e, f, o)
	if p.firstTime(&e, f, o, outer, f.sent) {
		if e.Kind == analyze.Delivered || e.Kind == analyze.Read {
			e.Kind = analyze.Sent // it was sent then, whatever became of it since
		}
	} else {
		p.firstTime(&e, f, o, outer, f.changed)
	}
	return []analyze.Event{p.detailed(e, f, o)}
}

// isTrue says whether one of the ways holds true.
func (f *resource) isTrue(o object, ways []string) bool {
	return slices.ContainsFunc(ways, func(way string) bool { return along(o, way) == true })
}

// isInbound says whether the user wrote.
func (f *resource) isInbound(o object) bool {
	word := strings.ToLower(pick(o, f.direction))
	return f.userWrote || !f.isTrue(o, f.outbound) && (inboundWords[word] || slices.Contains(f.inbound, word))
}

// fate is what became of a message that the business sent.
func (p *pass) fate(e *analyze.Event, f *resource, o object) {
	word := pick(o, f.status)
	kind, ok := f.words[word]
	if !ok {
		kind, _ = kindOfWord(word)
	}
	e.Kind = kind
	e.Recipient = pick(o, f.recipient)
	e.Reason = pick(o, f.reason)
	for _, way := range f.code {
		if code, ok := integer(along(o, way)); ok && code > 0 && e.Code == 0 {
			e.Code = code
		}
	}
	if named := codeInText(e.Reason); named == pairCode || e.Code == 0 && e.Kind != analyze.Delivered && e.Kind != analyze.Read {
		e.Code = cmp.Or(named, e.Code)
	}
	if e.Code != 0 {
		e.Kind = analyze.Failed
	}
	if e.Kind != analyze.Failed {
		e.Reason = "" // "No error" is none
	}
}

// firstTime gives an event the first instant that the ways have, in the message or around it.
func (p *pass) firstTime(e *analyze.Event, f *resource, o, outer object, ways []string) bool {
	clock := p.clock
	if f.utc {
		clock = clock.utc()
	}
	for _, way := range ways {
		for _, where := range []object{o, outer} {
			if st, ok := clock.read(along(where, way)); ok && along(where, way) != nil {
				e.At, e.Until, e.Naive = st.at, st.until, st.naive && !f.utc
				return true
			}
		}
	}
	return false
}

func (p *pass) detailed(e analyze.Event, f *resource, o object) analyze.Event {
	if p.want.Details {
		e.Detail.Text, e.Detail.Template = pick(o, f.text), pick(o, f.template)
		e.Detail.Campaign, e.Detail.Category = pick(o, f.campaign), strings.ToLower(pick(o, f.category))
	}
	return e
}
