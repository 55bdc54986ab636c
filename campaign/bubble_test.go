package campaign_test

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/quiet"
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
	onTier  string // empty: wait
	stop    int    // failures in a row, 0 none
	fail    func(intents []campaign.Intent) error
	way     http.RoundTripper               // nil: to the emulator
	quit    time.Duration                   // interrupted after this time, 0 never
	numbers []int                           // numbers[i] is who sends message i, from 0; nil: one number sends all
	open    []time.Duration                 // open[i] is how long the window of the recipient of message i is open yet; nil: none is
	before  []int                           // people who were written to an hour before
	tune    func(*campaign.Sender, *memory) // the last touch to the sender; may be nil
}

func (s send) items() []campaign.Item {
	items := make([]campaign.Item, len(s.people))
	for i, who := range s.people {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: digits(who)}, Seq: uint32(i)}
		if s.numbers != nil {
			items[i].Number = uint16(s.numbers[i])
		}
		if s.open != nil && s.open[i] > 0 {
			items[i].OpenUntil = start.Add(s.open[i])
		}
	}
	return items
}

// start is when a bubble's clock begins.
var start = ratelimit.At(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))

// number is the id of a message's number.
func (s send) number(message int) string {
	if s.numbers == nil {
		return "1"
	}
	return fmt.Sprint(s.numbers[message] + 1)
}

// lines are the numbers of a sender, all with one way to the platform.
func (s send) lines(p campaign.Provider, now ratelimit.Instant) (lines []campaign.Line) {
	for _, policy := range s.limits.Policies(now) {
		lines = append(lines, campaign.Line{Provider: p, Policy: policy})
	}
	return lines
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
			m.steps = append(m.steps, campaign.Step{Seq: i, ID: fmt.Sprintf("step-%d", i), NumberID: s.number(i),
				Recipient: campaign.Recipient{Phone: fmt.Sprintf("+%d", digits(who))},
				Message:   template.Message{Type: template.TypeText, Text: "Oi"}})
		}
		lines := s.lines(api, ratelimit.At(time.Now()))
		sender := campaign.Sender{Provider: api, Journal: m, Policy: lines[0].Policy, More: lines[1:], Quiet: s.limits.Quiet, Deadline: s.limits.Deadline,
			OnTier: cmp.Or(s.onTier, campaign.WaitOnTierLimit), StopAfter: s.stop, Seed: 1}
		ctx := t.Context()
		if s.quit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, s.quit)
			defer cancel()
		}
		if s.tune != nil {
			s.tune(&sender, m)
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

// drawRich adds to a send what the dry-run and the sender know beyond the limits: several numbers of one or two portfolios, bursts, service
// windows, earlier messages, quiet hours, a start and a deadline.
func drawRich(t *rapid.T) send {
	s := drawSend(t)
	n := len(s.people)
	s.options.Tier = 0 // the emulator has one portfolio, and knows no service windows and nothing of earlier days
	if rapid.Bool().Draw(t, "several numbers") {
		s.limits.Numbers = rapid.SliceOfN(rapid.Custom(drawNumber), 2, 4).Draw(t, "numbers")
		s.numbers = rapid.SliceOfN(rapid.IntRange(0, len(s.limits.Numbers)-1), n, n).Draw(t, "senders")
		s.options.MPS = 1000
	}
	if rapid.Bool().Draw(t, "bursts") {
		s.limits.Pair.Bubbles = rapid.IntRange(2, 8).Draw(t, "bubbles")
		s.options.PairModel = rapid.SampledFrom([]string{emulator.Strict, emulator.Bucket45}).Draw(t, "reading of bursts")
	}
	if rapid.Bool().Draw(t, "windows") {
		each := rapid.SliceOfN(rapid.SampledFrom([]time.Duration{0, 0, time.Second, time.Minute, 20 * time.Hour}), 151, 151).Draw(t, "open for")
		for _, who := range s.people {
			s.open = append(s.open, each[who])
		}
	}
	if rapid.Bool().Draw(t, "earlier messages") {
		s.before = rapid.SliceOfNDistinct(rapid.IntRange(0, 60), 1, 20, rapid.ID[int]).Draw(t, "earlier")
	}
	if rapid.Bool().Draw(t, "quiet") {
		hour := func(name string) time.Duration { return time.Duration(rapid.IntRange(0, 23).Draw(t, name)) * time.Hour }
		s.limits.Quiet = quiet.Hours{From: hour("from"), To: hour("to")}
	}
	if rapid.Bool().Draw(t, "start") {
		s.limits.Start = start.Add(time.Duration(rapid.IntRange(1, 100).Draw(t, "starts after")) * time.Minute)
	}
	if rapid.Bool().Draw(t, "deadline") {
		s.limits.Deadline = start.Add(time.Duration(rapid.IntRange(1, 2000).Draw(t, "deadline after")) * time.Minute)
	}
	before := func(p *ratelimit.Policy) {
		for i, who := range s.before {
			at := start.Add(time.Duration(i-20) * time.Second)
			p.Remember(digits(who), at)
			if p.Messaging != nil {
				p.Messaging.Charge(digits(who), at)
			}
		}
	}
	s.limits.Before = before
	for i := range s.limits.Numbers {
		s.limits.Numbers[i].Before = before
	}
	return s
}

func drawNumber(t *rapid.T) campaign.Number {
	level := rapid.SampledFrom([]int{20, 80, 1000}).Draw(t, "level")
	return campaign.Number{Portfolio: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "portfolio"),
		Throughput: ratelimit.Throughput{Level: level, Pace: ratelimit.DefaultPace(level, 0)}}
}

