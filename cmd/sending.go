package cmd

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/approval"
	"github.com/wactl/wactl/campaign/cost"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// sending is one run of send: what was read, what was opened, and what happened.
type sending struct {
	*app
	flags   *sendFlags
	command *cobra.Command
	name    string
	target  journal.Target
	limits  campaign.Limits
	plan    *planned
	lines   []line   // the numbers that send; the first is the target's
	typed   []string // their ids as they were named

	store    *journal.Store
	lease    *journal.Lease
	journal  *journal.Run
	campaign journal.Campaign
	found    bool // the campaign was there before
	drift    journal.Drift
	pending  []journal.Waiting
	by       []uint16 // the place among lines of the number that sends each step, by position; nil: one sends all
	slots    int      // of the messaging limit that are used, by anybody
	log      *eventLog
	checks   []preflight.Check // what was found before the first message
	expected time.Duration     // how long this run takes, by the forecast

	rates    *cost.Rates    // nil without --rates
	before   *history       // who was written to before, as --already-messaged tells
	approved *approval.Plan // nil without --plan
	foreseen *forecastJSON  // what it forecasts for this run; nil without --plan

	tally tally
}

// open takes the leases and finds out what is still to be sent. A campaign that is new is not written yet.
func (s *sending) open(ctx context.Context) error {
	path, err := statePath(s.flags.state, s.target)
	if err != nil {
		return err
	}
	if s.store, err = journal.Open(ctx, path, journal.Options{}); err != nil {
		return err
	}
	if s.lease, err = s.store.Acquire(ctx, journal.ThisProcess(), s.claim()); err != nil {
		return err
	}
	if s.campaign, s.found, err = s.store.Find(ctx, s.target, s.name); err != nil {
		return err
	}
	if s.found {
		err = s.reopen(ctx)
	} else {
		s.campaign = journal.Campaign{Target: s.target, Name: s.name, UID: journal.NewUID()}
		s.pending = waiting(s.plan.Items())
	}
	if err != nil {
		return err
	}
	if err := s.assign(ctx); err != nil {
		return err
	}
	s.narrow()
	if err := s.openWindows(ctx); err != nil {
		return err
	}
	return s.recall(ctx)
}

// reopen goes on with a campaign that was begun before: what is open of a dead run becomes uncertain, and the file must say the same as then.
func (s *sending) reopen(ctx context.Context) (err error) {
	if s.drift, err = s.store.Compare(ctx, s.campaign, s.steps()); err != nil {
		return err
	}
	s.flags.update = s.flags.update || s.optOutsOnly()
	if s.drift.Any() && !s.flags.update {
		hint := "run it with --update to add the new ones and render the pending ones anew, or give it another name with --campaign"
		n, err := s.store.Forgotten(ctx, s.campaign)
		if err != nil {
			return err
		}
		if n > 0 && s.drift.New > 0 {
			hint = "take those out of the list whom `wactl state forget` erased (" + plural(n, "message", "messages") + "): --update would write to them again; then " + hint
		}
		return unusable(hint,
			"the list, its content or the flags differ from those of campaign %q: %d new, %d changed, %d gone",
			s.name, s.drift.New, s.drift.Changed, s.drift.Gone)
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := s.resend(ctx); err != nil {
		return err
	}
	s.pending, err = s.store.Pending(ctx, s.campaign)
	return err
}

// optOutsOnly says whether the file and the flags are the same as before and only people are gone who opted out since.
func (s *sending) optOutsOnly() bool {
	return s.drift.New == 0 && s.drift.Changed == 0 && s.campaign.ListHash == s.plan.hashes.list && s.campaign.MappingHash == s.plan.hashes.mapping &&
		s.plan.Skipped[normalize.Suppressed] > s.campaign.Skipped[normalize.Suppressed]
}

// begin writes the campaign's start, and its steps where they are new or changed.
func (s *sending) begin(ctx context.Context) (err error) {
	if !s.found || s.flags.update {
		s.campaign.ListHash, s.campaign.MappingHash, s.campaign.ContentHash = s.plan.hashes.list, s.plan.hashes.mapping, s.plan.Hash()
		s.campaign.Skipped, s.campaign.Region = s.plan.Skipped, s.flags.region
	}
	if !s.found {
		s.campaign.Options = s.keep()
		if s.campaign, err = s.store.Create(ctx, s.campaign, s.steps()); err != nil {
			return err
		}
	}
	if s.journal, err = s.lease.Run(ctx, s.campaign, s.flags.keepContent); err != nil {
		return err
	}
	if _, err = s.journal.Recover(ctx); err != nil || !s.found {
		return err
	}
	if s.flags.update {
		if _, err = s.journal.Update(ctx, s.campaign, s.steps()); err != nil {
			return err
		}
		if err = s.countOnce(ctx); err != nil {
			return err
		}
	}
	return s.journal.Refill(ctx, s.steps())
}

// countOnce takes those out of the rows left out who opted out after their message was sent or had failed: a row counts once.
func (s *sending) countOnce(ctx context.Context) error {
	n, err := s.store.Counts(ctx, s.campaign)
	if err != nil {
		return err
	}
	twice := min(n.Messages-s.plan.Rows, s.plan.Skipped[normalize.Suppressed])
	if twice <= 0 {
		return nil
	}
	s.campaign.Skipped = maps.Clone(s.campaign.Skipped)
	if s.campaign.Skipped[normalize.Suppressed] -= twice; s.campaign.Skipped[normalize.Suppressed] == 0 {
		delete(s.campaign.Skipped, normalize.Suppressed)
	}
	return s.journal.Skip(ctx, s.campaign)
}

func (s *sending) steps() func(yield func(campaign.Planned, error) bool) {
	return s.plan.Steps(s.campaign.UID, s.plan.options)
}

// run sends what is pending and tells what became of it.
func (s *sending) run(ctx context.Context) error {
	if s.journal == nil {
		if err := s.begin(ctx); err != nil {
			return err
		}
	}
	if err := s.upload(ctx); err != nil {
		return err
	}
	items := s.items()
	s.pending = nil
	s.plan.Forget()
	var err error
	if s.log, err = openLog(s.flags.log, s.out.Out, s.out.Options.Mask); err != nil {
		return err
	}
	s.foresee(items)
	stop := s.beating(ctx, func(ctx context.Context) *campaign.Stopped { return s.stages(ctx, items) })
	done := context.WithoutCancel(ctx)
	if _, err := s.journal.Finish(done, reason(stop)); err != nil && stop == nil {
		return err
	}
	if err := s.log.close(); err != nil {
		s.out.Warn("the log %s is not complete: %v", s.flags.log, err)
	}
	return s.tell(done, stop)
}

// items is what to send now, as the pacing loop takes it.
func (s *sending) items() []campaign.Item {
	items := make([]campaign.Item, len(s.pending))
	for i, w := range s.pending {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: w.Recipient, OpenUntil: w.OpenUntil}, Seq: w.Seq,
			Number: s.senderOf(w.Seq), Attempts: w.Attempts, Tries: uint8(min(w.Tries, 255))}
	}
	return items
}

