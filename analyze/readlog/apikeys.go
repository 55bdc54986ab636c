package readlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// exchangeKey takes what a key says of the call itself.
func (f *facts) exchangeKey(key, s string, v any) {
	switch key {
	case "url", "path", "uri", "requesturi", "endpoint", "requestpath", "target", "href", "originalurl":
		if m := graphPath.FindStringSubmatch(s); m != nil {
			f.path = m[1]
		} else if anyPath.MatchString(s) && strings.Contains(s, "/") && key != "href" {
			f.otherPath = true
		}
	case "request", "requestline":
		if m := requestLine.FindStringSubmatch(s + " HTTP/"); m != nil {
			f.exchangeKey("method", m[1], v)
			f.exchangeKey("url", m[2], v)
		}
	case "method", "requestmethod", "httpmethod", "verb":
		f.method = strings.ToUpper(s)
	case "messagingproduct":
		f.product = s
	case "typingindicator":
		f.readMark = f.readMark || v != nil
	}
}

// idKey takes ids of messages and users. What a message answers has an id too.
func (f *facts) idKey(at spot, k *keyName, s string) {
	key, inContext, isWamid := k.bare, at.is(wayContext), strings.HasPrefix(s, "wamid.")
	switch {
	case isWamid && (inContext || k.ranked && k.rank.meaning == meansInReply):
		f.set(rank{meaning: meansInReply}, at.depth, s)
	case isWamid && !strings.HasPrefix(f.messageID, "wamid."):
		f.messageID = s
	case f.messageID == "" && (key == "messageid" || key == "msgid" || key == "wamid" || key == "whatsappmessageid") && s != "" && !inContext:
		f.messageID = s
	}
	if (key == "userid" || key == "recipientuserid" || key == "bsuid") && bsuid.MatchString(s) {
		f.userID = s
	}
}

// codeRanks are keys that hold a platform code wherever they stand, the surest first.
var codeRanks = []string{"metaerrorcode", "metacode", "graphcode", "whatsappcode", "whatsapperrorcode", "waerrorcode", "errorcode", "errcode", "extcode", "failedcode", "code"}

// errorWays are what the object is called in which a bare "code" is an error's.
var errorWays = []string{"error", "errors", "err", "meta", "exception", "cause", "failure", "graph", "fault", "reason"}

func codeRank(bare string) int    { return slices.Index(codeRanks, bare) }
func isErrorWay(bare string) bool { return slices.Contains(errorWays, bare) }

// errorKey takes codes and words of errors.
func (f *facts) errorKey(at spot, k *keyName, s string) {
	key, within := k.bare, at.is(wayError)
	if key == "errorsubcode" && s == pairCodeText {
		f.subcode = pairCode
	}
	if i := k.code; i >= 0 {
		if code, ok := integer(s); ok && code > 0 && (key != "code" || within || code >= platformCodes || at.depth == 0) {
			if !within {
				i += len(codeRanks)
			}
			f.codes = append(f.codes, codeAt{code, i})
		}
	}
	switch key {
	case "error", "err", "errormessage", "errormsg", "errmsg", "reason", "exception", "failurereason", "failreason", "errordetails", "faileddetail", "motivo", "erro", "cause":
		f.say(s)
	case "message", "title", "details", "description", "detail", "msg":
		if within {
			f.say(s)
		}
	case "level", "severity", "lvl", "loglevel":
		switch strings.ToLower(s) {
		case "error", "err", "warn", "warning", "fatal", "critical", "40", "50", "60":
			f.loud = true
		}
	}
}

func (f *facts) say(s string) {
	if s != "" {
		f.reasons = append(f.reasons, s)
	}
}

// fateKey takes what became of a request: the HTTP status, a word, a direction.
func (f *facts) fateKey(depth int, key, s string, v any) {
	switch key {
	case "status", "statuscode", "httpstatus", "httpstatuscode", "httpcode", "responsestatus", "responsecode", "responsestatuscode", "upstreamstatus", "resstatus":
		f.statusKey(depth, key, s, v)
	case "state", "result", "outcome", "deliverystatus", "messagestatus", "sendstatus":
		f.wordKey(s)
	case "event", "msg", "message", "action", "type", "kind", "name":
		if depth == 0 {
			f.eventWords(s)
			f.sentences = append(f.sentences, s)
		}
	case "direction", "dir":
		f.inbound = f.inbound || inboundWords[strings.ToLower(s)]
	case "success", "ok":
		if v == true {
			f.wordKey("success")
		} else if v == false {
			f.wordKey("failed")
		}
	}
}

