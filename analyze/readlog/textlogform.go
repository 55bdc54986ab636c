package readlog

import (
	"regexp"
	"strings"
)

// The forms of text logs. What a text only stands in front of is named after what was found behind it.
const (
	formLogfmt   = "logfmt"
	formText     = "text-lines"
	formInspect  = "axios-inspect-text"
	formPython   = "python-repr"
	formRails    = "rails"
	formLaravel  = "laravel"
	formProxy    = "egress-proxy"
	formAccess   = "nginx-combined"
	formPrintR   = "php-print-r"
	formLogsTail = "cloudwatch-logs-tail"
)

// The words for logs that are recognised and hold nothing to judge by.
const (
	accessHelp = "this is a web server's access log: the format is recognised, but neither recipients nor error codes are in it. " +
		"Log request and response bodies, or export message statuses (webhooks), and read those instead"
	printRHelp = "this is PHP's print_r or var_dump output, which cannot be read back safely. " +
		"Log the payload with json_encode($payload), or export message statuses (webhooks), and read those instead"
)

// read takes one whole record of text: its head, then what its body shows.
func (t *textLog) read(e entry) {
	h, rest := t.clock.headOf(e.text)
	e.logged = better(e.logged, h.at)
	if e.host == "" {
		e.host = h.host
	}
	if len(h.names) > 0 && logsTailLine.MatchString(e.text) {
		e.format = cmpOr(e.format, formLogsTail)
	}
	if isPrintR(rest) {
		t.cannotJudge(formPrintR, printRHelp)
		t.skip(e.place.Line, notJSON)
		return
	}
	if t.rails = t.rails || strings.Contains(rest, "Parameters: {"); t.rails && strings.Contains(rest, "with arguments:") {
		t.skip(e.place.Line, notWhatsApp) // Rails logs the same payload again when it hands it to a job
		return
	}
	b := bodyOf(rest)
	if e.logged.at.IsZero() {
		e.logged = t.timeIn(b)
	}
	t.form(e, h, b, rest)
}

// form takes what a body shows by its kind: values, a bare request line, pairs, or words.
func (t *textLog) form(e entry, h head, b *body, rest string) {
	words := strings.Join(strings.Fields(b.words.String()), " ")
	switch {
	case len(b.values) > 0, hasObjects(b.pairs):
		t.takeValues(e, h, b, words)
	case b.request.url != "" && namesCode(rest): // an answer that was cut off behind the code
		addMissing(b.pairs, "error", rest)
		t.takeObject(e, b.pairs, h, b, words)
	case b.cut:
		t.skip(e.place.Line, truncated)
	case b.request.method != "" && !tellsMessage(b.pairs, words):
		t.cannotJudge(formAccess, accessHelp)
		t.skip(e.place.Line, notWhatsApp)
	case len(b.pairs) < 4 && t.saysItself(b.pairs, e.text):
		t.say(e, h, strings.Join(strings.Fields(rest), " "))
	case tellsMessage(b.pairs, "") || len(b.pairs) >= 3:
		if !b.posted {
			e.format = cmpOr(e.format, formLogfmt)
		}
		t.takeObject(e, b.pairs, h, b, words)
	default:
		t.say(e, h, words)
	}
}

// saysItself says whether a line with a few pairs reads better as a sentence: it has a verb and a recipient, and no pair names a number or a code.
func (t *textLog) saysItself(pairs map[string]any, text string) bool {
	for k := range pairs {
		if k := bareKey(k); k != "to" && k != "recipient" && k != "wamid" && k != "id" && messageKeys[k] || strings.Contains(k, "error") {
			return false
		}
	}
	_, ok := sayingOf(text)
	return ok && toNumber.find(text) != ""
}

// cmpOr is the first of two names that is set.
func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// takeValues takes the objects of a body, each as a record of its own, or all as one where they are the sides of one exchange.
func (t *textLog) takeValues(e entry, h head, b *body, words string) {
	e.format = cmpOr(e.format, t.formOf(e.text, b))
	whole := b.request.method != "" || hasObjects(b.pairs)
	if len(b.values) == 1 && !whole {
		b.merge()
		e.value, e.text = unrailed(b.values[0]), words
		t.takeWhole(e, h, words)
		return
	}
	if !whole {
		for i, v := range b.values {
			if o, ok := v.(map[string]any); i > 0 && ok && !isEnvelope(o) && !tellsMessage(o, "") {
				continue // a logger's context, behind the record
			}
			r := e.record
			r.value, r.text = unrailed(v), words
			t.take(r)
		}
		return
	}
	for _, v := range b.values {
		side(b.pairs, v)
	}
	t.takeObject(e, b.pairs, h, b, words)
}

// merge puts the pairs that stand beside a body's one object into it. A list, and a webhook, say all by themselves.
func (b *body) merge() {
	o, ok := b.values[0].(map[string]any)
	if !ok || isEnvelope(o) {
		return
	}
	for _, k := range sortedKeys(b.pairs) {
		if _, there := o[k]; !there {
			o[k] = b.pairs[k]
		}
	}
}

// takeWhole takes a record that is one object. A logger's own object gets the words before it as its message.
func (t *textLog) takeWhole(e entry, h head, words string) {
	o, ok := e.value.(map[string]any)
	if ok && !isEnvelope(o) {
		addMissing(o, "to", toNumber.find(words), "recipient", "phone", "config")
		addMissing(o, "phone_number_id", beforeArrow(words), "phoneNumberId", "from", "url", "config")
		addMissing(o, "message_id", wamidIn(words), "wamid", "id", "messages")
		addMissing(o, "msg", words, "message", "event")
		addMissing(o, "level", h.level, "severity")
	}
	t.take(e.record)
}

