package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

func TestNewsStops(t *testing.T) {
	s := everybody(300, "")
	newsroom(&s, bulletin{After: time.Second, News: campaign.News{Stop: &campaign.Stopped{Code: 131031, Why: "restricted", Harm: true, Resume: "look"}}})
	m, em, stop := s.run(t)
	if stop == nil || stop.Code != 131031 || !stop.Harm {
		t.Fatalf("stopped by %+v", stop)
	}
	sent := em.Ledger().Accepted
	if sent < 70 || sent > 80 || m.states()[campaign.Sent] != sent || between(m, 1010*time.Millisecond, time.Hour) > 0 {
		t.Errorf("accepted %d, states %v, %d left after the order", sent, m.states(), between(m, 1010*time.Millisecond, time.Hour))
	}
}

func TestNewsPauses(t *testing.T) {
	s := everybody(200, "")
	var heard []string
	s.tune = func(sender *campaign.Sender, _ *memory) {
		sender.Heard = func(n campaign.News, _ int) {
			if n.Pause != nil {
				heard = append(heard, fmt.Sprint(*n.Pause, " ", ratelimit.At(time.Now()).Sub(start)))
			}
		}
	}
	order := func(after time.Duration, on bool) bulletin {
		return bulletin{After: after, News: campaign.News{Pause: &on}}
	}
	newsroom(&s, order(time.Second, true), order(30*time.Second, true), order(time.Hour, false))
	m, em, stop := s.run(t)
	if stop != nil || em.Ledger().Accepted != 200 || em.Ledger().AcceptedTwice != 0 {
		t.Fatalf("stopped by %v, accepted %d", stop, em.Ledger().Accepted)
	}
	if n := between(m, 1010*time.Millisecond, time.Hour); n > 0 {
		t.Errorf("%d left while it was paused", n)
	}
	if diff := gocmp.Diff([]string{"true 1s", "false 1h0m0s"}, heard); diff != "" {
		t.Errorf("told (-want +got)\n%s", diff)
	}
	if n := between(m, time.Hour, time.Hour+time.Second); n < 70 || n > 77 {
		t.Errorf("%d left in the second after it went on: it must neither stand still nor catch up", n)
	}
}

// A pause that was ordered before the start holds from the first message on, and an interrupt ends it.
func TestPausedFromTheStart(t *testing.T) {
	s := everybody(20, "")
	s.quit = time.Minute
	newsroom(&s, bulletin{News: campaign.News{Pause: new(true)}})
	m, _, stop := s.run(t)
	if stop == nil || stop.Why != "interrupted" || len(m.intents) != 0 {
		t.Errorf("stopped by %v after %d intents", stop, len(m.intents))
	}
}

// A pause does not outlive the deadline: nothing that is left could leave, so nobody has to resume it first.
func TestPausedPastTheDeadline(t *testing.T) {
	s := everybody(300, "")
	s.limits.Deadline = start.Add(time.Minute)
	s.quit = 2 * time.Hour // where the pause holds it for ever
	newsroom(&s, bulletin{After: time.Second, News: campaign.News{Pause: new(true)}}, bulletin{After: 2 * time.Minute})
	m, em, stop := s.run(t)
	if stop == nil || stop.Harm || !strings.Contains(stop.Why, "deadline") {
		t.Fatalf("stopped by %v", stop)
	}
	if sent := em.Ledger().Accepted; sent == 0 || sent > 80 || m.states()[campaign.Sent] != sent {
		t.Errorf("accepted %d, states %v", sent, m.states())
	}
}

// A pause keeps no run that has nothing left to send.
func TestPausedAtTheEnd(t *testing.T) {
	s := everybody(10, "")
	newsroom(&s, bulletin{After: 250 * time.Millisecond, News: campaign.News{Pause: new(true)}})
	if m, _, stop := s.run(t); stop != nil || m.states()[campaign.Sent] != 10 {
		t.Errorf("stopped by %v, states %v", stop, m.states())
	}
}

