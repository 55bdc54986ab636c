package campaign_test

import (
	"slices"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

// TestNewsInAnyOrder holds, for random news at random times through random faults, that nothing is accepted twice unless it came back, that
// nobody is lost, and that who left gets nothing that was decided later.
func TestNewsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawRich(rt)
		s.limits.Deadline, s.limits.Quiet, s.limits.Start, s.onTier = 0, quiet.Hours{}, 0, "stop" // so that it lasts minutes, which is 4 questions a second
		faults, err := emulator.ParseFaults(rapid.SampledFrom([]string{"", "131056:0.3", "130429:0.1,131056:0.1", "131000:0.1,131026:0.1", "drop-response:0.05,hold:0.01"}).Draw(rt, "faults"))
		if err != nil {
			rt.Fatal(err)
		}
		s.options.Faults, s.options.Seed = faults, rapid.Uint64().Draw(rt, "seed")
		s.options.Latency = time.Duration(rapid.IntRange(0, 9000).Draw(rt, "latency in ms")) * time.Millisecond
		plan := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bulletin { return drawBulletin(t, s) }), 0, 12).Draw(rt, "news")
		slices.SortStableFunc(plan, func(a, b bulletin) int { return int(a.After - b.After) })
		on := false
		plan = append(plan, bulletin{After: 2 * time.Minute, News: campaign.News{Pause: &on, Pace: new(ratelimit.Pace(0))}})
		d := newsroom(&s, plan...)
		m, em, stop := s.run(t)
		if stop != nil && stop.Err != nil {
			rt.Fatalf("the send stopped: %v", stop)
		}
		gone := map[int]int{}
		for _, seq := range d.withdrawn {
			gone[seq]++
		}
		sent := map[int]int{}
		for _, r := range m.results {
			if r.State == campaign.Sent {
				sent[r.Seq]++
			}
		}
		for seq := range s.people {
			r, ok := m.last(seq)
			pending := !ok || r.State == campaign.Pending
			if gone[seq] > 1 || (gone[seq] == 1) != pending && stop == nil {
				rt.Errorf("message %d: withdrawn %d times, last state %q", seq, gone[seq], r.State)
			}
			backs := 0
			for _, one := range m.results {
				if one.Seq == seq && one.Left == 0 && one.Answer.Code == 131056 {
					backs++
				}
			}
			if sent[seq] > 1+backs {
				rt.Errorf("message %d was sent %d times, and came back %d times", seq, sent[seq], backs)
			}
		}
		if opened := len(m.intents); opened != answers(m) {
			rt.Errorf("%d intents, %d answers", opened, answers(m))
		}
		if refused := em.Ledger().Refused["pair"]; refused > 0 {
			rt.Errorf("%d were refused by the pair limit", refused)
		}
	})
}

// answers counts the results of requests.
func answers(m *memory) (n int) {
	for _, r := range m.results {
		if r.Left != 0 || r.Answer.Class == outcome.CallsWait {
			n++
		}
	}
	return n
}

func drawBulletin(t *rapid.T, s send) bulletin {
	b := bulletin{After: time.Duration(rapid.IntRange(0, 40_000).Draw(t, "after in ms")) * time.Millisecond}
	who := func(name string) uint64 { return digits(rapid.IntRange(0, 150).Draw(t, name)) }
	numbers := max(len(s.limits.Numbers), 1)
	b.News.Numbers = make([]campaign.NumberNews, numbers)
	one := &b.News.Numbers[rapid.IntRange(0, numbers-1).Draw(t, "number")]
	switch rapid.SampledFrom([]string{"pause", "pace", "level", "tier", "spent", "wrote", "inbound", "left", "fails", "stop"}).Draw(t, "kind") {
	case "pause":
		b.News.Pause = new(rapid.Bool().Draw(t, "on"))
	case "pace":
		b.News.Pace = new(ratelimit.Pace(rapid.IntRange(0, 20_000).Draw(t, "pace")))
	case "level":
		one.Level = 80
	case "tier":
		one.Tier = new(rapid.IntRange(0, 100).Draw(t, "people"))
	case "spent":
		one.Spent = map[uint64][]ratelimit.Instant{who("spent on"): {start.Add(b.After)}}
	case "wrote":
		one.Wrote = []ratelimit.Message{{Recipient: who("wrote"), OpenUntil: start.Add(b.After + time.Hour)}}
	case "inbound":
		one.Inbound, one.InboundOver = rapid.IntRange(0, 300).Draw(t, "inbound"), 10*time.Second
	case "left":
		b.News.Left = map[uint64]bool{who("left"): false, who("left too"): true}
	case "fails":
		b.Fails = rapid.SliceOfN(rapid.IntRange(0, len(s.people)-1), 1, 20).Draw(t, "fails")
	case "stop":
		if rapid.IntRange(0, 9).Draw(t, "stops") == 0 {
			b.News.Stop = &campaign.Stopped{Why: "stop", Harm: true}
		}
	}
	return b
}

// What is told to come back and has not left, or is on its way, goes once; so does what comes back beside a message of its person that flies.
func TestBackTooEarly(t *testing.T) {
	s := everybody(50, "")
	s.options.Latency = 3 * time.Second
	s.tune = func(_ *campaign.Sender, m *memory) {
		for i, who := range []int{7, 40} {
			step := m.steps[who]
			step.Seq, step.ID = 50+i, step.ID+"-again"
			m.steps = append(m.steps, step)
		}
	}
	var again []campaign.Item
	for _, who := range []int{7, 45} { // one flies by then, one waits
		again = append(again, campaign.Item{Message: ratelimit.Message{Recipient: digits(who)}, Seq: uint32(who)})
	}
	again = append(again, campaign.Item{Message: ratelimit.Message{Recipient: digits(7)}, Seq: 50, Attempts: 1}, campaign.Item{Message: ratelimit.Message{Recipient: digits(40)}, Seq: 51, Attempts: 1})
	newsroom(&s, bulletin{After: 250 * time.Millisecond, News: campaign.News{Again: again}})
	m, em, stop := s.run(t)
	if stop != nil || em.Ledger().Accepted != 52 || em.Ledger().AcceptedTwice != 0 {
		t.Fatalf("stopped by %v, accepted %d, twice %d", stop, em.Ledger().Accepted, em.Ledger().AcceptedTwice)
	}
	left := departures(m)
	if left[7] > time.Second || left[50] < 9*time.Second || left[50] > 10*time.Second {
		t.Errorf("to the same person: %v, and then %v; want 6 s after the answer, which took 3 s", left[7], left[50])
	}
	if refused := em.Ledger().Refused["pair"]; refused > 0 {
		t.Errorf("%d were refused by the pair limit", refused)
	}
}
