package campaign_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

// TestForecastUnderJitter holds a send whose answers take a fifth more or less than was assumed against the forecast: within one percent.
func TestForecastUnderJitter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		level := rapid.SampledFrom([]int{20, 80}).Draw(rt, "level")
		n := rapid.IntRange(300, 500).Draw(rt, "messages")
		s := send{people: rapid.SliceOfN(rapid.IntRange(0, rapid.SampledFrom([]int{20, 200, 100_000}).Draw(rt, "people")), n, n).Draw(rt, "who"),
			limits: campaign.Limits{Number: ratelimit.Throughput{Level: level, Pace: ratelimit.DefaultPace(level, 0)},
				Pair: ratelimit.PublishedPair(ratelimit.Spaced), Tier: rapid.SampledFrom([]int{0, 50}).Draw(rt, "tier")}}
		latency := time.Duration(rapid.IntRange(1, 150).Draw(rt, "latency in ms")) * time.Millisecond
		seed := rapid.Uint64().Draw(rt, "seed")
		s.options = emulator.Options{MPS: level, Tier: s.limits.Tier, PairModel: emulator.Spaced, LatencyFn: func(id string) (in, out time.Duration) {
			each := latency*4/10 + time.Duration(float64(latency)*0.2*float64(way(seed, id, "in", 1000))/float64(time.Second))
			return each, each
		}}
		m, em, stop := s.run(t)
		if stop != nil {
			rt.Fatalf("the send stopped: %v", stop)
		}
		nothingRefused(rt, em, n)
		var finish ratelimit.Instant
		for _, r := range m.results {
			finish = max(finish, r.At)
		}
		foreseen := s.foreseen(latency)
		took, want := finish.Sub(start), foreseen[len(foreseen)-1].After
		if off := (took - want).Abs(); off > want/100 {
			rt.Fatalf("it took %v, the forecast is %v", took, want)
		}
	})
}

// fleet is a campaign of n messages to n people from numbers with these levels, shared out in turn.
func fleet(n int, faults string, levels ...int) send {
	s := everybody(n, faults)
	for i := range n {
		s.numbers = append(s.numbers, i%len(levels))
	}
	for _, level := range levels {
		s.limits.Numbers = append(s.limits.Numbers, campaign.Number{Throughput: ratelimit.Throughput{Level: level, Pace: ratelimit.DefaultPace(level, 0)}})
	}
	return s
}

// TestNumbersSendTogether holds that several numbers send side by side, each at its own pace.
func TestNumbersSendTogether(t *testing.T) {
	s := fleet(300, "", 80, 80, 20)
	s.options.MPS = 80
	m, em, stop := s.run(t)
	if stop != nil || em.Ledger().Accepted != 300 {
		t.Fatalf("stopped by %v, accepted %d", stop, em.Ledger().Accepted)
	}
	last := make([]time.Duration, 3)
	for _, r := range m.results {
		last[r.Seq%3] = max(last[r.Seq%3], r.Left.Sub(start))
	}
	want := []time.Duration{ahead + 99*ratelimit.DefaultPace(80, 0).Gap(), ahead + 99*ratelimit.DefaultPace(80, 0).Gap(), ahead + 99*ratelimit.DefaultPace(20, 0).Gap()}
	if diff := gocmp.Diff(want, last); diff != "" {
		t.Errorf("last departure of each number (-want +got)\n%s", diff)
	}
}

// TestStormsOfSeveralNumbers sends through faults from three numbers: everybody reaches an end, nobody gets two.
func TestStormsOfSeveralNumbers(t *testing.T) {
	for _, faults := range []string{"130429:0.2", "131056:0.2", "hold:0.003", "131000:0.1", "drop-response:0.05,500:0.02,131026:0.02,130429:0.05"} {
		t.Run(faults, func(t *testing.T) {
			s := fleet(300, faults, 80, 80, 20)
			for i := range s.people {
				s.people[i] = i / 5 * 5 % 250 // some get several, from several numbers
			}
			s.limits.Pair.Bubbles = 3
			m, em, stop := s.run(t)
			if stop != nil {
				t.Fatalf("it stopped: %v", stop)
			}
			if n := m.states()[campaign.Pending]; n != 0 || em.Ledger().AcceptedTwice != 0 {
				t.Errorf("%d messages have no end, %d were accepted twice", n, em.Ledger().AcceptedTwice)
			}
			known(t, m, em)
		})
	}
}

