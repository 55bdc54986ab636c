package readlog

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/campaign/wire"
)

// shape is a form that sure signs give away.
type shape struct {
	format string
	is     func(object) bool
	read   func(*pass, object) []analyze.Event
}

// shapes are tried in this order, at the outside of a record and, if they are exact enough to be looked for there, anywhere inside.
//
// Providers that write one object a message or a status are rows of another table, resources.
var shapes = []shape{
	{"gupshup-v3", isGupshupV3, (*pass).webhookEvents},
	{formWebhook, isWebhook, (*pass).webhookEvents},
	{formWebhook, isChange, func(p *pass, o object) []analyze.Event { return p.changeEvents(obj(o["value"])) }},
	{formWebhook, isChangeValue, (*pass).changeEvents},
	{formWebhook, isBareStatus, func(p *pass, o object) []analyze.Event { return []analyze.Event{p.status(o, o["contacts"])} }},
	{formOwnLog, isOwnLog, (*pass).ownLog},
	{formJournal, isJournal, (*pass).journal},
	{"gupshup-v2", isGupshup, (*pass).gupshup},
}

// isBareStatus is a status with nothing around it. Without its timestamp it may be anybody's row.
func isBareStatus(o object) bool { return isStatus(o) && has(o, "timestamp") }

// strict recognises a record by sure signs.
func (l layers) strict(r record, o object) bool {
	l.current = r
	for _, s := range shapes {
		if s.is(o) {
			l.texts.flush() // what stands before it in words was said before it
			l.finish(r, s.format, s.read(l.pass, o))
			return true
		}
	}
	if f, root := resourceOf(o); f != nil {
		l.texts.flush()
		l.finish(r, f.format, l.resource(f, root, o))
		return true
	}
	return false
}

// isKnown says whether o has a form that sure signs give away.
func isKnown(o object) bool {
	if slices.ContainsFunc(shapes, func(s shape) bool { return s.is(o) }) {
		return true
	}
	f, _ := resourceOf(o)
	return f != nil
}

// loose recognises a record by what it holds: a known form anywhere inside, a list of records, a request or its answer, or a sentence.
func (l layers) loose(r record, o object, depth int) {
	l.texts.flush()
	r = l.ownClock(r, o)
	whole := obj(expand(o, 0))
	rows := exported(whole)
	if _, timed := l.ownTime(o); !timed && rows != nil {
		l.elements(r, rows, depth)
		return
	}
	if inner := embedded(whole, 0); len(inner) > 0 {
		for _, o := range inner {
			l.strict(r.within(o), o)
		}
		return
	}
	l.current = r
	if events, form := l.apiEvents(whole); form != "" {
		l.finish(l.current, form, events)
		return
	}
	if rows != nil {
		l.elements(r, rows, depth)
		return
	}
	if text := sentence(whole); text != "" {
		r.value, r.text = nil, text
		l.text(r, depth+1)
		return
	}
	l.skip(r.place.Line, notWhatsApp)
}

// listKeys are what exports call the list of their records.
var listKeys = []string{"events", "results", "records", "data", "logs", "entries", "items", "rows", "messages", "payload", "value", "hits"}

// exported is the records of an export that has them in a list, nil if o is no such export.
func exported(o object) []any {
	if hasAny(o, "messaging_product", "contacts") {
		return nil // an answer of the API has a list of messages too
	}
	for _, key := range listKeys {
		if rows := list(o[key]); len(rows) > 0 && obj(rows[0]) != nil {
			return rows
		}
	}
	return nil
}

// sentence is what a record says in words, if that can be about a message: only then is it worth reading as a line of text.
func sentence(o object) string {
	s := first(o, "message", "msg", "log", "line", "event", "text", "@message")
	if strings.Contains(s, "wamid.") || strings.Contains(s, "131056") || strings.Contains(s, "{'object'") {
		return s
	}
	return ""
}

// ownClock reads when and where a record says that it was written.
func (p *pass) ownClock(r record, o object) record {
	var host string
	if s, ok := o["host"].(string); ok {
		host = s
	}
	if st, ok := p.ownTime(o); ok {
		r.logged = st
	} else if r.logged.at.IsZero() {
		r.logged = p.innerTime(o, 0)
	}
	r.host = cmp.Or(first(o, "hostname", "pod", "container"), host, r.host)
	return r
}

// timeKeys are what loggers call their time, the logger's own before the record's other times.
var timeKeys = []string{"time", "timestamp", "@timestamp", "@t", "ts", "at", "datetime", "date", "host_time", "log_time", "logged_at", "event_time", "eventtime",
	"time_local", "time_iso8601", "_time", "t", "dt", "asctime", "created_at", "createdat", "created_on", "created", "sent_at", "sentat", "requested_at", "request_time",
	"start_time", "starttime", "started_at", "received_at", "received", "inserted_at", "updated_at"}

// ownTime is the record's time: a known name, or any other that holds one.
func (p *pass) ownTime(o object) (stamp, bool) {
	for _, key := range timeKeys {
		if st, ok := p.instant(o[key]); ok {
			return st, true
		}
	}
	for _, key := range sortedKeys(o) {
		bare := bareKey(key)
		if !strings.Contains(bare, "time") && !strings.HasSuffix(bare, "at") && !strings.Contains(bare, "date") && !strings.HasSuffix(key, "_ts") && !strings.HasSuffix(key, "Ts") {
			continue
		}
		if _, isText := o[key].(string); !isText && len(str(o[key])) < len("1500000000") {
			continue // a duration, as in responseTime
		}
		if st, ok := p.instant(o[key]); ok {
			return st, true
		}
	}
	return stamp{}, false
}

