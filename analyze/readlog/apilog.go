package readlog

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// apiEvents reads a sender's own record: a request, its answer, or both, found by what keys mean. No form: it is none of these.
func (p *pass) apiEvents(o object) ([]analyze.Event, string) {
	f := collect(o)
	if p.current.logged.at.IsZero() && f.isAnswer() {
		p.current.logged = p.justAsked()
	}
	f.completeBy(p.texts.failing, &p.current)
	key := f.requestKey()
	if key == "" && f.isAnswer() && f.errorCode() != 0 {
		key = p.onlyRequest(p.current.logged.at)
	}
	asked := p.request(key, f.businessNumber(), p.current.logged.at)
	if !f.aboutMessage() && (asked == nil || !f.isAnswer()) {
		return nil, ""
	}
	form := apiForm(o)
	if f.notASend() {
		return nil, form
	}
	if hash := f.get(meansHash); hash != "" && f.recipient() == hash {
		p.note("recipients are masked, so the hash beside them tells them apart; message ids still hold the whole number: mask them too before you share this file")
	}
	e := analyze.Event{Kind: f.kind(), Number: f.businessNumber(), Recipient: f.recipient(), UserID: f.userID, MessageID: f.messageID, Code: f.errorCode(), Reason: f.reason()}
	if f.inbound {
		e.Recipient, e.Number = cmp.Or(bareRecipient(f.get(meansSender)), e.Recipient), cmp.Or(f.get(meansNumber), f.get(meansChannel))
	}
	if e.Recipient == "" && e.UserID == "" {
		e.Recipient = f.get(meansWaID)
	}
	e.WaID = f.get(meansWaID)
	if e.Kind == analyze.Delivered || e.Kind == analyze.Read || e.Kind == analyze.Sent {
		e.Code, e.Reason = 0, ""
	}
	if p.want.Details {
		e.Detail = f.detail()
	}
	if f.isAnswer() {
		p.answered(key, &e)
	} else if e.Kind == analyze.Attempt && key != "" {
		p.pend(key, form, e)
		return nil, form
	}
	return []analyze.Event{e}, form
}

// requestKey is what a request and its answer share: the request's id, or else whom it is for.
func (f *facts) requestKey() string {
	if id := f.get(meansRequest); id != "" {
		return "request " + id
	}
	if to := cmp.Or(bareRecipient(f.recipient()), f.userID, f.get(meansWaID)); to != "" {
		return "to " + strings.TrimPrefix(to, "+")
	}
	return ""
}

// isAnswer says whether a record shows what came of a request, be it that no answer came.
func (f *facts) isAnswer() bool {
	return f.hasStatus || f.word != "" || f.errorCode() != 0 || f.reason() != "" || strings.HasPrefix(f.messageID, "wamid.")
}

// apiForm names the logger that wrote o, by the keys that only it uses together.
func apiForm(o object) string {
	_, levelIsNumber := integer(o["level"])
	_, timeIsText := o["timestamp"].(string)
	switch {
	case levelIsNumber && has(o, "time") && hasAny(o, "pid", "hostname", "msg"):
		return formPino
	case has(o, "ts", "level") && hasAny(o, "caller", "logger", "msg"):
		return formZap
	case has(o, "event", "timestamp") && hasAny(o, "level", "logger"):
		return formStructlog
	case timeIsText && has(o, "level", "message"):
		return formWinston
	}
	return formAPI
}

var (
	graphPath = regexp.MustCompile(`/v\d{1,2}\.\d{1,2}/([^/?#]+)/messages(?:[?#]|$)`)
	anyPath   = regexp.MustCompile(`/v\d{1,2}\.\d{1,2}/`)
)

// aboutMessage says whether a record is about a WhatsApp message that was sent, or tried. A code alone is not: anybody counts from 131056.
func (f *facts) aboutMessage() bool {
	to := f.recipient() != "" || f.userID != "" || f.masked
	signed := f.get(meansNumber) != "" || f.path != "" || f.product == "whatsapp" || strings.HasPrefix(f.messageID, "wamid.")
	said := f.status != 0 || f.hasStatus || f.word != "" || f.asks || f.messageID != "" || f.errorCode() != 0 || f.reason() != ""
	switch {
	case f.path != "":
		return true
	case strings.HasPrefix(f.messageID, "wamid."):
		return true
	case f.product == "whatsapp" && to:
		return true
	case f.errorCode() == pairCode && pairWords.MatchString(f.reason()) && len(phonesIn(f.reason())) == 0: // nobody else says so, even where nobody is named
		return true
	}
	return said && (to && signed || signed && f.errorCode() != 0 || to && f.errorCode() >= platformCodes || to && f.messageID != "" && f.businessNumber() != "")
}