// TestHeldNumberHoldsNoOther holds that one number in maintenance lets the others send on.
func TestHeldNumberHoldsNoOther(t *testing.T) {
	s := fleet(400, "", 80, 80)
	em := emulator.New(emulator.Options{MPS: 80, Faults: faultsOf(t, "131057:1")})
	well := emulator.New(emulator.Options{MPS: 80})
	s.way = byNumber{"1": well, "2": em}
	m, _, stop := s.run(t)
	if stop == nil || stop.Code != 131057 {
		t.Fatalf("stopped by %+v", stop)
	}
	var last time.Duration
	for _, r := range m.results {
		if r.State == campaign.Sent {
			last = max(last, r.Left.Sub(start))
		}
	}
	if sent := m.states()[campaign.Sent]; sent != 200 || last > 3*time.Second {
		t.Errorf("%d sent, the last one after %v; the number that is well has 200 and needs 2.6 s", sent, last)
	}
}

// TestDeadlineStops holds that nothing leaves after the deadline, and that what is left is pending.
func TestDeadlineStops(t *testing.T) {
	s := everybody(300, "")
	s.limits.Deadline = start.Add(2 * time.Second)
	m, em, stop := s.run(t)
	if stop == nil || stop.Harm || !strings.Contains(stop.Why, "deadline") || !strings.Contains(stop.Resume, "--deadline") {
		t.Fatalf("stopped by %+v", stop)
	}
	sent := em.Ledger().Accepted
	if states := m.states(); sent < 140 || sent > 160 || states[campaign.Pending] != 300-sent {
		t.Errorf("accepted %d, states %v", sent, states)
	}
	for _, r := range m.results {
		if r.Left > s.limits.Deadline {
			t.Fatalf("message %d left %v after the deadline", r.Seq, r.Left.Sub(s.limits.Deadline))
		}
	}
}

// TestStartAndQuietHours holds that a send waits for its start, and then for the morning of its people.
func TestStartAndQuietHours(t *testing.T) {
	s := everybody(50, "") // in Sao Paulo, where it was two in the morning of a year 2000 with summer time
	s.limits.Start = start.Add(time.Hour)
	s.limits.Quiet = quiet.Hours{From: 21 * time.Hour, To: 8 * time.Hour}
	m, _, stop := s.run(t)
	if stop != nil {
		t.Fatal(stop)
	}
	first := slices.MinFunc(m.results, func(a, b campaign.Result) int { return int(a.Left - b.Left) }).Left
	if want := ratelimit.At(time.Date(2000, 1, 1, 10, 0, 0, 0, time.UTC)); first != want {
		t.Errorf("the first leaves at %v, want %v", first.Time(), want.Time())
	}
}

// TestBurstsSendAtOnce holds that several messages to one person go together and the pair is then held.
func TestBurstsSendAtOnce(t *testing.T) {
	s := everybody(0, "")
	s.people = []int{0, 0, 0, 0, 0, 0, 0}
	s.limits.Pair.Bubbles = 3
	s.options.Latency = 0
	m, em, stop := s.run(t)
	if stop != nil || em.Ledger().Accepted != 7 {
		t.Fatalf("stopped by %v, accepted %d", stop, em.Ledger().Accepted)
	}
	gap := ratelimit.PerSecond(76).Gap()
	var want, got []time.Duration
	for burst := range time.Duration(3) {
		for i := range time.Duration(3) {
			want = append(want, burst*(18*time.Second+2*gap)+i*gap)
		}
	}
	for _, r := range m.results {
		got = append(got, r.Left.Sub(m.results[0].Left))
	}
	if diff := gocmp.Diff(want[:7], got); diff != "" {
		t.Errorf("departures (-want +got)\n%s", diff)
	}
}

// byNumber is the way to a platform of its own for each number.
type byNumber map[string]*emulator.Emulator

func (b byNumber) RoundTrip(r *http.Request) (*http.Response, error) {
	return b[strings.Split(r.URL.Path, "/")[2]].RoundTripper().RoundTrip(r)
}

func faultsOf(t *testing.T, text string) []emulator.Fault {
	t.Helper()
	f, err := emulator.ParseFaults(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