// innerTime is the time of the message that a record holds, where nothing around it has one.
func (p *pass) innerTime(o object, depth int) stamp {
	const deepest = 3
	for _, key := range nestedKeys(o) {
		inner := obj(o[key])
		if inner == nil || isWritten(key) || depth == deepest {
			continue
		}
		if tellsMessage(inner, "") {
			if st, ok := p.ownTime(inner); ok {
				return st
			}
		}
		if st := p.innerTime(inner, depth+1); !st.at.IsZero() {
			return st
		}
	}
	return stamp{}
}

// instant reads a value of JSON as a time. A JSON number loses the zeros at its end, so its digits say nothing of its resolution.
func (p *pass) instant(v any) (stamp, bool) {
	if v == nil {
		return stamp{}, false
	}
	st, ok := p.clock.read(v)
	if n, isNumber := v.(json.Number); ok && isNumber && strings.Contains(n.String(), ".") {
		st.until = min(st.until, time.Millisecond)
	}
	return st, ok
}

// embedded is every record of a known form inside v. What a customer wrote is no record.
func embedded(v any, depth int) (found []object) {
	switch v := v.(type) {
	case object:
		if depth > 0 && isKnown(v) {
			return []object{v}
		}
		for _, key := range nestedKeys(v) {
			if depth < maxLayers && !isWritten(key) {
				found = append(found, embedded(v[key], depth+1)...)
			}
		}
	case []any:
		for _, e := range v {
			if depth < maxLayers {
				found = append(found, embedded(e, depth+1)...)
			}
		}
	}
	return found
}

// nestedKeys is the keys of o that hold objects or lists, in order.
func nestedKeys(o object) (keys []string) {
	for key, v := range o {
		switch v.(type) {
		case object, []any:
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// isWritten says whether a key holds what people wrote, where anything may stand.
func isWritten(key string) bool { return keyOf(key).written }

// finish completes the events of a record and yields them. It counts those that cannot be used.
func (p *pass) finish(r record, format string, events []analyze.Event) {
	if !p.wanted(format, r.format) {
		p.skip(r.place.Line, notWhatsApp)
		return
	}
	usable := events[:0]
	for _, e := range events {
		e.Place = r.place
		p.placeInTime(&e, r)
		if reason := p.complete(&e); reason != "" {
			p.skip(r.place.Line, reason)
			continue
		}
		e.Detail.Host = cmp.Or(e.Detail.Host, r.host)
		usable = append(usable, e)
	}
	p.give(cmp.Or(r.format, format), usable...)
}

// wanted says whether a record has the form that was asked for.
func (p *pass) wanted(forms ...string) bool {
	want := cmp.Or(sameForm[p.options.Format], p.options.Format)
	return want == "" || want == formMixed || slices.Contains(forms, want)
}

// placeInTime gives an event the time of its record, where it has none of its own.
func (p *pass) placeInTime(e *analyze.Event, r record) {
	switch {
	case e.At.IsZero():
		e.At, e.Until, e.Naive = r.logged.at, r.logged.until, r.logged.naive
	case !r.logged.at.IsZero() && !r.logged.at.Equal(e.At):
		e.Logged = r.logged.at
	}
}

// complete fills the recipient from the message id where nothing else names it, and says why an event cannot be used.
func (p *pass) complete(e *analyze.Event) (reason string) {
	e.Recipient = bareRecipient(e.Recipient)
	if isMasked(e.Recipient) {
		e.Recipient = ""
	}
	if isMasked(e.MessageID) {
		e.MessageID = ""
	}
	if e.WaID == strings.TrimPrefix(e.Recipient, "+") {
		e.WaID = "" // it says nothing new
	}
	if e.Recipient == "" && e.UserID == "" {
		e.Recipient, _ = wire.WamidRecipient(e.MessageID)
	}
	switch {
	case e.Kind == analyze.Other:
		return ""
	case e.At.IsZero():
		return noTime
	case e.Recipient != "" || e.UserID != "" || e.MessageID != "":
		return ""
	case e.Code != 0 && (e.Kind == analyze.Refused || e.Kind == analyze.Failed):
		return "" // told as one that names nobody
	}
	return unusableRecipient
}

// isMasked says whether a recipient hides digits, with stars, with letters in their place, or as a spreadsheet does: such a one stands for several people.
func isMasked(s string) bool {
	if strings.ContainsAny(s, "*•…") {
		return true
	}
	digits := strings.TrimLeft(strings.TrimPrefix(s, "+"), "0123456789.,")
	if len(digits) == len(strings.TrimPrefix(s, "+")) || digits == "" {
		return false
	}
	hidden := strings.TrimRight(digits, "0123456789")
	return len(hidden) >= 2 && strings.Trim(hidden, "xX#") == "" || hidden == "E+" || hidden == "e+"
}

// bareRecipient takes off what channels put before a number, and the marks that people put into it.
func bareRecipient(s string) string {
	s = strings.TrimSpace(s)
	if n := len("whatsapp:"); len(s) >= n && strings.EqualFold(s[:n], "whatsapp:") {
		s = strings.TrimSpace(s[n:])
	}
	if strings.Trim(s, "+0123456789 ()-./\u00a0\u2011") != "" || s == "" {
		return s
	}
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	if strings.HasPrefix(s, "+") {
		return "+" + digits
	}
	return digits
}

// bareKey is a key without what styles put into it: phone_number_id and phoneNumberId are the same.
func bareKey(key string) string { return keyOf(key).bare }

func bareOf(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, key)
}
