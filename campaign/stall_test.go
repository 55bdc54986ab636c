package campaign_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/ratelimit"
)

// stalls is a platform that stands still from time to time, and then takes all at once that came meanwhile.
type stalls struct {
	http.RoundTripper
	at []stall
}

type stall struct{ After, For time.Duration }

func (s stalls) RoundTrip(r *http.Request) (*http.Response, error) {
	now := ratelimit.At(time.Now()).Sub(start)
	for _, st := range s.at {
		if now >= st.After && now < st.After+st.For {
			select {
			case <-time.After(st.After + st.For - now):
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
	}
	return s.RoundTripper.RoundTrip(r)
}

// later is an emulator that is told who it is when it has been made.
type later struct{ way http.RoundTripper }

func (l *later) RoundTrip(r *http.Request) (*http.Response, error) { return l.way.RoundTrip(r) }

// TestStalledAPI holds that an API which stands still is not met with more than a second of it holds when it goes on, and that the pace is soon
// found again.
func TestStalledAPI(t *testing.T) {
	for _, tt := range []struct {
		name   string
		level  int
		people int
		stalls []stall
		most   time.Duration // for all
		lost   int           // whose answers may never come: the time limit is 30 s
	}{
		{"15 s", 80, 760, []stall{{3 * time.Second, 15 * time.Second}}, 28 * time.Second, 0},
		{"25 s", 80, 760, []stall{{3 * time.Second, 25 * time.Second}}, 38 * time.Second, 0},
		{"35 s, longer than the time limit", 80, 760, []stall{{3 * time.Second, 35 * time.Second}}, 48 * time.Second, 70},
		{"15 s, twice", 80, 1140, []stall{{3 * time.Second, 15 * time.Second}, {24 * time.Second, 15 * time.Second}}, 51 * time.Second, 0},
		{"20 s at the upgraded level", 1000, 9500, []stall{{3 * time.Second, 20 * time.Second}}, 33 * time.Second, 0},
		{"20 s in coexistence", 20, 380, []stall{{3 * time.Second, 20 * time.Second}}, 43 * time.Second, 0},
		{"2 s", 80, 760, []stall{{3 * time.Second, 2 * time.Second}}, 15 * time.Second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := everybody(tt.people, "")
			s.limits.Number = ratelimit.Throughput{Level: tt.level, Pace: ratelimit.DefaultPace(tt.level, 0)}
			s.options = emulator.Options{MPS: tt.level, Latency: 150 * time.Millisecond}
			em := stalling(&s, tt.stalls...)
			m, _, stop := s.run(t)
			refused, states := (*em).Ledger().Refused["throughput"], m.states()
			if stop != nil || refused > 0 || states[campaign.Sent]+states[campaign.Uncertain] != tt.people || states[campaign.Uncertain] > tt.lost {
				t.Errorf("stopped by %v, %d refused for throughput, states %v; at most %d may be uncertain", stop, refused, states, tt.lost)
			}
			if took := m.results[len(m.results)-1].At.Sub(start); took > tt.most {
				t.Errorf("it took %v, want at most %v", took, tt.most)
			}
		})
	}
}

// stalling puts stalls before the emulator of a send, which is made in its bubble.
func stalling(s *send, all ...stall) **emulator.Emulator {
	var em *emulator.Emulator
	way := &later{}
	s.way = stalls{way, all}
	options := s.options
	s.tune = func(*campaign.Sender, *memory) {
		em = emulator.New(options)
		way.way = em.RoundTripper()
	}
	return &em
}

// TestSlowAPI holds that an API which always takes long, or becomes slow, is not taken for one that stands still.
func TestSlowAPI(t *testing.T) {
	for _, tt := range []struct {
		name    string
		latency func(after time.Duration) time.Duration
		most    time.Duration // for 1,520 messages, 20 s of the pace
	}{
		{"1.9 s", func(time.Duration) time.Duration { return 1900 * time.Millisecond }, 22 * time.Second},
		{"5 s", func(time.Duration) time.Duration { return 5 * time.Second }, 30 * time.Second},
		{"5 s from the tenth second on", func(after time.Duration) time.Duration {
			if after < 10*time.Second {
				return 150 * time.Millisecond
			}
			return 5 * time.Second
		}, 38 * time.Second},
		{"slower and slower", func(after time.Duration) time.Duration { return 150*time.Millisecond + after/4 }, 28 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := everybody(1520, "")
			s.options.LatencyFn = func(string) (in, out time.Duration) { return 0, tt.latency(ratelimit.At(time.Now()).Sub(start)) }
			m, em, stop := s.run(t)
			if stop != nil || em.Ledger().Accepted != 1520 || em.Ledger().Refused["throughput"] > 0 {
				t.Errorf("stopped by %v, accepted %d, refused %v", stop, em.Ledger().Accepted, em.Ledger().Refused)
			}
			if took := m.results[len(m.results)-1].At.Sub(start); took > tt.most {
				t.Errorf("it took %v, want at most %v", took, tt.most)
			}
		})
	}
}