func TestNewsChangeThePace(t *testing.T) {
	paced := func(after time.Duration, p ratelimit.Pace) bulletin {
		return bulletin{After: after, News: campaign.News{Pace: &p}}
	}
	one := func(after time.Duration, n campaign.NumberNews) bulletin {
		return bulletin{After: after, News: campaign.News{Numbers: []campaign.NumberNews{n}}}
	}
	for name, tt := range map[string]struct {
		plan  []bulletin
		level int // of the emulator
		want  []int
	}{
		"slower":          {[]bulletin{paced(time.Second, 10_000)}, 80, []int{76, 10, 10}},
		"faster again":    {[]bulletin{paced(0, 1), paced(time.Second, 50_000), paced(2*time.Second, 0)}, 80, []int{0, 50, 76}},
		"upgraded":        {[]bulletin{one(time.Second, campaign.NumberNews{Level: 1000})}, 1000, []int{76, 950, 950}},
		"people write":    {[]bulletin{one(time.Second, campaign.NumberNews{Inbound: 360, InboundOver: 10 * time.Second})}, 80, []int{76, 40, 40}},
		"nobody writes":   {[]bulletin{one(0, campaign.NumberNews{Inbound: 360, InboundOver: 10 * time.Second}), one(time.Second, campaign.NumberNews{InboundOver: time.Second})}, 80, []int{40, 76, 76}},
		"order and level": {[]bulletin{paced(0, 20_000), one(time.Second, campaign.NumberNews{Level: 1000})}, 1000, []int{20, 20, 20}},
	} {
		t.Run(name, func(t *testing.T) {
			s := everybody(3000, "")
			s.options.MPS, s.options.Latency = tt.level, 20*time.Millisecond
			s.quit = 3100 * time.Millisecond
			newsroom(&s, tt.plan...)
			m, em, _ := s.run(t)
			for i, want := range tt.want {
				from := time.Duration(i)*time.Second + 15*time.Millisecond
				if got := between(m, from, from+time.Second-15*time.Millisecond); got < want*97/100-1 || got > want+1 {
					t.Errorf("second %d: %d left, want %d", i, got, want)
				}
			}
			if n := em.Ledger().Refused["throughput"]; n > 0 {
				t.Errorf("%d were refused", n)
			}
		})
	}
}

// A messaging limit that comes, shrinks, grows or goes while a send runs holds at once; who counts already is counted.
func TestNewsChangeTheTier(t *testing.T) {
	tier := func(after time.Duration, n int, people map[uint64]ratelimit.Instant) bulletin {
		return bulletin{After: after, News: campaign.News{Numbers: []campaign.NumberNews{{Tier: &n, People: people}}}}
	}
	known := map[uint64]ratelimit.Instant{}
	for i := range 100 {
		known[digits(5000+i)] = start.Add(-time.Hour)
	}
	for name, tt := range map[string]struct {
		before int
		plan   []bulletin
		sent   [2]int // at least, at most
		stops  bool
	}{
		"shrinks":              {200, []bulletin{tier(time.Second, 120, nil)}, [2]int{120, 120}, true},
		"shrinks below used":   {200, []bulletin{tier(2*time.Second, 50, nil)}, [2]int{150, 155}, true},
		"grows":                {100, []bulletin{tier(time.Second, 250, nil)}, [2]int{250, 250}, true},
		"goes":                 {100, []bulletin{tier(time.Second, 0, nil)}, [2]int{300, 300}, false},
		"comes":                {0, []bulletin{tier(0, 250, known)}, [2]int{150, 150}, true},
		"comes and goes":       {0, []bulletin{tier(time.Second, 10, known), tier(1250*time.Millisecond, 0, nil)}, [2]int{300, 300}, false},
		"the same is no order": {250, []bulletin{tier(time.Second, 250, nil)}, [2]int{250, 250}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := everybody(300, "")
			s.limits.Tier = tt.before
			s.options.Tier = 0
			s.options.Latency = 3 * time.Second // a send that has nothing left to ask about hears nothing more
			s.onTier = "stop"
			newsroom(&s, tt.plan...)
			_, em, stop := s.run(t)
			if n := em.Ledger().Accepted; n < tt.sent[0] || n > tt.sent[1] || (stop != nil) != tt.stops {
				t.Errorf("%d were sent, want %v; stopped by %v", n, tt.sent, stop)
			}
		})
	}
}

