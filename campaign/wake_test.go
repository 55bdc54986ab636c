package campaign_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// leap is a jump of the wall clock so long after the start of a bubble; slept is what of it the machine slept.
type leap struct {
	After, By, Slept time.Duration
}

// leaps gives a send a wall clock that jumps. Where known is false nobody can tell how long the machine slept.
func leaps(s *send, known bool, all ...leap) {
	passed := func(part func(leap) time.Duration) (sum time.Duration) {
		for _, l := range all {
			if ratelimit.At(time.Now()).Sub(start) >= l.After {
				sum += part(l)
			}
		}
		return sum
	}
	tune := s.tune
	s.tune = func(sender *campaign.Sender, m *memory) {
		sender.Wall = func() time.Time { return time.Now().Add(passed(func(l leap) time.Duration { return l.By })) }
		if known {
			sender.Asleep = func() time.Duration { return passed(func(l leap) time.Duration { return l.Slept }) }
		}
		if tune != nil {
			tune(sender, m)
		}
	}
}

// woken is what a sender asked after each jump ahead.
type woken struct {
	mu    sync.Mutex
	asked []string
}

func (w *woken) on(s *send, answer func(time.Duration) campaign.News) {
	s.tune = func(sender *campaign.Sender, _ *memory) {
		sender.Woke = func(_ context.Context, gap time.Duration) campaign.News {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.asked = append(w.asked, fmt.Sprint(ratelimit.At(time.Now()).Sub(start).Round(100*time.Millisecond), " ", gap.Round(time.Second)))
			return answer(gap)
		}
	}
}

func nothingNew(time.Duration) campaign.News { return campaign.News{} }

// After a sleep somebody looks around before anything more leaves, and what was missed is not caught up.
func TestWakesUp(t *testing.T) {
	for _, known := range []bool{true, false} {
		var w woken
		s := everybody(300, "")
		w.on(&s, func(time.Duration) campaign.News {
			time.Sleep(3 * time.Second) // the readings take their time
			return campaign.News{Numbers: []campaign.NumberNews{{Level: 20}}}
		})
		leaps(&s, known, leap{time.Second, 5 * time.Minute, 5 * time.Minute})
		m, em, stop := s.run(t)
		if stop != nil || em.Ledger().Accepted != 300 || em.Ledger().AcceptedTwice != 0 || em.Ledger().Refused["throughput"] > 0 {
			t.Fatalf("stopped by %v, accepted %d, refused %v", stop, em.Ledger().Accepted, em.Ledger().Refused)
		}
		if diff := gocmp.Diff([]string{"1s 5m0s"}, w.asked); diff != "" {
			t.Errorf("asked (-want +got)\n%s", diff)
		}
		for _, r := range m.results {
			at := r.Left.Sub(start)
			if r.Left != 0 && at > time.Second+5*time.Millisecond && at < 5*time.Minute+4*time.Second {
				t.Errorf("message %d left at %v, before anybody had looked around", r.Seq, at)
			}
		}
		if n := between(m, 5*time.Minute+4*time.Second, 5*time.Minute+5*time.Second); n < 18 || n > 20 {
			t.Errorf("%d left in a second at the level that was found, want 19", n)
		}
	}
}

// In a long wait the wall clock is looked at every 30 seconds, so that the sleep counts.
func TestLongWaitLooksAtTheClock(t *testing.T) {
	var w woken
	s := everybody(20, "")
	s.limits.Tier, s.options.Tier = 10, 0
	w.on(&s, nothingNew)
	leaps(&s, true, leap{time.Hour + 10*time.Second, 20 * time.Hour, 20 * time.Hour})
	m, _, stop := s.run(t)
	if stop != nil || m.states()[campaign.Sent] != 20 {
		t.Fatalf("stopped by %v", stop)
	}
	if len(w.asked) != 1 || !strings.HasPrefix(w.asked[0], "1h0m") {
		t.Fatalf("asked %v, want once, within 30 s of the hour", w.asked)
	}
	if last := m.results[len(m.results)-1].Left.Sub(start); last < 24*time.Hour || last > 24*time.Hour+time.Second {
		t.Errorf("the last left %v after the first by the wall clock, want a day", last)
	}
}

