package campaign

import (
	"sync/atomic"
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

const (
	wakeGap = time.Minute      // a jump of the wall clock that is longer means that the machine slept, or that the clock was set
	longNap = 30 * time.Second // the wall clock is looked at so often at the least
)

// watch is the sender's own clock. It goes on with the time that passes, sleep of the machine included, whatever anybody sets the wall clock to:
// the limits count by it. Quiet hours and the deadline go by the wall clock.
type watch struct {
	wall   func() time.Time
	asleep func() time.Duration // how long the machine has slept since it was started; nil: not known
	start  time.Time            // read with its monotonic part
	base   atomic.Int64         // the instant of start, and what the machine slept since
	civil  atomic.Int64         // by how much the wall clock was ahead when it was last looked at
	slept  time.Duration        // asleep, then
}

func newWatch(wall func() time.Time, asleep func() time.Duration) *watch {
	if wall == nil {
		wall = time.Now
	}
	w := &watch{wall: wall, asleep: asleep, start: time.Now()}
	w.base.Store(int64(ratelimit.At(wall())))
	if asleep != nil {
		w.slept = asleep()
	}
	return w
}

func (w *watch) now() ratelimit.Instant {
	return ratelimit.Instant(w.base.Load()).Add(time.Since(w.start))
}

// jump is how far the wall clock has jumped since it was last set.
func (w *watch) jump() time.Duration {
	return ratelimit.At(w.wall()).Sub(w.now()) - time.Duration(w.civil.Load())
}

// jumped says whether the wall clock has jumped by more than what is worth a look.
func (w *watch) jumped() bool { return w.jump().Abs() > wakeGap }

// set takes a jump over. What the machine slept has passed; where that is not known, a jump ahead is taken for sleep.
func (w *watch) set() (jump, civil time.Duration) {
	jump = w.jump()
	slept := max(jump, 0)
	if w.asleep != nil {
		total := w.asleep()
		slept, w.slept = max(total-w.slept, 0), total
	}
	w.base.Add(int64(slept))
	w.civil.Add(int64(jump - slept))
	return jump, time.Duration(w.civil.Load())
}

// wakeUp is what a sender does when the wall clock has jumped: it lets somebody look around before anything more leaves.
func (w *live) wakeUp() *event {
	jump, civil := w.watch.set()
	var n News
	if w.Woke != nil && jump > 0 {
		n = w.Woke(w.asked, jump)
	}
	n.civil = &civil
	return &event{news: &n}
}

// notSent is the result of a step whose intent is written and that did not leave.
func notSent(d *departed, now ratelimit.Instant) Result {
	return Result{Seq: int(d.item.Seq), Attempt: int(d.item.Attempts), At: now, State: Pending,
		Answer: Answer{Class: outcome.CallsWait, Details: "it did not leave: this machine had slept"}}
}