// What the platform took and failed later goes again when the pair has rested; others are not held up.
func TestNewsBringBack(t *testing.T) {
	s := everybody(100, "")
	s.people = append(s.people, 3, 3) // somebody who gets three
	d := newsroom(&s, bulletin{After: time.Second, Fails: []int{0, 3, 4, 4, 99}}, bulletin{After: 20 * time.Second, Fails: []int{0, 4}})
	m, em, stop := s.run(t)
	if stop != nil || m.states()[campaign.Sent] != len(s.people) {
		t.Fatalf("stopped by %v, states %v", stop, m.states())
	}
	if got, want := em.Ledger().Accepted, len(s.people)+3; got != want { // 99 had not been sent, 0 and 4 had gone a second time before they failed again
		t.Errorf("accepted %d, want %d", got, want)
	}
	left := departures(m)
	if at := left[0]; at < 7*time.Second || at > 8*time.Second {
		t.Errorf("message 0 left again after %v, want 6 s after it came back", at)
	}
	if at := left[99]; at > 2*time.Second {
		t.Errorf("the others were held up until %v", at)
	}
	if len(d.withdrawn) != 0 {
		t.Errorf("withdrawn: %v", d.withdrawn)
	}
	for by, n := range em.Ledger().Refused {
		if n > 0 {
			t.Errorf("%d were refused by %s", n, by)
		}
	}
}

// A part of a campaign sends nothing that is not in it.
func TestPartSendsItsOwn(t *testing.T) {
	for _, part := range []bool{true, false} {
		s := everybody(50, "")
		s.tune = func(sender *campaign.Sender, m *memory) {
			sender.Part = part
			m.steps = append(m.steps, campaign.Step{Seq: 50, ID: "step-50", NumberID: "1", Recipient: campaign.Recipient{Phone: fmt.Sprintf("+%d", digits(7))}, Message: m.steps[0].Message})
		}
		earlier := campaign.Item{Message: ratelimit.Message{Recipient: digits(7)}, Seq: 50, Attempts: 1}
		newsroom(&s, bulletin{After: 250 * time.Millisecond, News: campaign.News{Again: []campaign.Item{earlier}}})
		m, em, stop := s.run(t)
		want := 51
		if part {
			want = 50
		}
		if stop != nil || em.Ledger().Accepted != want || em.Ledger().Refused["pair"] > 0 {
			t.Errorf("part %v: stopped by %v, accepted %d, want %d; refused %v", part, stop, em.Ledger().Accepted, want, em.Ledger().Refused)
		}
		if r, ok := m.last(50); !part && (!ok || r.Left.Sub(start) < 6*time.Second) {
			t.Errorf("what came back from an earlier run left at %v", r.Left.Sub(start))
		}
	}
}

// Others wrote to somebody from the number: the pair rests, whatever was planned for it.
func TestNewsSpend(t *testing.T) {
	s := everybody(100, "")
	s.people = append(s.people, 90, 90)
	spent := map[uint64][]ratelimit.Instant{}
	for _, who := range []int{0, 50, 90, 1000} { // sent already, alone, with several, not of the campaign
		spent[digits(who)] = []ratelimit.Instant{start, start.Add(100 * time.Millisecond)}
	}
	newsroom(&s, bulletin{After: 250 * time.Millisecond, News: campaign.News{Numbers: []campaign.NumberNews{{Spent: spent}}}})
	m, em, stop := s.run(t)
	if stop != nil || em.Ledger().Accepted != len(s.people) {
		t.Fatalf("stopped by %v, accepted %d", stop, em.Ledger().Accepted)
	}
	left := departures(m)
	for seq, want := range map[int][2]time.Duration{50: {12 * time.Second, 13 * time.Second}, 51: {0, 2 * time.Second},
		100: {18 * time.Second, 20 * time.Second}, 101: {24 * time.Second, 27 * time.Second}} {
		if at := left[seq]; at < want[0] || at > want[1] {
			t.Errorf("message %d left after %v, want %v", seq, at, want)
		}
	}
}