func (f *facts) statusKey(depth int, key, s string, v any) {
	if code, ok := integer(strings.SplitN(s+" ", " ", 2)[0]); ok {
		if code >= 0 && code < 600 && !f.hasStatus {
			f.status, f.hasStatus = code, true
		}
		return
	}
	if key == "status" && s == "read" && depth > 0 {
		f.readMark = true // the request that marks a user's message as read
		return
	}
	if v == nil && key != "status" {
		return
	}
	f.wordKey(s)
}

func (f *facts) wordKey(s string) {
	if kind, ok := kindOfWord(s); ok {
		f.word, f.wordKind = s, kind
	}
}

// eventWords finds what happened in an event's name or a short sentence: "wa.sent", "send ok", "message failed".
func (f *facts) eventWords(s string) {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' })
	for _, w := range words {
		switch w {
		case "status", "webhook", "callback", "dlr":
			f.isStatusLine = true
		case "sending", "request", "requesting", "attempt", "attempting", "trying", "posting", "calling", "dispatching":
			f.asks = true
		case "inbound", "incoming", "received":
			f.inbound = f.inbound || len(words) <= 4
		}
	}
	again := func(w string) bool { return strings.HasPrefix(w, "retr") }
	if f.word != "" || len(words) > 8 || slices.ContainsFunc(words, again) { // "will retry after error 131056" tells of another message
		return
	}
	for _, w := range words {
		if kind, ok := eventKinds[w]; ok {
			f.word, f.wordKind = w, kind
		}
	}
}

// eventKinds are words of an event's name that say what became of a message.
var eventKinds = map[string]analyze.Kind{
	"sent": analyze.Accepted, "accepted": analyze.Accepted, "ok": analyze.Accepted, "success": analyze.Accepted, "succeeded": analyze.Accepted, "queued": analyze.Accepted,
	"delivered": analyze.Delivered, "read": analyze.Read,
	"failed": analyze.Failed, "error": analyze.Failed, "rejected": analyze.Failed, "refused": analyze.Failed, "undelivered": analyze.Failed, "failure": analyze.Failed,
}

// excuses is the words of errors, and the record's own sentence where it tells of a failure. Other sentences may quote anybody.
func (f *facts) excuses() []string {
	if f.loud || f.wordKind == analyze.Failed {
		return slices.Concat(f.reasons, f.sentences)
	}
	return f.reasons
}

// errorCode is the surest code of a record, 0 if it has none.
func (f *facts) errorCode() int { return f.code }

// reason is the most telling words of an error.
func (f *facts) reason() string { return f.words }

// surestCode is the surest code, or else the one that the words of an error name. A number that repeats the HTTP status is none.
func (f *facts) surestCode() int {
	best := codeAt{rank: 1 << 10}
	for _, c := range f.codes {
		surer := c.rank < best.rank || c.rank == best.rank && best.code < platformCodes && c.code >= platformCodes // a wrapper has a code of its own
		if surer && !(f.hasStatus && c.code == f.status) {
			best = c
		}
	}
	if best.code != 0 && !isHTTPFault(best.code) {
		return best.code
	}
	for _, s := range f.excuses() {
		if code := codeInText(s); code != 0 && !(f.hasStatus && code == f.status) {
			return code
		}
	}
	return cmp.Or(f.subcode, best.code) // the status of an answer may stand in the code's place
}

// tellingWords is the most telling words of an error: those with a code, or else the longest.
func (f *facts) tellingWords() string {
	reasons := f.reasonsOrSentence()
	if len(reasons) == 0 {
		return ""
	}
	return slices.MaxFunc(append(reasons, ""), func(a, b string) int {
		return cmp.Or(cmp.Compare(min(codeInText(a), 1), min(codeInText(b), 1)), cmp.Compare(len(a), len(b)))
	})
}

// reasonsOrSentence is the words of errors, or a sentence that names a code.
func (f *facts) reasonsOrSentence() []string {
	if len(f.reasons) > 0 {
		return slices.Clip(f.reasons)
	}
	return slices.DeleteFunc(f.excuses(), func(s string) bool { return codeInText(s) == 0 })
}

// detail is what patterns and people need.
func (f *facts) detail() analyze.Detail {
	d := analyze.Detail{
		Client: f.get(meansClient), Campaign: f.get(meansCampaign), Row: f.get(meansRow), Job: f.get(meansJob), Template: f.get(meansTemplate),
		Category: strings.ToLower(f.get(meansCategory)), Text: f.get(meansText), Trigger: f.get(meansTrigger), InReply: f.get(meansInReply),
	}
	d.Attempt, _ = integer(f.get(meansAttempt))
	d.Part, _ = integer(f.get(meansPart))
	return d
}
