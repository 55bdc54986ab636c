package campaign

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// How far ahead of its departure a message is decided on, and how long the journal gathers before it writes. Together with one commit they
// stay below the 10 ms that an intent may be durable ahead of its request.
const (
	lookahead = 8 * time.Millisecond
	gather    = time.Millisecond
)

// Sender sends a campaign's steps through a provider and tells the journal, paced by a policy.
type Sender struct {
	Provider  Provider
	Journal   Journal
	Policy    *ratelimit.Policy
	Asked     bool                                     // the pace was asked for: a new level brings no other
	More      []Line                                   // where several numbers send: those after the first
	OnTier    string                                   // [WaitOnTierLimit], or anything else to stop
	Quiet     quiet.Hours                              // in which nobody is written to, by the recipient's clock
	Deadline  ratelimit.Instant                        // nothing departs after; 0: none
	StopAfter int                                      // failures in a row that stop the campaign; 0: none do
	Seed      uint64                                   // the campaign's own, for jitter
	Exact     bool                                     // messages leave within some 0.1 ms of their instants, by a timer of the system
	Settled   func(r Result)                           // told what became of a step, in the loop; may be nil
	Observe   func(s Step, o Observation)              // told each event for the log, from several goroutines; may be nil
	Waits     func(until ratelimit.Instant, tier bool) // told, in the loop, that nothing leaves for a minute or more; tier: for the messaging limit; may be nil

	Control   control                                   // where it hears of orders while it sends; nil: it hears of none
	Marketing bool                                      // who stopped marketing messages alone gets none of these
	Part      bool                                      // what comes back goes again only where it is one of the items
	Heard     func(n News, withdrawn int)               // told, in the loop, what orders and news have changed; may be nil
	Wall      func() time.Time                          // the wall clock; nil: time.Now
	Asleep    func() time.Duration                      // how long the machine has slept since it was started; nil: not known
	Woke      func(context.Context, time.Duration) News // looks around, in the loop, after the wall clock jumped ahead; may be nil
}

// Line is one business number of a sender: the way its messages take, and its limits.
type Line struct {
	Provider Provider
	Policy   *ratelimit.Policy
	Asked    bool // its pace was asked for: a new level brings no other
}

// lines are all numbers of the sender; [Item.Number] counts in their order.
func (s *Sender) lines() []Line { return append([]Line{{s.Provider, s.Policy, s.Asked}}, s.More...) }

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
	first, err := s.firstNews(ctx, items)
	if err != nil {
		return stopMachine(err)
	}
	w := newLive(ctx, s)
	var policies []*ratelimit.Policy
	for _, l := range w.numbers {
		policies = append(policies, l.Policy)
	}
	set := &settler{queue: newQueue(NewLoad(items), policies, rules{onTier: s.OnTier, quiet: s.Quiet, deadline: s.Deadline}, w.now()),
		seed: s.Seed, stopAfter: s.StopAfter}
	set.listens(w.numbers, s.Marketing, s.Part)
	if first != nil {
		set.tell(w, w.news(*first, items))
		w.withdraw(set.takeWithdrawn())
	}
	for _, l := range w.numbers {
		l.Policy.RememberSlot(w.now().Add(lookahead - l.Policy.Pace().Gap()))
	}
	w.follow(items)
	stop := pace(w, set)
	if err := w.close(); err != nil && (stop == nil || stop.Err == nil) {
		stop = stopMachine(err)
	}
	return stop
}

// firstNews is what there is to hear before anything leaves.
func (s *Sender) firstNews(ctx context.Context, items []Item) (*News, error) {
	if s.Control == nil {
		return nil, nil
	}
	n, err := s.Control.News(context.WithoutCancel(ctx), items)
	return &n, err
}

// MostInFlight bounds the requests without an answer: eight seconds of the pace, so that a slow API is not flooded with connections and an
// ordinary one is never the bound.
func MostInFlight(p ratelimit.Pace) int { return int(min(max(8*p/1000, 64), 4096)) }

// live is the sender's world: the machine's clock, the journal and the provider.
//
// Four kinds of goroutines work for it: the committer makes intents and results durable in groups, the launcher lets each step leave at its
// instant, one per request waits for its answer, and one asks for news.
type live struct {
	*Sender
	numbers []Line
	ctx     context.Context // not cancelled: what has left is answered and written
	asked   context.Context // cancelled to end departures
	quit    <-chan struct{} // closed then; the loop's own
	watch   *watch
	roster  *roster // of the one who asks for news
	deaf    func()  // ends that
	events  chan event
	launch  chan launch
	wake    chan struct{}
	work    sync.WaitGroup
	timer   *time.Timer
	told    ratelimit.Instant // the long wait that was told last

	left chan struct{} // a step left, so one more may be decided on

	mu      sync.Mutex
	intents []Intent
	leaving []launch // for each intent what leaves
	results []Result
	off     []uint32 // steps to take off the campaign
	room    int      // most steps that may be ahead
	ahead   int      // steps that were decided on and have not left
	err     error    // of the last commit
}