// Who writes needs no slot of a messaging limit that is used up.
func TestNewsOpenWindows(t *testing.T) {
	s := everybody(50, "")
	s.people = append(s.people, 45, 47, 46)
	s.limits.Tier, s.onTier = 30, "stop"
	s.options.Latency = 2 * time.Second
	wrote := []ratelimit.Message{}
	for _, who := range []int{3, 40, 45, 49, 2000} {
		wrote = append(wrote, ratelimit.Message{Recipient: digits(who), OpenUntil: start.Add(24 * time.Hour)})
	}
	wrote = append(wrote, ratelimit.Message{Recipient: digits(48), OpenUntil: start}) // long closed
	newsroom(&s, bulletin{After: time.Second, News: campaign.News{Numbers: []campaign.NumberNews{{Wrote: wrote}}}})
	m, em, stop := s.run(t)
	if stop == nil || !strings.Contains(stop.Why, "messaging limit") {
		t.Fatalf("stopped by %v", stop)
	}
	left := departures(m)
	if got := em.Ledger().Accepted; got != 30+3+2 { // the limit, the second messages of those who have a slot, and two of those who wrote
		t.Errorf("accepted %d", got)
	}
	for _, seq := range []int{40, 45, 49, 50} {
		if _, ok := left[seq]; !ok {
			t.Errorf("message %d, to somebody who wrote, did not leave", seq)
		}
	}
	if _, ok := left[48]; ok {
		t.Error("a window that has closed counted")
	}
}

// Who leaves gets nothing more: not what waits, not what is refused and would go again, not what comes back.
func TestNewsLeave(t *testing.T) {
	s := everybody(100, "131056:0.5")
	s.people = append(s.people, 60, 60, 99)
	left := map[uint64]bool{}
	for _, who := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 60, 70, 5000} {
		left[digits(who)] = who == 70 // of marketing alone
	}
	for _, marketing := range []bool{false, true} {
		t.Run(fmt.Sprint("marketing ", marketing), func(t *testing.T) {
			var told int
			s.tune = func(sender *campaign.Sender, _ *memory) {
				sender.Marketing = marketing
				sender.Heard = func(_ campaign.News, n int) { told += n }
			}
			d := newsroom(&s, bulletin{After: 250 * time.Millisecond, News: campaign.News{Left: left}}, bulletin{After: 10 * time.Second, Fails: []int{0, 1, 2, 3, 4}})
			m, em, stop := s.run(t)
			if stop != nil || em.Ledger().AcceptedTwice != 0 {
				t.Fatalf("stopped by %v, twice %d", stop, em.Ledger().AcceptedTwice)
			}
			slices.Sort(d.withdrawn)
			if !slices.IsSorted(d.withdrawn) || len(slices.Compact(slices.Clone(d.withdrawn))) != len(d.withdrawn) {
				t.Errorf("withdrawn twice: %v", d.withdrawn)
			}
			gone := map[int]bool{}
			for _, seq := range d.withdrawn {
				gone[seq] = true
			}
			for _, seq := range []int{60, 100, 101} {
				if !gone[seq] {
					t.Errorf("message %d was not withdrawn", seq)
				}
			}
			if gone[70] != marketing || gone[99] || gone[102] {
				t.Errorf("withdrawn %v", d.withdrawn)
			}
			for at, r := range m.results {
				if left[digits(s.people[r.Seq])] == false && r.Left.Sub(start) > 260*time.Millisecond && s.people[r.Seq] < 10 {
					t.Errorf("result %d: message %d to somebody who left, after %v", at, r.Seq, r.Left.Sub(start))
				}
			}
			for seq := range s.people {
				r, _ := m.last(seq)
				if pending := r.State == campaign.Pending || r.State == ""; pending != gone[seq] {
					t.Errorf("message %d: withdrawn %v, state %q", seq, gone[seq], r.State)
				}
			}
			if told == 0 {
				t.Error("nobody was told")
			}
		})
	}
}

// The state cannot be written when somebody leaves: the send ends, and says so.
func TestLeaveOnAFullDisk(t *testing.T) {
	s := everybody(200, "")
	d := newsroom(&s, bulletin{After: time.Second, News: campaign.News{Left: map[uint64]bool{digits(199): false}}})
	full := errors.New("no space left on device")
	tune := s.tune
	s.tune = func(sender *campaign.Sender, m *memory) {
		tune(sender, m)
		sender.Control = stuck{d, full}
	}
	m, _, stop := s.run(t)
	if stop == nil || !errors.Is(stop, full) || m.states()[campaign.Sent] > 100 {
		t.Errorf("stopped by %v, states %v", stop, m.states())
	}
}

type stuck struct {
	*desk
	err error
}

func (s stuck) Withdraw(context.Context, []int, string) (int, error) { return 0, s.err }
