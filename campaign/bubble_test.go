package campaign_test

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

// memory is a journal in memory: what is committed, in order.
type memory struct {
	mu      sync.Mutex
	steps   []campaign.Step
	intents []campaign.Intent
	results []campaign.Result
	fail    func(intents []campaign.Intent) error
}

func (m *memory) Commit(_ context.Context, intents []campaign.Intent, results []campaign.Result) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		if err := m.fail(intents); err != nil {
			return err
		}
	}
	m.intents = append(m.intents, intents...)
	m.results = append(m.results, results...)
	return nil
}

func (m *memory) Steps(_ context.Context, seqs []int) ([]campaign.Step, error) {
	steps := make([]campaign.Step, len(seqs))
	for i, seq := range seqs {
		steps[i] = m.steps[seq]
	}
	return steps, nil
}

// states is where each step stands after the last result.
func (m *memory) states() map[campaign.State]int {
	last := make([]campaign.State, len(m.steps))
	for i := range last {
		last[i] = campaign.Pending
	}
	for _, r := range m.results {
		last[r.Seq] = r.State
	}
	count := map[campaign.State]int{}
	for _, s := range last {
		count[s]++
	}
	return count
}

// send is a campaign in a bubble: people[i] is who gets message i.
type send struct {
	people  []int
	limits  campaign.Limits
	options emulator.Options
	onTier  campaign.OnTierLimit // empty: wait
	stop    int                  // failures in a row, 0 none
	fail    func(intents []campaign.Intent) error
	way     http.RoundTripper // nil: to the emulator
	quit    time.Duration     // interrupted after this time, 0 never
}

func (s send) items() []campaign.Item {
	items := make([]campaign.Item, len(s.people))
	for i, who := range s.people {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: digits(who)}, Seq: uint32(i)}
	}
	return items
}

func digits(who int) uint64 { return 5511960000000 + uint64(who) }

// run sends through the real provider and the emulator's handler on a bubble's clock.
func (s send) run(t *testing.T) (*memory, *emulator.Emulator, *campaign.Stopped) {
	m := &memory{fail: s.fail}
	var em *emulator.Emulator
	var stop *campaign.Stopped
	synctest.Test(t, func(t *testing.T) {
		em = emulator.New(s.options)
		if s.way == nil {
			s.way = em.RoundTripper()
		}
		api, err := cloudapi.New(cloudapi.Config{BaseURL: "http://127.0.0.1", Token: "secret", Transport: s.way})
		if err != nil {
			t.Fatal(err)
		}
		for i, who := range s.people {
			m.steps = append(m.steps, campaign.Step{Seq: i, ID: fmt.Sprintf("step-%d", i), NumberID: "1",
				Recipient: campaign.Recipient{Phone: fmt.Sprintf("+%d", digits(who))},
				Message:   template.Message{Type: template.TypeText, Text: "Oi"}})
		}
		sender := campaign.Sender{Provider: api, Journal: m, Policy: s.limits.Policy(ratelimit.At(time.Now())),
			OnTier: cmp.Or(s.onTier, campaign.WaitOnTierLimit), StopAfter: s.stop, Seed: 1}
		ctx := t.Context()
		if s.quit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, s.quit)
			defer cancel()
		}
		stop = sender.Send(ctx, s.items())
	})
	return m, em, stop
}

// happening is one event of a send: a step left or was answered, so long after the first departure.
type happening struct {
	After time.Duration
	What  string
	Seq   int
}

func inOrder(h []happening) []happening {
	slices.SortFunc(h, func(a, b happening) int {
		return cmp.Or(cmp.Compare(a.After, b.After), cmp.Compare(a.What, b.What), cmp.Compare(a.Seq, b.Seq))
	})
	return h
}

