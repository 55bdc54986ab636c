package campaign_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/ratelimit"
)

// everybody is a campaign of n messages to n people on an ordinary number.
func everybody(n int, faults string) send {
	f, err := emulator.ParseFaults(faults)
	if err != nil {
		panic(err)
	}
	s := send{limits: campaign.Limits{Number: ratelimit.Throughput{Level: 80, Pace: ratelimit.PerSecond(76)},
		Pair: ratelimit.PublishedPair(ratelimit.Spaced)}, options: emulator.Options{Latency: 150 * time.Millisecond, Faults: f, Seed: 7}}
	for i := range n {
		s.people = append(s.people, i)
	}
	return s
}

// TestStorms sends through faults: everybody reaches an end, nobody fails for throttling, nobody gets two, and what is unknown says so.
func TestStorms(t *testing.T) {
	for _, faults := range []string{
		"130429:0.2", "131056:0.05", "131056:0.5", "131057:0.01", "hold:0.002", "4:0.02", "80007:0.02", "131000:0.1", "2:0.1",
		"drop-response:0.05", "cut:0.05", "500:0.05", "503:0.05", "html:0.05", "reset-before:0.05", "slow:0.05", "131026:0.1", "999999:0.1",
		"130429:0.05,131057:0.01,131056:0.05,500:0.02,html:0.02,drop-response:0.02,131026:0.02,slow:0.01",
	} {
		t.Run(faults, func(t *testing.T) {
			s := everybody(400, faults)
			m, em, stop := s.run(t)
			if stop != nil {
				t.Fatalf("it stopped: %v", stop)
			}
			if n := m.states()[campaign.Pending]; n != 0 {
				t.Errorf("%d messages have no end", n)
			}
			if twice := em.Ledger().AcceptedTwice; twice != 0 {
				t.Errorf("%d messages were accepted twice", twice)
			}
			if struck := len(m.results) - len(s.people); struck == 0 && m.states()[campaign.Sent] == len(s.people) {
				t.Error("no fault struck")
			}
			known(t, m, em)
		})
	}
}

// known holds every final state against what the emulator accepted.
func known(t *testing.T, m *memory, em *emulator.Emulator) {
	t.Helper()
	for _, r := range m.results {
		throttled := r.Answer.Code == 130429 || r.Answer.Code == 131056 || r.Answer.Code == 131057
		if r.State == campaign.Failed && throttled {
			t.Errorf("message %d failed for %d", r.Seq, r.Answer.Code)
		}
	}
	states := m.states()
	accepted := em.Ledger().Accepted
	if sent, atMost := states[campaign.Sent], states[campaign.Sent]+states[campaign.Uncertain]; accepted < sent || accepted > atMost {
		t.Errorf("the emulator accepted %d, the journal says %d sent and %d uncertain", accepted, sent, atMost-sent)
	}
}