// platformCodes is where the codes begin that no web server and no library has.
const platformCodes = 130000

// notASend says whether a record is about a call that sends nothing: a read mark, a typing sign, a look-up, another endpoint.
func (f *facts) notASend() bool {
	otherPath := f.path == "" && f.otherPath
	return f.readMark || otherPath || f.method != "" && f.method != "POST"
}

// kind is what became of the request. The HTTP status decides only whether there was an answer: its number differs from host to host.
func (f *facts) kind() analyze.Kind {
	switch {
	case f.inbound:
		return analyze.Inbound
	case f.errorCode() != 0:
		return analyze.Refused
	case f.wordKind == analyze.Delivered || f.wordKind == analyze.Read:
		return f.wordKind
	case f.status >= 200 && f.status < 300:
		return analyze.Accepted
	case f.status >= 400 && f.status < 500:
		return analyze.Refused
	case f.hasStatus: // 0, or a server that failed: nobody knows whether the message went out
		return analyze.Attempt
	case f.lostAnswer():
		return analyze.Attempt
	case f.wordKind == analyze.Failed:
		return analyze.Refused
	case f.isStatusLine && f.wordKind == analyze.Sent:
		return analyze.Sent
	case f.wordKind == analyze.Sent || f.wordKind == analyze.Accepted || f.messageID != "":
		return analyze.Accepted
	}
	return analyze.Attempt
}

var lostWords = regexp.MustCompile(`(?i)time?d?[ _-]?out|etimedout|econn|socket hang up|connection (?:reset|refused|closed)|broken pipe|eof|network`)

// lostAnswer says whether the words of an error speak of an answer that never came.
func (f *facts) lostAnswer() bool { return f.messageID == "" && lostWords.MatchString(f.reason()) }

// businessNumber is the sending number's id, or else the one in the path, or else what stands for it.
func (f *facts) businessNumber() string {
	return cmp.Or(f.get(meansNumber), f.path, bareRecipient(f.get(meansSender)), f.get(meansChannel))
}

// recipient is who gets the message: named, or by a hash where the name is masked.
func (f *facts) recipient() string {
	named := cmp.Or(f.get(meansRecipient), f.get(meansContact))
	if named == "" || f.masked && isMasked(named) {
		return cmp.Or(f.get(meansHash), named)
	}
	return named
}

// pairCode is the platform's code for too many messages to one recipient.
const (
	pairCode     = 131056
	pairCodeText = "131056"
)

var (
	hashCode   = regexp.MustCompile(`\(#(\d{1,6})\)`)
	namedCode  = regexp.MustCompile(`(?i)\b(?:error|code|err|erro|código|codigo)\b[^\d\n]{0,12}\b(\d{5,6})\b`)
	leadCode   = regexp.MustCompile(`^\W{0,3}(1[0-9]{5}|13\d{4}|368|80007)\b`)
	pairInText = regexp.MustCompile(`\b131056\b`)
)

// namesCode says whether words that are not all of an error name a code of the platform for sure. A bare number may be the size of an answer.
func namesCode(s string) bool {
	return (hashCode.MatchString(s) || namedCode.MatchString(s) || pairWords.MatchString(s)) && codeInText(s) >= platformCodes
}

// codeInText is the code that the words of an error name, 0 if none. Only words of an error may be given: a customer may write any number.
func codeInText(s string) int {
	if !strings.ContainsAny(s, "0123456789") {
		return 0
	}
	for _, form := range []*regexp.Regexp{hashCode, namedCode, leadCode} {
		if m := form.FindStringSubmatch(s); m != nil {
			code, _ := integer(m[1])
			return code
		}
	}
	if pairInText.MatchString(s) {
		return pairCode
	}
	return 0
}
