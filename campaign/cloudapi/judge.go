package cloudapi

import (
	"bytes"
	"cmp"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/wire"
)

const (
	hiddenToken = "[token]"
	longestText = 500 // characters of a stranger's text that a report or a state file has to carry
)

// judge makes an answer of what an exchange left behind. A code decides alone; without one the table of bare answers does.
func (c *Client) judge(x exchanged) campaign.Answer {
	said := c.door.Read(x.status, x.body)
	a := campaign.Answer{
		Title: c.hide(said.Title), Details: c.hide(said.Details),
		MessageID: c.hide(said.MessageID), MessageStatus: c.hide(said.MessageStatus), WaID: c.hide(said.WaID), UserID: c.hide(said.UserID),
		HTTPStatus: x.status, BytesWritten: x.written,
		RetryAfter: wire.RetryAfter(x.header.Get("Retry-After"), time.Now()),
	}
	if said.HasCode && said.MessageID == "" {
		e := outcome.ForCode(int(said.Code))
		a.Class, a.Code, a.RetryAfter = e.Class, int(said.Code), cmp.Or(a.RetryAfter, e.Wait)
		a.Title = cmp.Or(a.Title, e.Title)
		if e.Class == outcome.CallsWait {
			a.RetryAfter = max(a.RetryAfter, wire.RegainAccess(x.header.Get("X-Business-Use-Case-Usage")))
		}
		return a
	}
	return c.judgeBare(a, said, x)
}

func (c *Client) judgeBare(a campaign.Answer, said wire.Answer, x exchanged) campaign.Answer {
	v := outcome.WithoutCode(outcome.Bare{
		HTTPStatus: x.status, BytesWritten: x.written, TimedOut: x.timedOut,
		MessageID: said.MessageID != "", MessageStatus: said.MessageStatus, Refused: said.HasCode,
		Cut: said.Cut || x.err != nil && !said.HTML, HTML: said.HTML, // the first byte tells a page, its end doesn't matter
	})
	a.Class, a.RetryAfter = v.Class, cmp.Or(a.RetryAfter, v.Wait)
	if v.Class == outcome.Accepted || v.Class == outcome.Held {
		return a
	}
	a.Details = v.Why
	for _, more := range []string{said.Title, said.Details, errorText(x.err)} {
		if more != "" {
			a.Details += ": " + more
		}
	}
	a.Details = c.hide(a.Details)
	return a
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// shortToken is the length below which a token may be part of other words by chance: the "x" of a rehearsal stands in half of all message ids.
const shortToken = 8

// hider takes token out of texts from outside, in each spelling that an echo may have, and shortens them afterwards. A short one is hidden
// where it stands as a word of its own.
func hider(token string) func(string) string {
	all := strings.NewReplacer(token, hiddenToken, url.QueryEscape(token), hiddenToken, url.PathEscape(token), hiddenToken)
	replace := all.Replace
	if len(token) < shortToken {
		replace = func(s string) string {
			for _, spelling := range []string{token, url.QueryEscape(token), url.PathEscape(token)} {
				s = hideWord(s, spelling)
			}
			return s
		}
	}
	return func(s string) string {
		s = strings.ToValidUTF8(replace(s), "\ufffd")
		if utf8.RuneCountInString(s) > longestText {
			s = string([]rune(s)[:longestText-1]) + "…"
		}
		return s
	}
}

// stripper takes token out of the body of a reading, whose texts are shown to people. A short one stays: it may be a part of the JSON itself.
func stripper(token string) func(body []byte) []byte {
	return func(body []byte) []byte {
		if len(token) < shortToken {
			return body
		}
		for _, spelling := range []string{token, url.QueryEscape(token), url.PathEscape(token), strings.ReplaceAll(token, "/", `\/`)} {
			body = bytes.ReplaceAll(body, []byte(spelling), []byte(hiddenToken))
		}
		return body
	}
}

// hideWord hides word where neither a letter nor a digit is beside it.
func hideWord(s, word string) string {
	var out strings.Builder
	for from := 0; ; {
		at := strings.Index(s[from:], word)
		if word == "" || at < 0 {
			out.WriteString(s[from:])
			return out.String()
		}
		at += from
		end := at + len(word)
		if at > 0 && wordy(s[at-1]) || end < len(s) && wordy(s[end]) {
			out.WriteString(s[from:end])
		} else {
			out.WriteString(s[from:at] + hiddenToken)
		}
		from = end
	}
}

func wordy(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
