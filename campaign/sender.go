package campaign

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// How far ahead of its departure a message is decided on, and how long the journal gathers before it writes. Together with one commit they
// stay below the 10 ms that an intent may be durable ahead of its request.
const (
	lookahead = 5 * time.Millisecond
	gather    = time.Millisecond
)

// Sender sends a campaign's steps through a provider and tells the journal, paced by a policy.
type Sender struct {
	Provider  Provider
	Journal   Journal
	Policy    *ratelimit.Policy
	OnTier    OnTierLimit
	StopAfter int                         // failures in a row that stop the campaign; 0: none do
	Seed      uint64                      // the campaign's own, for jitter
	Settled   func(r Result)              // told what became of a step, in the loop; may be nil
	Observe   func(s Step, o Observation) // told each event for the log, from several goroutines; may be nil
}

// Observation is one event of a step: its durable intent, or its answer.
type Observation struct {
	At     ratelimit.Instant
	Answer *Answer // nil for an intent
}

// Send sends the items until all have their end or a reason to stop came. When the context ends it stops departing, waits for the answers that
// are on their way, and returns. The result is nil when everything has its end.
//
// After Send returns everything that happened is in the journal, or the reason says that it could not be written.
func (s *Sender) Send(ctx context.Context, items []Item) *Stopped {
	w := newLive(ctx, s)
	s.Policy.RememberSlot(w.now().Add(lookahead - s.Policy.Pace().Gap()))
	q := newQueue(items, s.Policy, MostInFlight(s.Policy.Throughput.Pace), s.OnTier)
	stop := pace(w, &settler{queue: q, seed: s.Seed, stopAfter: s.StopAfter})
	if err := w.close(); err != nil && (stop == nil || stop.Err == nil) {
		stop = stopMachine(err)
	}
	return stop
}

// MostInFlight bounds the requests without an answer: four seconds of the pace, so that a slow API is not flooded with connections and an
// ordinary one is never the bound.
func MostInFlight(p ratelimit.Pace) int { return int(min(max(4*p/1000, 64), 4096)) }

// live is the sender's world: the machine's clock, the journal and the provider.
//
// Three goroutines work for it: the committer makes intents and results durable in groups, the launcher lets each step leave at its instant,
// and one per request waits for its answer.
type live struct {
	*Sender
	ctx    context.Context // not cancelled: what has left is answered and written
	quit   <-chan struct{} // closed to end departures; the loop's own
	base   ratelimit.Instant
	start  time.Time
	events chan event
	launch chan launch
	wake   chan struct{}
	work   sync.WaitGroup
	timer  *time.Timer

	left chan struct{} // a step left, so one more may be decided on

	mu      sync.Mutex
	intents []Intent
	results []Result
	gap     time.Duration
	ahead   int   // steps that were decided on and have not left
	err     error // of the last commit
}

type launch struct {
	step Step
	at   ratelimit.Instant
	gap  time.Duration
}

func newLive(ctx context.Context, s *Sender) *live {
	now := time.Now()
	w := &live{Sender: s, ctx: context.WithoutCancel(ctx), quit: ctx.Done(), base: ratelimit.At(now), start: now,
		events: make(chan event, 256), launch: make(chan launch, 64), wake: make(chan struct{}, 1), left: make(chan struct{}, 1),
		timer: time.NewTimer(0)}
	w.work.Go(w.commit)
	w.work.Go(w.launchAll)
	return w
}

// now is the wall clock at the start and the monotonic clock from then on: it never jumps.
func (w *live) now() ratelimit.Instant { return w.base.Add(time.Since(w.start)) }

func (w *live) wait(until ratelimit.Instant) (event, bool) {
	select {
	case e := <-w.events: // an answer that is here comes before a departure that is due
		return e, true
	default:
	}
	var due <-chan time.Time
	var left <-chan struct{}
	if w.full() {
		left = w.left
	} else if until != ratelimit.Never {
		w.timer.Reset(until.Add(-lookahead).Sub(w.now()))
		due = w.timer.C
	}
	select {
	case e := <-w.events:
		return e, true
	case <-w.quit:
		w.quit = nil
		return event{stop: stopInterrupted()}, true
	case <-left:
		return event{room: true}, true
	case <-due:
		return event{}, false
	}
}

