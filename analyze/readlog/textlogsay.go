package readlog

import (
	"regexp"
	"slices"
	"strings"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/campaign/wire"
)

// saying is what a verb in a sentence says of a message.
type saying struct {
	kind  analyze.Kind
	words string // how sentences say it, with | between; compared in lower case at the start of a word
}

// sayings are tried in this order: "failed to send" is no sending, and a sentence about what came is none of these.
var sayings = []saying{
	{analyze.Inbound, "received|incoming|inbound|message from|recebida de|recebido|recibido|reçu de|empfangen|got message"},
	{analyze.Refused, "fail|error|not sent|not delivered|not accepted|wasn't sent|não enviad|no enviad|non envoy|nicht gesendet|could not|cannot|unable|refus|reject|undeliver|falh|erro|não foi|fall|no se pudo|échec|erreur|fehler|gagal|exception|rate limit hit"},
	{analyze.Delivered, "delivered|entregue|entregado|livré|zugestellt"},
	{analyze.Read, "read by|was read|lida por|leído por|lu par"},
	{analyze.Accepted, "sent|outgoing|accepted|queued|enqueued|enviad|envié|envoyé|gesendet|terkirim|dikirim|message id|->|→"},
}

// sayingWord is one of the words, and the row it stands in.
type sayingWord struct {
	word string
	row  int
}

// sayingWords is all words by their first byte.
var sayingWords = func() (by [256][]sayingWord) {
	for i, row := range sayings {
		for word := range strings.SplitSeq(row.words, "|") {
			by[word[0]] = append(by[word[0]], sayingWord{word, i})
		}
	}
	return by
}()

// sayingOf is what a sentence says; false where it says nothing of a message.
func sayingOf(sentence string) (analyze.Kind, bool) {
	lower, best := strings.ToLower(sentence), len(sayings)
	for i := range len(lower) {
		if i > 0 && lower[i-1] >= 'a' && lower[i-1] <= 'z' {
			continue
		}
		for _, w := range sayingWords[lower[i]] {
			if w.row < best && strings.HasPrefix(lower[i:], w.word) {
				best = w.row
			}
		}
	}
	if best == len(sayings) {
		return analyze.Other, false
	}
	return sayings[best].kind, true
}

// The marks by which a sentence names a message, its recipient and the number it went out from.
var (
	wamidText = regexp.MustCompile(`wamid\.[A-Za-z0-9+/_=-]{8,}`)
	idText    = regexp.MustCompile(`(?i)\b(?:message[ _-]?id|msg[ _-]?id|id|sid)[ :=]+([A-Za-z0-9][A-Za-z0-9._:-]{7,})`)
	pairWords = regexp.MustCompile(`(?i)#131056\)|pair rate limit`) // nothing but the platform says so
	phoneText = regexp.MustCompile(`(?:^|[\s:=(<\["'>])(\+?\d{7,15}(?:@[a-z.]+)?)(?:$|[\s,;.:)>\]"'(])`)
)

// say reads a sentence about one message: sent to 12025550111 (wamid…). It needs a verb, and a recipient or an id; an error needs a code too.
func (t *textLog) say(e entry, h head, words string) {
	kind, ok := sayingOf(words)
	if !ok && codeInText(words) >= platformCodes && !strings.Contains(strings.ToLower(words), "retry") {
		kind, ok = analyze.Refused, true
	}
	if !ok {
		t.skip(e.place.Line, notJSON)
		return
	}
	event := analyze.Event{Kind: kind, Place: e.place, MessageID: wamidIn(words), Recipient: recipientIn(words, kind)}
	if event.MessageID == "" {
		if m := idText.FindStringSubmatch(words); m != nil && event.Recipient != m[1] {
			event.MessageID = m[1]
		}
	}
	if from := cmpOr(fromNumber.find(words), beforeArrow(words)); kind != analyze.Inbound && from != event.Recipient {
		event.Number = from
	}
	if event.Recipient == "" {
		event.Recipient, _ = wire.WamidRecipient(event.MessageID)
	}
	if kind == analyze.Refused {
		event.Code, event.Reason = codeInText(words), words
		if event.Recipient != "" && event.Code == 0 {
			t.failing = &failing{event.Recipient, event.Number, e.logged, e.place.Line}
		}
		if f := t.failing; f.tells(e.place.Line) && event.Recipient == "" && event.Code != 0 {
			event.Recipient, event.Number = f.recipient, cmpOr(event.Number, f.number)
			if e.logged.at.IsZero() {
				e.logged = f.logged
			}
		}
	}
	switch {
	case event.Recipient == "" && !pairWords.MatchString(event.Reason), kind == analyze.Refused && event.Code == 0 && event.MessageID == "" && h.level == "info":
		t.skip(e.place.Line, notJSON)
		return
	case e.logged.at.IsZero():
		t.skip(e.place.Line, noTime)
		return
	}
	if kind == analyze.Refused && event.MessageID != "" {
		event.Kind = analyze.Failed // it had an id already, so the API had taken it
	}
	t.dated(&event, e.record)
	t.give(cmpOr(e.format, formText), event)
}

// wamidIn is the platform's message id in words, empty if there is none.
func wamidIn(words string) string {
	if !strings.Contains(words, "wamid.") {
		return ""
	}
	return wamidText.FindString(words)
}

// dated gives an event the time of its record.
func (t *textLog) dated(event *analyze.Event, r record) {
	event.At, event.Until, event.Naive = r.logged.at, r.logged.until, r.logged.naive
	event.Detail.Host = r.host
}

// recipientIn is the number that a sentence names as the recipient, or its only number.
func recipientIn(words string, kind analyze.Kind) string {
	if to := toNumber.find(words); to != "" && kind != analyze.Inbound {
		number, _ := party(to)
		return number
	}
	found := phonesIn(words)
	if len(found) == 2 && kind != analyze.Inbound { // the id of a business number is longer than any phone number in use
		isID := func(s string) bool { return len(s) >= 14 && !strings.HasPrefix(s, "+") }
		found = slices.DeleteFunc(found, isID)
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// phonesIn is the first numbers in words that can be phone numbers, each once. One space may stand between two of them.
func phonesIn(words string) (found []string) {
	const most = 3
	for range most {
		m := phoneText.FindStringSubmatchIndex(words)
		if m == nil {
			break
		}
		if number := words[m[2]:m[3]]; !slices.Contains(found, number) {
			found = append(found, number)
		}
		words = words[m[3]:]
	}
	return found
}

// failing is whom a failure was told of in a sentence without a code. The answer that says why is often printed on one of the next lines, with neither
// a recipient nor a time.
type failing struct {
	recipient, number string
	logged            stamp
	line              int
}

// tells says whether a line stands so near behind the sentence that it goes on with it.
func (f *failing) tells(line int) bool {
	const near = 8 // lines
	return f != nil && line-f.line <= near
}

// completeBy gives an error that names nobody the recipient of the sentence before it, and the time.
func (f *facts) completeBy(told *failing, r *record) {
	if !told.tells(r.place.Line) || f.errorCode() == 0 || f.recipient() != "" || f.userID != "" || f.messageID != "" {
		return
	}
	f.values[meansRecipient] = told.recipient
	if f.get(meansNumber) == "" {
		f.values[meansNumber] = told.number
	}
	if r.logged.at.IsZero() {
		r.logged = told.logged
	}
}
