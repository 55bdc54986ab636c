package readlog

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/campaign/wire"
	"github.com/wactl/wactl/normalize/lines"
)

// cell is what a row says in the column of a role; empty where there is no such column.
func (t *table) cell(r lines.Record, role string) string {
	i, ok := t.cols[role]
	if !ok || i >= len(r.Fields) {
		return ""
	}
	return unwrapCell(r.Fields[i])
}

// number is a cell that holds a number or an id: a workbook may display fewer digits of it than it stores.
func (t *table) number(r lines.Record, role string) string {
	i, ok := t.cols[role]
	if !ok || i >= len(r.Fields) {
		return ""
	}
	text, rule := r.Number(i)
	if rule != "" {
		text = r.Fields[i]
	}
	return unwrapCell(text)
}

// empties are cells that say that there is nothing.
var empties = map[string]bool{"-": true, "--": true, "n/a": true, "na": true, "null": true, "nil": true, "none": true, "undefined": true, `\n`: true, "nan": true, "—": true, "(null)": true, "#n/a": true}

// unwrapCell takes off what spreadsheets put around a value to keep it text.
func unwrapCell(s string) string {
	s = strings.Trim(s, " \t\r\n\u00a0\u202f\ufeff\u200e\u200f\u202a\u202c")
	if inner, ok := strings.CutPrefix(s, `="`); ok && strings.HasSuffix(inner, `"`) {
		s = strings.TrimSuffix(inner, `"`)
	}
	s = strings.TrimPrefix(s, "'")
	if empties[strings.ToLower(s)] {
		return ""
	}
	return s
}

// row takes one row: a record of its own, or the events of one message.
func (t *table) row(r lines.Record) {
	if len(r.Fields) > len(t.header) && strings.TrimSpace(strings.Join(r.Fields[len(t.header):], "")) != "" {
		t.skip(r.Line+t.above, badRow)
		return
	}
	if t.cols.has(roleRecord) && t.inner(r) {
		return
	}
	if !t.cols.tell() {
		t.skip(r.Line+t.above, notJSON)
		return
	}
	m := t.message(r)
	switch {
	case m.way == "other", m.kind == analyze.Other && m.code == 0:
		t.give(t.format())
	case len(m.times) == 0:
		t.skip(r.Line+t.above, noTime)
	case m.base.Recipient == "" && m.base.UserID == "" && (m.damaged || m.base.MessageID == ""):
		if m.code == 0 {
			t.skip(r.Line+t.above, unusableRecipient)
			return
		}
		t.give(t.format(), m.events()...)
	default:
		t.give(t.format(), m.events()...)
	}
}

// inner hands the record in a cell on, with the row's time and host.
func (t *table) inner(r lines.Record) bool {
	text := t.cell(r, roleRecord)
	if text == "" {
		return false
	}
	if t.cols.tell() && !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return false
	}
	inner := record{place: t.place(r.Line + t.above), host: t.cell(r, roleHost), text: text}
	if t.preset != nil {
		inner.format = t.preset.format
	}
	inner.logged, _ = t.time(r, roleAt)
	return t.take(inner) || true
}