// takeObject takes pairs and the sides of an exchange as one record.
func (t *textLog) takeObject(e entry, o map[string]any, h head, b *body, words string) {
	addMissing(o, "to", toNumber.find(words), "recipient", "phone")
	if namesCode(words) { // of an answer that was cut off, and is no value any more
		addMissing(o, "error", words, "err", "errors", "response")
	}
	addMissing(o, "msg", words, "message", "event")
	addMissing(o, "level", h.level, "severity", "lvl")
	addMissing(o, "method", b.request.method)
	addMissing(o, "user_agent", b.agent, "ua", "agent", "http_user_agent")
	addMissing(o, "url", b.request.url, "path", "uri")
	addMissing(o, "status", b.request.status, "status_code", "http_status", "statusCode")
	e.value, e.text = o, ""
	t.take(e.record)
}

// addMissing sets a key unless it, or another name for it, is there.
func addMissing(o map[string]any, key, text string, others ...string) {
	if text == "" {
		return
	}
	for _, k := range append(others, key) {
		if _, ok := o[k]; ok {
			return
		}
	}
	o[key] = text
}

// side files a body without a label as the request or the answer of an exchange, by what stands in it.
func side(o map[string]any, v any) {
	key := "request"
	if m, ok := v.(map[string]any); ok {
		_, failed := m["error"]
		_, contacts := m["contacts"]
		_, product := m["type"]
		if failed || contacts || !product && m["messages"] != nil {
			key = "response"
		}
	}
	if _, taken := o[key]; taken {
		key = "payload"
	}
	if _, taken := o[key]; !taken {
		o[key] = v
	}
}

// isEnvelope says whether an object is a webhook, or what stands in one, and not a logger's own record.
func isEnvelope(v any) bool {
	o, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for _, key := range []string{"entry", "statuses", "object", "changes"} {
		if _, ok := o[key]; ok {
			return true
		}
	}
	return false
}

// hasObjects says whether the value of a pair is an object: a request body, or an answer.
func hasObjects(o map[string]any) bool {
	for _, v := range o {
		if holdsObject(v) {
			return true
		}
	}
	return false
}

// messageKeys are keys that only a record about a message has; tellsMessage looks for them without marks and case.
var messageKeys = map[string]bool{
	"to": true, "recipient": true, "recipientid": true, "phone": true, "msisdn": true, "wamid": true, "messageid": true, "waid": true, "phoneid": true, "phonenumberid": true, "chatid": true,
	"destination": true, "mobile": true, "contact": true, "number": true, "wamsgid": true, "errorcode": true,
}

// tellsMessage says whether pairs or words are about a message: one names a recipient or a message.
func tellsMessage(pairs map[string]any, words string) bool {
	for k := range pairs {
		if messageKeys[bareKey(k)] {
			return true
		}
	}
	return strings.Contains(words, "wamid.")
}

// timeIn is the time among pairs, or the one in an answer's headers.
func (t *textLog) timeIn(b *body) stamp {
	if st, ok := t.ownTime(b.pairs); ok {
		return st
	}
	for _, v := range b.values {
		if st, ok := t.clock.read(at(v, "response", "headers", "date")); ok {
			return st
		}
	}
	if m := dateHeader.FindStringSubmatch(b.words.String()); m != nil {
		st, _ := t.clock.read(m[1])
		return st
	}
	return stamp{}
}

// dateHeader is when an answer was made, as its headers say.
var dateHeader = regexp.MustCompile(`(?i)\bdate: ?(\w{3}, ?\d\d \w{3} \d{4} [\d:]{8} GMT)`)

// formOf names a text log by its marks; empty where it is only words before a JSON object.
func (t *textLog) formOf(text string, b *body) string {
	switch {
	case strings.Contains(text, "Parameters: {") || b.dialect == dialectRuby:
		return formRails
	case b.dialect == dialectInspect:
		return formInspect
	case b.dialect == dialectPython:
		return formPython
	case b.request.method != "":
		return formProxy
	case laravelLine.MatchString(text):
		return formLaravel
	case len(b.values) == 0 && len(b.pairs) > 1:
		return formLogfmt
	}
	return ""
}

var (
	laravelLine  = regexp.MustCompile(`^\[\d{4}-\d\d-\d\d[ T][^\]]{8,30}\] [\w-]+\.[A-Z]+: `)
	logsTailLine = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00 \S*[/\[\]-]\S* `)
	printR       = regexp.MustCompile(`(?m)^\s*(Array|\w+ Object)\s*$|\[\w+(:\w+)*\] =>|\["\w+"\]\s*=>|^\s*(array|object)\(.*\)\s*(#\d+ )?\(?\d*\)?\s*\{?$`)
)

// isPrintR says whether a text is PHP's way of printing a value for people.
func isPrintR(s string) bool {
	return (strings.Contains(s, "=>") || strings.Contains(s, "Array") || strings.Contains(s, "Object") || strings.Contains(s, "array(") || strings.Contains(s, "object(")) && !strings.Contains(s, `"=>`) && printR.MatchString(s)
}

// isRailsLine says whether an indented line is one of Rails' own, which belong to no line before them.
func isRailsLine(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return strings.HasPrefix(s, "Parameters: {")
}

// unrailed takes out the copy of a payload that Rails adds under the name of its controller: each message counts once.
func unrailed(v any) any {
	o, ok := v.(map[string]any)
	if !ok || o["entry"] == nil {
		return v
	}
	for k, inner := range o {
		if m, ok := inner.(map[string]any); ok && m["entry"] != nil {
			delete(o, k)
		}
	}
	return o
}