type launch struct {
	departed
	step  Step
	at    ratelimit.Instant
	gap   time.Duration // between two departures of its number
	slack time.Duration // how late it may leave while those behind it keep their instants
}

func newLive(ctx context.Context, s *Sender) *live {
	w := &live{Sender: s, numbers: s.lines(), ctx: context.WithoutCancel(ctx), asked: ctx, quit: ctx.Done(), watch: newWatch(s.Wall, s.Asleep), deaf: func() {},
		events: make(chan event, 256), launch: make(chan launch, 64), wake: make(chan struct{}, 1), left: make(chan struct{}, 1),
		timer: time.NewTimer(0)}
	w.work.Go(w.commit)
	w.work.Go(w.launchAll)
	return w
}

func (w *live) now() ratelimit.Instant { return w.watch.now() }

func (w *live) wait(until ratelimit.Instant) *event {
	select {
	case e := <-w.events: // an answer that is here comes before a departure that is due
		return &e
	default:
	}
	for waited := false; ; waited = true {
		if w.watch.jumped() {
			return w.wakeUp()
		}
		left, nap := w.nap(until)
		if waited && nap <= 0 {
			return nil
		}
		w.timer.Reset(min(nap, longNap))
		select {
		case e := <-w.events:
			return &e
		case <-w.quit:
			w.quit = nil
			return &event{stop: stopInterrupted()}
		case <-left:
			return &event{room: true}
		case <-w.timer.C:
		}
	}
}

// nap is how long to wait before the next step is decided on, for ever while there is no room for it; then left tells of some.
func (w *live) nap(until ratelimit.Instant) (left <-chan struct{}, nap time.Duration) {
	const ever = time.Duration(math.MaxInt64)
	switch {
	case w.full():
		return w.left, ever
	case until == ratelimit.Never:
		return nil, ever
	}
	w.tellWait(until)
	return nil, until.Add(-lookahead).Sub(w.now())
}

// mostAhead is how many steps of a number may be decided on and not have left: 10 ms of the pace, at least one. More would be no use while a slow disk holds
// them up, a kill would make all of them uncertain, and their instants would pass while the loop went on as if they had left in time.
func mostAhead(gap time.Duration) int {
	const most = 10 * time.Millisecond
	return max(int((most+gap-1)/max(gap, 1)), 1)
}

func (w *live) full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ahead > 0 && w.ahead >= w.room
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

func (w *live) depart(d *departed, at ratelimit.Instant) {
	room := 0
	for _, n := range w.numbers {
		room += mostAhead(n.Policy.Pace().Gap())
	}
	p := w.numbers[d.item.Number].Policy
	l := launch{departed: *d, at: at, gap: p.Pace().Gap(), slack: p.Throughput.Slack()}
	w.mu.Lock()
	w.intents = append(w.intents, Intent{Seq: int(d.item.Seq), Attempt: int(d.item.Attempts), At: at})
	w.leaving = append(w.leaving, l)
	w.room = room
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
	w.deaf()
	close(w.wake)
	w.work.Wait()
	w.timer.Stop()
	return w.err
}

// launchAll lets each step leave at its instant, in order. After a stall, a step that is later than the limit's slack starts a new rhythm of its
// number and those behind it keep the gap: a stall is never followed by a burst.
func (w *live) launchAll() {
	sleep := time.Sleep
	if w.Exact {
		fine, done := fineSleep()
		defer done()
		sleep = fine
	}
	floors := make([]ratelimit.Instant, len(w.numbers)) // no step of the number leaves before; 0 while its rhythm holds
	for l := range w.launch {
		floor := &floors[l.item.Number]
		sleep(max(l.at, *floor).Sub(w.now()))
		*floor = 0
		if w.watch.jumped() { // somebody looks around first
			w.leaves(1)
			w.events <- event{slept: &l.departed}
			continue
		}
		if left := w.now(); left.Sub(l.at) > l.slack {
			*floor = left.Add(l.gap)
			w.events <- event{late: &late{l.item.Number, left}}
		}
		w.leaves(1)
		w.work.Go(func() { w.request(l) })
	}
}

// request sends one step and brings its answer to the loop.
func (w *live) request(l launch) {
	left := w.now()
	answer := w.numbers[l.item.Number].Provider.Send(w.ctx, l.step)
	at := w.now()
	w.observe(l.step, Observation{At: at, Answer: &answer})
	w.events <- event{arrival: &arrival{departed: l.departed, Left: left, At: at, Answer: answer}}
}

func (w *live) observe(s Step, o Observation) {
	if w.Observe != nil {
		w.Observe(s, o)
	}
}