// utcHeader is a header that says that its times are UTC.
var utcHeader = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:utc|gmt)(?:$|[^a-z0-9+-])`)

// time is the instant in a column, on the table's clock.
func (t *table) time(r lines.Record, role string) (stamp, bool) {
	i, ok := t.cols[role]
	if !ok || i >= len(r.Fields) {
		return stamp{}, false
	}
	text := unwrapCell(r.Fields[i])
	if day := r.Date(i); day != "" {
		text = day // what the cell displays may lack the seconds
	}
	if role == roleAt && t.hours > 0 && t.hours <= len(r.Fields) {
		text += " " + unwrapCell(r.Fields[t.hours-1])
	}
	clock, utc := t.times, t.preset != nil && t.preset.utc
	if !utc && t.inUTC[i] {
		clock, utc = t.clock.utc(), true
	}
	clock.serials = true
	st, ok := clock.read(text)
	clock.serials = false
	st.naive = st.naive && !utc
	return st, ok
}

// message is what one row says of one message.
type message struct {
	base    analyze.Event // what all of its events share
	times   map[string]stamp
	kind    analyze.Kind
	way     string // in, out or other
	code    int
	reason  string
	damaged bool // the recipient was there and cannot be read
	isEvent bool // the row is one event of a message, and not all that is known of it
}

// message reads a row.
func (t *table) message(r lines.Record) *message {
	m := &message{times: map[string]stamp{}, isEvent: t.events}
	m.base.Place = t.place(r.Line + t.above)
	m.base.MessageID = t.number(r, roleID)
	m.base.UserID = t.cell(r, roleUser)
	if t.preset != nil && m.base.UserID != "" {
		m.base.UserID = t.preset.user + m.base.UserID
	}
	m.base.Number, _ = party(t.number(r, roleFrom))
	if t.preset != nil && m.base.Number != "" {
		m.base.Number = t.preset.number + m.base.Number
	}
	var ok bool
	if m.base.Recipient, ok = party(t.number(r, roleRecipient)); !ok {
		m.damaged, m.base.Recipient = true, ""
	}
	for _, role := range timeRoles {
		if st, ok := t.time(r, role); ok {
			m.times[role] = st
		}
	}
	m.way = t.way(t.cell(r, roleDirection))
	if m.way == "in" {
		t.turn(m)
	} else {
		m.code, m.reason = t.failure(r)
		m.kind = t.kind(r, m)
	}
	if m.base.Recipient == "" && !m.damaged {
		m.base.Recipient, _ = wire.WamidRecipient(m.base.MessageID)
	}
	if t.want.Details {
		t.details(r, m)
	}
	return m
}

// turn makes an inbound message of a row: its recipient is the business, unless the column always names the user.
func (t *table) turn(m *message) {
	m.kind = analyze.Inbound
	contact := t.preset != nil && t.preset.contact
	if !contact && m.base.Number != "" && m.base.Recipient != "" && toHeaders[foldHeader(t.header[t.cols[roleRecipient]])] {
		m.base.Number, m.base.Recipient = m.base.Recipient, m.base.Number
	}
}

// toHeaders are headers of the recipient's column that name the far end of a message, not the user.
var toHeaders = map[string]bool{"to": true, "tonumber": true, "destination": true, "para": true, "destinatario": true, "destinataire": true, "empfanger": true, "an": true, "recipient": true, "receiver": true, "destino": true}

// way is which way a row's message went: in, out, or other for what is no message.
func (t *table) way(direction string) string {
	f := foldHeader(direction)
	if w, ok := t.ways[f]; ok {
		return w
	}
	return cmp.Or(directionWords[f], "out")
}

// failure is a row's error code, and the words about it. A success has neither.
func (t *table) failure(r lines.Record) (code int, reason string) {
	reason = t.reasonText(t.cell(r, roleReason))
	if n, ok := integer(t.number(r, roleCode)); ok && n > 0 && n != 200 {
		t.coded = true
		return n, reason
	}
	if n := codeInText(t.cell(r, roleCode)); n > 0 && n != 200 {
		return n, reason
	}
	return codeInCell(reason), reason
}

// codeInCell is the code in a reason, which may be nothing else: "131056", "131056: …", "131056 - …", "(#131056) …".
func codeInCell(reason string) int {
	n := digits(reason)
	rest := strings.TrimLeft(reason[n:], " ")
	alone := rest == "" || strings.IndexByte(":|)", rest[0]) >= 0
	if n >= 3 && n <= 6 && (alone || n >= 5 && (rest[0] < '0' || rest[0] > '9') && (rest[0] != '-' || len(rest) < len(reason)-n)) {
		code, _ := strconv.Atoi(reason[:n])
		return code
	}
	return codeInText(reason)
}

// reasonText is what a reason says; some are JSON around it.
func (t *table) reasonText(cell string) string {
	if !strings.HasPrefix(cell, "{") && !strings.HasPrefix(cell, "[") && !strings.HasPrefix(cell, `"{`) {
		return cell
	}
	v, _, _, ok, _ := literalAt(cell)
	if s, again := v.(string); again {
		v, _, _, ok, _ = literalAt(s)
	}
	if !ok {
		return cell
	}
	if l := list(v); len(l) > 0 {
		v = l[0]
	}
	o := obj(v)
	if s := str(o["external_error"]); s != "" {
		return s
	}
	code, reason := failureOf(object{"error": o})
	if code == 0 {
		code, reason = failureOf(o)
	}
	if code == 0 { // wrapped once more, as providers do
		f := collect(object{"error": o})
		code, reason = f.errorCode(), cmp.Or(reason, f.reason())
	}
	if code == 0 {
		return reason
	}
	return strings.TrimSpace(strconv.Itoa(code) + ": " + reason)
}