// TestForecastIsTheSend holds the dry-run and a send equal event by event: same steps, same instants, same answers.
func TestForecastIsTheSend(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) send{"limits": drawSend, "everything": drawRich} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				s := draw(rt)
				latency := time.Duration(rapid.Int64Range(0, 2000).Draw(rt, "latency in ms")) * time.Millisecond
				s.options.Latency = latency
				m, em, stop := s.run(t)
				if stop != nil && (s.limits.Deadline == 0 || !strings.Contains(stop.Why, "deadline")) {
					rt.Fatalf("the send stopped: %v", stop)
				}
				foreseen := s.foreseen(latency)
				if diff := gocmp.Diff(foreseen, inOrder(s.sent(m))); diff != "" {
					rt.Fatalf("forecast (-) and send (+) differ:\n%s", diff)
				}
				nothingRefused(rt, em, len(foreseen)/2)
				if (stop == nil) != (len(foreseen) == 2*len(s.people)) {
					rt.Fatalf("%d of %d messages left, and the send says %v", len(foreseen)/2, len(s.people), stop)
				}
			})
		})
	}
}

// sent is what happened, so long after the bubble's start.
func (s send) sent(m *memory) (all []happening) {
	for _, r := range m.results {
		all = append(all, happening{r.Left.Sub(start), "left", r.Seq}, happening{r.At.Sub(start), string(r.State), r.Seq})
	}
	return all
}

// ahead is how long before its departure a sender decides on a message: so long after its start the first one leaves.
const ahead = 8 * time.Millisecond

func (s send) foreseen(latency time.Duration) (all []happening) {
	s.limits.Rehearse(campaign.NewLoad(s.items()), start.Add(ahead), latency, func(d campaign.Departure) {
		after := d.At.Sub(start)
		all = append(all, happening{after, "left", int(d.Seq)}, happening{after + latency, "sent", int(d.Seq)})
	})
	return inOrder(all)
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

// TestWindowClosesOnTheWay holds dry-run and send equal where a message counts against the messaging limit only because its recipient's service
// window closed before the answer: it takes the slot that the next recipient was to get.
func TestWindowClosesOnTheWay(t *testing.T) {
	s := send{people: []int{0, 3, 8}, open: []time.Duration{0, time.Second, 0}, options: emulator.Options{MPS: 20, Latency: 2 * time.Second},
		limits: campaign.Limits{Number: ratelimit.Throughput{Level: 20, Pace: ratelimit.DefaultPace(20, 0)},
			Pair: ratelimit.PublishedPair(ratelimit.Spaced), Tier: 2}}
	s.limits.Before = func(p *ratelimit.Policy) { p.Messaging.Charge(digits(1), start.Add(-20*time.Second)) }
	m, _, stop := s.run(t)
	if stop != nil {
		t.Fatal(stop)
	}
	if diff := gocmp.Diff(s.foreseen(s.options.Latency), inOrder(s.sent(m))); diff != "" {
		t.Errorf("forecast (-) and send (+) differ:\n%s", diff)
	}
}
