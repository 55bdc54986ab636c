package readlog

import (
	"fmt"
	"slices"
	"time"

	"github.com/wactl/wactl/analyze"
)

// learn makes a template of a line that was decoded, if that is possible and proved; true: there is one more.
//
// The proof is made with each template: the decoder reads the line twice more with other values in its holes, and the template has to find
// the same events. So it does not have to be known here which text is which detail: it is seen.
func (t *templates) learn(text []byte) bool {
	if t.count >= maxTemplates || t.tries >= maxTries || t.matches(text) {
		return false
	}
	f, root, ok := formOf(text)
	if !ok || !f.explain() || !f.proved(root) {
		t.tries++
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	root.walk(nil, t.root.add)
	t.count += len(f.ends)
	return true
}

// matches says whether a line is quick already.
func (t *templates) matches(text []byte) bool {
	m := matcher{text: append(slices.Clip(text), '\n'), out: &shown{}}
	return m.line(&t.root, 0) > 0
}

// size is how many templates there are.
func (t *templates) size() int { return t.count }

// explain finds out, from what the decoder makes of marked values, what the events of the form have beside ids and times.
func (f *former) explain() bool {
	events, ok := carefully(f.filled(marked))
	if !ok || len(events) != len(f.ends) {
		return false
	}
	for i, e := range events {
		end := f.ends[i]
		if e.Kind == analyze.Other || e.Until != time.Second || e.Naive || !e.Logged.IsZero() || e.Request != "" || e.Code != int(int32(e.Code)) {
			return false
		}
		for field, text := range textFields(&e) {
			for n, h := range f.holes {
				if h.event == i && h.slot >= slotTexts && *text == marked(n, h) {
					end.details = append(end.details, detailOf{field, h.slot})
					*text = ""
				}
			}
		}
		e.MessageID, e.At, e.Number, e.Recipient, e.UserID, e.WaID, e.Place = "", time.Time{}, "", "", "", "", analyze.Place{}
		end.proto = e
	}
	return true
}

// proved says whether a template finds what the decoder finds, in the line itself and with other values in it.
func (f *former) proved(root *node) bool {
	for _, text := range [][]byte{f.text, f.filled(marked), f.filled(likewise)} {
		want, ok := carefully(text)
		var found shown
		m := matcher{text: append(slices.Clip(text), '\n'), events: true, out: &found}
		if !ok || m.line(root, 0) < 0 || !slices.Equal(want, found.events) {
			return false
		}
	}
	return true
}

// filled is the line with other values in its holes.
func (f *former) filled(with func(int, madeHole) string) []byte {
	var text []byte
	from := int32(0)
	for n, h := range f.holes {
		text = append(text, f.text[from:h.from]...)
		text = append(text, with(n, h)...)
		from = h.to
	}
	return append(text, f.text[from:]...)
}

// marked is a value that no other hole of the line has.
func marked(n int, h madeHole) string {
	return fmt.Sprintf([...]string{holeText: "zq%d", holeNumber: "7000%d", holeDigits: "10650%d", holePhone: "551190%05d",
		holeTime: "17951%05d", holeID: "wamid.zq%d", holeUser: "US.zq%d"}[h.hole], n)
}

// likewise gives all holes of a kind the same value, and texts some that are written in another way than they read.
func likewise(_ int, h madeHole) string {
	return [...]string{holeText: `\u00fa é\n\"x`, holeNumber: "-1.5e3", holeDigits: "9", holePhone: "12025550123",
		holeTime: "1000000000", holeID: "b+/=._-9:#~", holeUser: "a.B-_9"}[h.hole]
}

// carefully is what the decoder makes of a line: the events of one webhook, and nothing that is skipped or said.
func carefully(text []byte) (events []analyze.Event, ok bool) {
	v, err := decodeJSON(text)
	if err != nil {
		return nil, false
	}
	p := newPass(0, analyze.Want{Details: true}, &Options{}, "", func(e analyze.Event) bool { events = append(events, e); return true })
	p.take(record{value: v})
	ok = len(p.source.formats) == 1 && p.source.formats[formWebhook] == 1 && len(p.source.Skipped) == 0 && len(p.source.Notes) == 0 && p.source.Unreadable == ""
	return events, ok
}