func drawSend(t *rapid.T) send {
	level := rapid.SampledFrom([]int{20, 80, 1000}).Draw(t, "level")
	n := rapid.IntRange(1, 120).Draw(t, "messages")
	people := rapid.SliceOfN(rapid.IntRange(0, rapid.IntRange(1, 150).Draw(t, "people")), n, n).Draw(t, "who")
	s := send{people: people, limits: campaign.Limits{
		Number: ratelimit.Throughput{Level: level, Pace: ratelimit.DefaultPace(level, 0)},
		Pair:   ratelimit.PublishedPair(ratelimit.Spaced)}}
	if rapid.Bool().Draw(t, "has a tier") {
		s.limits.Tier = rapid.IntRange(1, 60).Draw(t, "tier")
	}
	s.options = emulator.Options{MPS: level, Tier: s.limits.Tier,
		PairModel: rapid.SampledFrom([]string{emulator.Strict, emulator.Bucket45, emulator.Spaced}).Draw(t, "reading")}
	return s
}

// TestForecastIsTheSend holds the dry-run and a send equal event by event: same steps, same instants, same answers.
func TestForecastIsTheSend(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSend(rt)
		latency := time.Duration(rapid.Int64Range(0, 2000).Draw(rt, "latency in ms")) * time.Millisecond
		s.options.Latency = latency
		m, em, stop := s.run(t)
		if stop != nil {
			rt.Fatalf("the send stopped: %v", stop)
		}
		var sent, foreseen []happening
		first := m.results[0].Left
		for _, r := range m.results {
			first = min(first, r.Left)
		}
		for _, r := range m.results {
			sent = append(sent, happening{r.Left.Sub(first), "left", r.Seq}, happening{r.At.Sub(first), string(r.State), r.Seq})
		}
		campaign.Departures(s.items(), s.limits, 0, latency, func(i campaign.Item, at ratelimit.Instant) {
			after := at.Sub(0)
			foreseen = append(foreseen, happening{after, "left", int(i.Seq)}, happening{after + latency, "sent", int(i.Seq)})
		})
		if diff := gocmp.Diff(inOrder(foreseen), inOrder(sent)); diff != "" {
			rt.Fatalf("forecast (-) and send (+) differ:\n%s", diff)
		}
		nothingRefused(rt, em, len(s.people))
	})
}

// TestNothingRefusedUnderJitter sends over ways of random length in both directions: no reading refuses anything, no pair is asked early.
func TestNothingRefusedUnderJitter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSend(rt)
		seed := rapid.Uint64().Draw(rt, "seed")
		longest := rapid.Uint64Range(1, 5000).Draw(rt, "longest way in ms")
		s.options.MPS = 100 * s.limits.Number.Level // messages bunch on their way: what a second holds on arrival is nobody's to say
		s.options.LatencyFn = func(id string) (in, out time.Duration) {
			return way(seed, id, "in", longest), way(seed, id, "out", longest)
		}
		m, em, stop := s.run(t)
		if stop != nil {
			rt.Fatalf("the send stopped: %v", stop)
		}
		nothingRefused(rt, em, len(s.people))
		answered := map[int]ratelimit.Instant{}
		for _, r := range m.results {
			who := s.people[r.Seq]
			if before, ok := answered[who]; ok && r.Left.Sub(before) < ratelimit.PairInterval {
				rt.Fatalf("asked %v after the answer before", r.Left.Sub(before))
			}
			answered[who] = r.At
		}
	})
}

func way(seed uint64, id, direction string, longest uint64) time.Duration {
	h := fnv.New64a()
	fmt.Fprint(h, seed, id, direction)
	return time.Duration(h.Sum64()%longest) * time.Millisecond
}

func nothingRefused(t *rapid.T, em *emulator.Emulator, messages int) {
	ledger := em.Ledger()
	for by, n := range ledger.Refused {
		if n > 0 {
			t.Fatalf("%d messages were refused by %s", n, by)
		}
	}
	if int(ledger.Accepted) != messages || ledger.AcceptedTwice != 0 {
		t.Fatalf("accepted %d of %d, %d of them twice", ledger.Accepted, messages, ledger.AcceptedTwice)
	}
}