// mostAhead is how many steps may be decided on and not have left: 10 ms of the pace, at least one. More would be no use while a slow disk holds
// them up, a kill would make all of them uncertain, and their instants would pass while the loop went on as if they had left in time.
func mostAhead(gap time.Duration) int {
	const most = 10 * time.Millisecond
	return max(int((most+gap-1)/max(gap, 1)), 1)
}

func (w *live) full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ahead > 0 && w.ahead >= mostAhead(w.gap)
}

// leaves makes room for the next decision.
func (w *live) leaves(n int) {
	w.mu.Lock()
	w.ahead -= n
	w.mu.Unlock()
	select {
	case w.left <- struct{}{}:
	default:
	}
}

func (w *live) depart(i Item, at ratelimit.Instant) {
	w.mu.Lock()
	w.intents = append(w.intents, Intent{Seq: int(i.Seq), Attempt: int(i.Attempts), At: at})
	w.gap = w.Policy.Pace().Gap()
	w.ahead++
	w.mu.Unlock()
	w.nudge()
}

func (w *live) record(results []Result) {
	w.mu.Lock()
	w.results = append(w.results, results...)
	w.mu.Unlock()
	w.nudge()
	if w.Settled != nil {
		for _, r := range results {
			w.Settled(r)
		}
	}
}

// nudge wakes the committer; it wakes once for any number of nudges.
func (w *live) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// close ends the goroutines after the last answer and writes what is not written yet.
func (w *live) close() error {
	close(w.wake)
	w.work.Wait()
	w.timer.Stop()
	return w.err
}

// commit writes intents and results in groups: everything that came while the last group was written goes into the next.
func (w *live) commit() {
	defer close(w.launch)
	for range w.wake {
		time.Sleep(gather)
		w.commitGroup()
	}
	w.commitGroup()
}

func (w *live) commitGroup() {
	w.mu.Lock()
	intents, results, gap := w.intents, w.results, w.gap
	w.intents, w.results = nil, nil
	w.mu.Unlock()
	if len(intents)+len(results) == 0 {
		return
	}
	steps, err := w.steps(intents)
	if err == nil {
		err = w.Journal.Commit(w.ctx, intents, results)
	}
	w.err = err
	if err != nil {
		w.undo(intents, results, err)
		return
	}
	for i, step := range steps {
		w.observe(step, Observation{At: intents[i].At})
		w.launch <- launch{step, intents[i].At, gap}
	}
}

func (w *live) steps(intents []Intent) ([]Step, error) {
	if len(intents) == 0 {
		return nil, nil
	}
	seqs := make([]int, len(intents))
	for i, in := range intents {
		seqs[i] = in.Seq
	}
	steps, err := w.Journal.Steps(w.ctx, seqs)
	if err != nil {
		return nil, fmt.Errorf("read the steps to send: %w", err)
	}
	return steps, nil
}

// undo ends the run after a failed commit: the intents never leave, the results are tried again with the next group and at the end.
func (w *live) undo(intents []Intent, results []Result, err error) {
	w.mu.Lock()
	w.results = append(results, w.results...)
	w.mu.Unlock()
	w.leaves(len(intents))
	w.events <- event{stop: stopMachine(fmt.Errorf("the state could not be written, so nothing more was sent: %w", err))}
	for _, in := range intents {
		w.events <- event{unsent: &in}
	}
}

// launchAll lets each step leave at its instant, in order. After a stall, a step that is later than the limit's slack starts a new rhythm and
// those behind it keep the gap: a stall is never followed by a burst.
func (w *live) launchAll() {
	var floor ratelimit.Instant // nothing leaves before; 0 while the rhythm holds
	slack := w.Policy.Throughput.Slack()
	for l := range w.launch {
		time.Sleep(max(l.at, floor).Sub(w.now()))
		floor = 0
		if left := w.now(); left.Sub(l.at) > slack {
			floor = left.Add(l.gap)
			w.events <- event{late: left}
		}
		w.leaves(1)
		w.work.Go(func() { w.request(l.step) })
	}
}

// request sends one step and brings its answer to the loop.
func (w *live) request(s Step) {
	left := w.now()
	answer := w.Provider.Send(w.ctx, s)
	at := w.now()
	w.observe(s, Observation{At: at, Answer: &answer})
	w.events <- event{arrival: arrival{Seq: uint32(s.Seq), Left: left, At: at, Answer: answer}}
}

func (w *live) observe(s Step, o Observation) {
	if w.Observe != nil {
		w.Observe(s, o)
	}
}