// TestStops lists what ends a campaign before its end, and where its messages then stand.
func TestStops(t *testing.T) {
	for _, tc := range []struct {
		faults string
		code   int
		harm   bool
	}{
		{"190:1", 190, true}, {"131048:1", 131048, true}, {"368:1", 368, true}, {"131031:1", 131031, true}, {"131042:1", 131042, true},
		{"132015:1", 132015, true}, {"132016:1", 132016, true}, {"132000:1", 132000, true}, {"100:1", 100, true},
		{"131057:1", 131057, false}, {"131048:0.02", 131048, true},
	} {
		t.Run(tc.faults, func(t *testing.T) {
			s := everybody(300, tc.faults)
			s.stop = 20
			m, em, stop := s.run(t)
			if stop == nil || stop.Code != tc.code || stop.Harm != tc.harm || stop.Why == "" || stop.Resume == "" {
				t.Fatalf("stopped by %+v, want code %d", stop, tc.code)
			}
			states := m.states()
			want := map[campaign.State]int{campaign.Sent: em.Ledger().Accepted, campaign.Pending: 300 - em.Ledger().Accepted}
			if want[campaign.Sent] == 0 {
				delete(want, campaign.Sent)
			}
			if diff := gocmp.Diff(want, states); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStopsAfterFailuresInARow(t *testing.T) {
	for _, faults := range []string{"131026:1", "html:1", "500:1"} {
		s := everybody(300, faults)
		s.stop = 20
		m, _, stop := s.run(t)
		if stop == nil || !stop.Harm || !strings.Contains(stop.Why, "in a row") {
			t.Fatalf("%s: stopped by %+v", faults, stop)
		}
		states := m.states()
		inFlight := 13 // 150 ms at 76/s, and the one being decided
		if ended := states[campaign.Failed] + states[campaign.Uncertain]; ended < 20 || ended > 20+inFlight {
			t.Errorf("%s: %d messages ended badly before it stopped, want 20 and those in flight", faults, ended)
		}
	}
}

// TestIsolatedWrongRow holds that one bad row fails alone.
func TestIsolatedWrongRow(t *testing.T) {
	m, em, stop := everybody(400, "132018:0.02").run(t)
	if stop != nil {
		t.Fatalf("it stopped: %v", stop)
	}
	states := m.states()
	if states[campaign.Failed] == 0 || states[campaign.Failed]+em.Ledger().Accepted != 400 {
		t.Errorf("states %v, accepted %d", states, em.Ledger().Accepted)
	}
}

// unreachable refuses every connection before a byte is written.
type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
}

func TestUnreachable(t *testing.T) {
	s := everybody(300, "")
	s.way = unreachable{}
	m, _, stop := s.run(t)
	if stop == nil || stop.Harm || !strings.Contains(stop.Why, "could not be reached 5 times") {
		t.Fatalf("stopped by %+v", stop)
	}
	if states := m.states(); states[campaign.Pending] != 300 {
		t.Errorf("states %v, want all pending", states)
	}
}

// TestDiskFull lets a commit fail in the middle: nothing leaves whose intent is not written, and nothing that was answered is forgotten.
func TestDiskFull(t *testing.T) {
	s := everybody(300, "")
	full := errors.New("no space left on device")
	commits := 0
	s.fail = func(intents []campaign.Intent) error {
		if commits++; commits > 20 && len(intents) > 0 {
			return full
		}
		return nil
	}
	m, em, stop := s.run(t)
	if stop == nil || !errors.Is(stop, full) {
		t.Fatalf("stopped by %+v", stop)
	}
	if accepted := em.Ledger().Accepted; accepted != len(m.intents) || accepted != m.states()[campaign.Sent] || accepted == 0 {
		t.Errorf("accepted %d, written intents %d, written as sent %d", accepted, len(m.intents), m.states()[campaign.Sent])
	}
}

// TestInterrupted holds that what is in flight when the user stops is still answered and written.
func TestInterrupted(t *testing.T) {
	s := everybody(300, "")
	s.quit = 1234 * time.Millisecond
	m, em, stop := s.run(t)
	if stop == nil || stop.Harm || stop.Why != "interrupted" {
		t.Fatalf("stopped by %+v", stop)
	}
	accepted := em.Ledger().Accepted
	if accepted != len(m.intents) || accepted != len(m.results) || accepted < 80 || accepted > 100 {
		t.Errorf("accepted %d, intents %d, results %d after 1.2 s at 76/s", accepted, len(m.intents), len(m.results))
	}
}

func TestTierStops(t *testing.T) {
	s := everybody(300, "")
	s.people = append(s.people, 0, 1, 2) // who counts already is free
	s.limits.Tier, s.options.Tier = 250, 250
	s.onTier = "stop"
	m, em, stop := s.run(t)
	if stop == nil || stop.Harm || !strings.Contains(stop.Why, "messaging limit") {
		t.Fatalf("stopped by %+v", stop)
	}
	if accepted := em.Ledger().Accepted; accepted != 253 || m.states()[campaign.Pending] != 50 {
		t.Errorf("accepted %d, states %v", accepted, m.states())
	}
}

// TestOthersOnTheNumber is a pair whose debt another system made: the pair is asked again after 4^X, and all others flow meanwhile.
func TestOthersOnTheNumber(t *testing.T) {
	s := everybody(100, "")
	var others int
	em := emulator.New(emulator.Options{MPS: 1000, PairModel: emulator.Spaced, PairInterval: 120 * time.Second})
	s.way = roundTrip(func(r *http.Request) (*http.Response, error) {
		if others == 0 {
			others++ // another system's message to person 0, which closes the pair for two minutes
			post(t, em, digits(0))
		}
		return em.RoundTripper().RoundTrip(r)
	})
	m, _, stop := s.run(t)
	if stop != nil {
		t.Fatalf("it stopped: %v", stop)
	}
	var tries []time.Duration
	var rest ratelimit.Instant
	first := m.results[0].Left
	for _, r := range m.results {
		first = min(first, r.Left)
	}
	for _, r := range m.results {
		if r.Seq == 0 {
			tries = append(tries, r.Left.Sub(first).Round(time.Second))
		} else {
			rest = max(rest, r.At)
		}
	}
	want := []time.Duration{0, time.Second, 5 * time.Second, 21 * time.Second, 85 * time.Second, 341 * time.Second}
	if gocmp.Diff(want, tries) != "" {
		t.Errorf("person 0 was tried after %v, want %v", tries, want)
	}
	if took := rest.Sub(first); took > 2*time.Second {
		t.Errorf("the others took %v", took)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func post(t *testing.T, em *emulator.Emulator, to uint64) {
	t.Helper()
	body := fmt.Sprintf(`{"messaging_product":"whatsapp","to":"+%d","type":"text","text":{"body":"x"}}`, to)
	r, err := http.NewRequest("POST", "http://127.0.0.1/v26.0/1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer other")
	r.Header.Set("Content-Type", "application/json")
	answer, err := em.RoundTripper().RoundTrip(r)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("the other system's message: %v %v", answer, err)
	}
}

// TestHeldNumber counts what a number in maintenance is asked: the message that met it, then ten probes, a minute apart, one at a time.
func TestHeldNumber(t *testing.T) {
	s := everybody(1, "131057:1")
	m, em, stop := s.run(t)
	if stop == nil || stop.Code != 131057 || !strings.Contains(stop.Why, "after 10 probes") {
		t.Fatalf("stopped by %+v", stop)
	}
	if asked := em.Ledger().Refused["fault"]; asked != 11 || len(m.results) != 11 {
		t.Fatalf("asked %d times, want once and ten probes", asked)
	}
	for i, r := range m.results[1:] {
		if gap := r.Left.Sub(m.results[i].At); gap < ratelimit.HoldFor || gap > ratelimit.HoldFor+time.Second {
			t.Errorf("probe %d came %v after the answer before, want a minute", i+1, gap)
		}
	}
}