// kind is what became of a row's message. An error code decides, whatever the status says.
func (t *table) kind(r lines.Record, m *message) analyze.Kind {
	status := t.cell(r, roleStatus)
	word := t.statusWord(status)
	kind, known := word.kind, word.known
	http, _ := integer(t.cell(r, roleHTTP))
	switch {
	case m.code > 0:
		return analyze.Failed
	case word.other:
		return analyze.Other
	case known:
		return kind
	case status != "":
		if n, ok := integer(status); ok && n >= 200 && n < 600 {
			return httpKind(n)
		}
		t.ignored[status] = true
		return analyze.Attempt
	case http > 0:
		return httpKind(http)
	case len(m.times) > 0 && m.times[roleFailed] != stamp{}:
		return analyze.Failed
	case m.times[roleRead] != stamp{}:
		return analyze.Read
	case m.times[roleDelivered] != stamp{}:
		return analyze.Delivered
	case m.times[roleSent] != stamp{}:
		return analyze.Sent
	case m.base.MessageID != "" && (t.cols.has(roleCode) || t.cols.has(roleReason)):
		return analyze.Accepted
	case t.cols.has(roleCode):
		return analyze.Accepted // the code's column is empty: no error
	}
	return analyze.Attempt
}

// said is what a status says.
type said struct {
	kind         analyze.Kind
	known, other bool
}

// statusWord is what a status says. A table has few, and many rows.
func (t *table) statusWord(status string) said {
	const most = 1000 // a column of other things has as many as rows
	w, seen := t.said[status]
	if !seen {
		own := t.states[foldHeader(status)]
		w.kind, w.known = statusOf(cmp.Or(own, status))
		w.other = own == "other"
		if len(t.said) < most {
			t.said[status] = w
		}
	}
	return w
}

// httpKind is what the status of an answer says: taken, or refused for a reason that the row does not give.
func httpKind(status int) analyze.Kind {
	switch {
	case status < 300:
		return analyze.Accepted
	case status >= 400 && status < 500:
		return analyze.Failed
	}
	return analyze.Attempt
}

// details fills what patterns and people need.
func (t *table) details(r lines.Record, m *message) {
	m.base.Detail = analyze.Detail{
		Client: t.cell(r, roleClient), Campaign: t.cell(r, roleCampaign), Row: t.cell(r, roleRow), Job: t.cell(r, roleJob),
		Template: t.cell(r, roleTemplate), Category: t.cell(r, roleCategory), Text: t.cell(r, roleText), Host: t.cell(r, roleHost),
	}
	if m.base.Detail.Row == "" && m.base.Detail.Campaign != "" {
		m.base.Detail.Row = strconv.Itoa(r.Line + t.above)
	}
}

// party is a number or id as a table writes it, without the prefix of its channel; false: a spreadsheet destroyed it.
func party(s string) (string, bool) {
	for _, prefix := range []string{"whatsapp:", "tel:", "wa:", "phone:"} {
		if len(s) > len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
			s = strings.TrimSpace(s[len(prefix):])
		}
	}
	if strings.Trim(s, "+0123456789") == "" {
		return s, true
	}
	if n, bad := scientific(s); bad || n != "" {
		return n, !bad
	}
	s = strings.TrimSuffix(s, ".0")
	if strings.Trim(s, "+0123456789 ().-/\u00a0\u2011\u202f") == "" && len(s) <= 30 {
		plus := strings.HasPrefix(s, "+")
		s = strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s)
		if plus {
			s = "+" + s
		}
	}
	return s, true
}

// scientific reads a number that a spreadsheet wrote with an exponent, if all its digits are there; bad: some are lost.
func scientific(s string) (number string, bad bool) {
	s = strings.TrimPrefix(s, "+")
	whole := digits(s)
	if whole != 1 {
		return "", false
	}
	rest, frac := s[1:], ""
	if rest != "" && (rest[0] == '.' || rest[0] == ',') {
		n := digits(rest[1:])
		frac, rest = rest[1:1+n], rest[1+n:]
	}
	exponent, n := exponentAt(rest)
	if n == 0 || n != len(rest) || exponent < 5 {
		return "", false
	}
	digit, more, ok := shift(s[:1], frac, exponent)
	if !ok || strings.Trim(more, "0") != "" {
		return "", true
	}
	return digit, false
}
