package cloudapi

import (
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

// hider takes token out of texts from outside, in each spelling that an echo may have, and shortens them afterwards.
func hider(token string) func(string) string {
	spellings := strings.NewReplacer(token, hiddenToken, url.QueryEscape(token), hiddenToken, url.PathEscape(token), hiddenToken)
	return func(s string) string {
		s = strings.ToValidUTF8(spellings.Replace(s), "\ufffd")
		if utf8.RuneCountInString(s) > longestText {
			s = string([]rune(s)[:longestText-1]) + "…"
		}
		return s
	}
}