// Who looks around may find that nothing more should leave.
func TestWakesUpAndStops(t *testing.T) {
	var w woken
	s := everybody(300, "")
	w.on(&s, func(gap time.Duration) campaign.News {
		return campaign.News{Stop: &campaign.Stopped{Why: fmt.Sprint("slept for ", gap.Round(time.Second)), Resume: "run it again"}}
	})
	leaps(&s, false, leap{time.Second, time.Hour, time.Hour})
	m, em, stop := s.run(t)
	if stop == nil || stop.Harm || stop.Why != "slept for 1h0m0s" {
		t.Fatalf("stopped by %v", stop)
	}
	if sent := em.Ledger().Accepted; sent < 70 || sent > 78 || m.states()[campaign.Sent] != sent || m.states()[campaign.Pending] != 300-sent || answers(m) != len(m.intents) {
		t.Errorf("accepted %d, states %v, %d intents, %d answers", sent, m.states(), len(m.intents), answers(m))
	}
}

// Quiet hours and the deadline go by the wall clock, also when it was set and nobody slept; the limits do not.
func TestClockIsSet(t *testing.T) {
	night := quiet.Hours{From: 23 * time.Hour, To: 8 * time.Hour} // in Sao Paulo it is ten in the evening
	for name, tt := range map[string]struct {
		quiet    quiet.Hours
		deadline time.Duration
		leap     leap
		sent     [2]int // by the second second
		stops    bool
	}{
		"into quiet hours":      {night, 0, leap{time.Second, time.Hour, 0}, [2]int{70, 78}, false},
		"slept into them":       {night, 0, leap{time.Second, time.Hour, time.Hour}, [2]int{70, 78}, false},
		"back, and it is well":  {night, 0, leap{time.Second, -time.Hour, 0}, [2]int{140, 155}, false},
		"past the deadline":     {quiet.Hours{}, time.Hour, leap{time.Second, 2 * time.Hour, 0}, [2]int{70, 78}, true},
		"slept past it":         {quiet.Hours{}, time.Hour, leap{time.Second, 2 * time.Hour, 2 * time.Hour}, [2]int{70, 78}, true},
		"a little is no matter": {quiet.Hours{}, 30 * time.Second, leap{time.Second, 50 * time.Second, 0}, [2]int{140, 155}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := everybody(300, "")
			s.limits.Quiet = tt.quiet
			if tt.deadline > 0 {
				s.limits.Deadline = start.Add(tt.deadline)
			}
			leaps(&s, true, tt.leap)
			m, _, stop := s.run(t)
			if n := between(m, 0, 2*time.Second); n < tt.sent[0] || n > tt.sent[1] || (stop != nil) != tt.stops {
				t.Errorf("%d left at once, want %v; stopped by %v", n, tt.sent, stop)
			}
			if sent := m.states()[campaign.Sent]; !tt.stops && sent != 300 {
				t.Errorf("%d of 300 were sent", sent)
			}
		})
	}
}

// A clock that is set ahead shortens no limit: the pair rests, and the day is a day.
func TestClockSetAheadShortensNothing(t *testing.T) {
	s := everybody(0, "")
	s.people = []int{0, 0, 1, 2}
	s.limits.Tier, s.options.Tier = 2, 2
	leaps(&s, true, leap{time.Second, 30 * time.Hour, 0})
	m, em, stop := s.run(t)
	if stop != nil || em.Ledger().Accepted != 4 {
		t.Fatalf("stopped by %v, accepted %d, refused %v", stop, em.Ledger().Accepted, em.Ledger().Refused)
	}
	left := departures(m)
	if left[1] < 6*time.Second || left[3] < 24*time.Hour {
		t.Errorf("left at %v", left)
	}
}
