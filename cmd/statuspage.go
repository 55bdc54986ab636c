package cmd

import (
	"context"
	"io"
	"iter"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	reports "github.com/wactl/wactl/campaign/report"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// page writes the page of one campaign.
func (f *statusFlags) page(a *app, ctx context.Context, store *journal.Store, found []journal.Campaign) error {
	if len(found) != 1 {
		return unusable("name one: wactl status CAMPAIGN --html "+f.html, "the state has %d campaigns that fit, and a page is about one", len(found))
	}
	p, err := campaignPage(a, ctx, store, found[0])
	if err != nil {
		return err
	}
	if err := a.writeFile(f.html, func(w io.Writer) error { return reports.WriteHTML(w, p) }); err != nil {
		return err
	}
	if f.html != stdio {
		a.out.Note("the page is in %s", f.html)
	}
	return nil
}

// mostUncertain is how many messages without an answer a page lists.
const mostUncertain = 100

// campaignPage gathers what the page of a campaign tells. What is long is read while the page is made.
func campaignPage(a *app, ctx context.Context, store *journal.Store, c journal.Campaign) (p reports.Page, err error) {
	if c, err = asItStands(ctx, store, c); err != nil {
		return p, err
	}
	n, err := store.Counts(ctx, c)
	if err != nil {
		return p, err
	}
	mask := func(text string) string {
		if a.out.Options.Mask {
			return output.Mask(text)
		}
		return text
	}
	p = reports.Page{Campaign: mask(c.Name), Target: mask(name(c.Target)), Status: string(c.Status), Written: time.Now(), Zone: a.out.Zone,
		Totals: reports.Totals{Messages: n.Messages, Sent: n.Sent, Held: n.Held, Failed: n.Failed, Skipped: n.Skipped, Uncertain: n.Uncertain, Pending: n.Pending,
			Delivered: n.Delivered, Read: n.Read, SkippedBy: c.Skipped, FailedBy: n.ByCode, Refused: n.Refused},
		Plan: planKept(c), First: n.FirstLeft, Last: n.LastLeft, Passages: passages(store.History(ctx, c, n.FirstLeft.Add(-ratelimit.MessagingWindow), n.LastLeft))}
	if stop := whyStopped(c); stop != nil {
		p.Stopped, p.Resume = mask(stop.Why), mask(stop.Resume)
	}
	for r, err := range store.Rows(ctx, c, journal.Filter{State: campaign.Uncertain}) {
		if err != nil {
			return p, err
		}
		row := outcomeRow(r, a.out.Options.Mask)
		row.SentAt = moment(r.Left)
		if p.Uncertain = append(p.Uncertain, row); len(p.Uncertain) == mostUncertain {
			break
		}
	}
	return p, nil
}

// passages is a history as the report takes it.
func passages(history iter.Seq2[journal.Departure, error]) iter.Seq2[reports.Passage, error] {
	return func(yield func(reports.Passage, error) bool) {
		for h, err := range history {
			p := reports.Passage{Recipient: h.Recipient, Left: h.Left, Class: h.Class, Code: h.Code, Own: h.Own, Number: h.Number, Free: h.Free}
			if !yield(p, err) {
				return
			}
		}
	}
}