// ledgerFor is how far back the state is asked for what binds pairs: longer than the longest debt and answer together.
const ledgerFor = 10 * time.Minute

// sender joins providers, journal and limits; part says that it sends a part of what this run is to send.
func (s *sending) sender(ctx context.Context, part bool) (*campaign.Sender, error) {
	if err := s.recall(ctx); err != nil {
		return nil, err
	}
	var all []campaign.Line
	for i, p := range s.limits.Policies(ratelimit.At(time.Now())) {
		all = append(all, campaign.Line{Provider: s.lines[i].provider, Policy: p, Asked: s.lines[i].mps != "" || s.lines[i].coexistence || s.approved != nil})
	}
	s.journal.Afresh()
	return &campaign.Sender{Provider: all[0].Provider, Policy: all[0].Policy, Asked: all[0].Asked, More: all[1:], Journal: s.journal,
		OnTier: s.flags.onTier.value, StopAfter: s.flags.stopAfter, Quiet: s.limits.Quiet, Deadline: s.limits.Deadline,
		Seed: binary.LittleEndian.Uint64(s.campaign.UID[:]), Settled: s.tally.add, Waits: s.waits, Exact: true,
		Control: s.journal, Marketing: s.marketing(), Part: part || s.flags.part(), Heard: s.heard, Wall: s.wall, Asleep: asleep, Woke: s.woke,
		Observe: func(step campaign.Step, o campaign.Observation) { s.log.write(step.NumberID, step, o) }}, nil
}

// beatEvery is how often the lease is renewed; it is looked at after a minute of silence.
const beatEvery = 10 * time.Second

// beating runs do with the lease's heartbeat beside it.
func (s *sending) beating(ctx context.Context, do func(context.Context) *campaign.Stopped) *campaign.Stopped {
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	done := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() {
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if err := s.lease.Beat(ctx); errors.Is(err, journal.ErrLeaseLost) {
					lost(err)
				}
			}
		}
	})
	stop := do(ctx)
	close(done)
	beside.Wait()
	if err := context.Cause(ctx); stop != nil && errors.Is(err, journal.ErrLeaseLost) {
		stop.Why = err.Error()
	}
	return stop
}

// deliver runs the sender, with the progress bar beside it.
func (s *sending) deliver(ctx context.Context, sender *campaign.Sender, items []campaign.Item) *campaign.Stopped {
	done := make(chan struct{})
	var beside sync.WaitGroup
	bar := s.out.Progress(len(items), "sent")
	beside.Go(func() { s.draw(bar, done) })
	tuneForSend()
	s.warm(ctx, len(items))
	s.tally.begin(len(items), s.limits.Pace())
	stop := sender.Send(ctx, items)
	close(done)
	beside.Wait()
	bar.Close()
	return stop
}

// draw keeps the progress bar up to date until the send is over.
func (s *sending) draw(bar *output.Bar, done <-chan struct{}) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			bar.Update(s.tally.progress())
		}
	}
}

// close gives everything back that open took.
func (s *sending) close() {
	if err := s.plan.attached.close(); err != nil {
		s.out.Warn("what was fetched could not be removed: %v", err)
	}
	if s.lease != nil {
		if err := s.lease.Release(context.Background()); err != nil {
			s.out.Warn("the lease could not be given back: %v", err)
		}
	}
	if s.store != nil {
		if err := s.store.Close(); err != nil {
			s.out.Warn("the state could not be closed: %v", err)
		}
	}
}

// reason is a stop as the state keeps it; nil when there was none.
func reason(stop *campaign.Stopped) json.RawMessage {
	if stop == nil {
		return nil
	}
	text, err := json.Marshal(stopReport(stop))
	if err != nil {
		return nil
	}
	return text
}

// waiting is a plan's items as the state would list them.
func waiting(items []campaign.Item) []journal.Waiting {
	list := make([]journal.Waiting, len(items))
	for i, item := range items {
		list[i] = journal.Waiting{Recipient: item.Recipient, OpenUntil: item.OpenUntil, Seq: item.Seq}
	}
	return list
}

// people is how many persons the messages go to.
func people(list []journal.Waiting) int {
	seen := make(map[uint64]struct{}, len(list))
	for _, w := range list {
		seen[w.Recipient] = struct{}{}
	}
	return len(seen)
}
