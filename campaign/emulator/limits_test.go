package emulator_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign/emulator"
)

const person = "+5511987654321"

func TestPairReadings(t *testing.T) {
	type ask struct {
		at   time.Duration
		want int
	}
	const refused = 131056
	burst := func(n int, gap time.Duration, then ...ask) []ask {
		var list []ask
		for i := range n {
			list = append(list, ask{time.Duration(i) * gap, 0})
		}
		return append(list, then...)
	}
	s, ms := time.Second, time.Millisecond
	for _, c := range []struct {
		name, model string
		asks        []ask
	}{
		{"one costs six seconds", emulator.Spaced, burst(1, 0, ask{6*s - ms, refused}, ask{6 * s, 0}, ask{12*s - ms, refused}, ask{12 * s, 0})},
		{"Meta's example: 20 close the pair for two minutes", emulator.Strict,
			burst(20, 100*ms, ask{6 * s, refused}, ask{60 * s, refused}, ask{120*s - ms, refused}, ask{120 * s, 0})},
		{"45 close it for 270 s", emulator.Strict, burst(45, 100*ms, ask{4500 * ms, refused}, ask{270*s - ms, refused}, ask{270 * s, 0})},
		{"the credit ends with the sixth second", emulator.Strict, burst(1, 0, ask{6*s - ms, 0}, ask{6 * s, refused}, ask{12 * s, 0})},
		{"a refused message costs nothing", emulator.Strict, burst(1, 0, ask{5 * s, 0}, ask{7 * s, refused}, ask{8 * s, refused}, ask{12 * s, 0})},
		{"a standing credit of 45", emulator.Bucket45, burst(45, 0, ask{0, refused}, ask{6*s - ms, refused}, ask{6 * s, 0}, ask{6 * s, refused}, ask{12 * s, 0})},
		{"the bucket takes one more long after a burst of 20", emulator.Bucket45, burst(20, 0, ask{30 * s, 0})},
		{"the default is strict", "", burst(45, 0, ask{5 * s, refused})},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(emulator.Options{PairModel: c.model, MPS: 1000})
			for i, a := range c.asks {
				if got := r.at(a.at).text(t, person); got != a.want {
					t.Fatalf("message %d at %s: code %d, want %d", i+1, a.at, got, a.want)
				}
			}
		})
	}
}

func TestPairIsNumberAndRecipient(t *testing.T) {
	r := newRig(emulator.Options{PairModel: emulator.Spaced})
	rt := r.RoundTripper()
	for _, c := range []struct {
		number, to string
		want       int
	}{
		{"1", "+55 11 98765-4321", 0},
		{"1", "5511987654321", 131056}, // the same person, spelled otherwise
		{"1", "(55) 11 98765 4321", 131056},
		{"1", "+5511987654322", 0},
		{"2", "+5511987654321", 0},
	} {
		if got := code(t, rt, c.number, textBody(c.to, "")); got != c.want {
			t.Errorf("%s from %s: code %d, want %d", c.to, c.number, got, c.want)
		}
	}
}

func TestPairInterval(t *testing.T) {
	r := newRig(emulator.Options{PairModel: emulator.Spaced, PairInterval: 1500 * time.Microsecond}) // rounded up to 2 ms
	for _, c := range []struct {
		at   time.Duration
		want int
	}{{0, 0}, {time.Millisecond, 131056}, {2 * time.Millisecond, 0}} {
		if got := r.at(c.at).text(t, person); got != c.want {
			t.Errorf("at %s: code %d, want %d", c.at, got, c.want)
		}
	}
}

func TestThroughputIsASlidingSecond(t *testing.T) {
	r := newRig(emulator.Options{MPS: 3})
	n := 0
	for _, c := range []struct {
		at   time.Duration
		want int
	}{
		{0, 0}, {400 * time.Millisecond, 0}, {900 * time.Millisecond, 0},
		{900 * time.Millisecond, 130429},
		{999 * time.Millisecond, 130429},
		{999*time.Millisecond + 999*time.Microsecond, 130429}, // cut to whole milliseconds
		{1000 * time.Millisecond, 0},                          // the first lies a whole second back
		{1399 * time.Millisecond, 130429},
		{1400 * time.Millisecond, 0},
	} {
		n++
		if got := r.at(c.at).text(t, fmt.Sprintf("+55119876500%02d", n)); got != c.want {
			t.Errorf("at %s: code %d, want %d", c.at, got, c.want)
		}
	}
	if got := code(t, r.RoundTripper(), "another", textBody(person, "")); got != 0 {
		t.Errorf("another number shares the throughput: code %d", got)
	}
}

func TestMessagingLimitIsAMovingDay(t *testing.T) {
	a, b, c := "+5511987650001", "+5511987650002", "+5511987650003"
	r := newRig(emulator.Options{Tier: 2})
	const day = 24 * time.Hour
	for _, x := range []struct {
		at   time.Duration
		to   string
		want int
	}{
		{0, a, 0},
		{time.Hour, b, 0},
		{2 * time.Hour, c, 131048},
		{3 * time.Hour, a, 0}, // no new recipient, and the day of this one begins anew
		{day, c, 131048},
		{day + time.Hour - time.Millisecond, c, 131048},
		{day + time.Hour, c, 0}, // b is out
		{day + time.Hour, b, 131048},
		{day + 3*time.Hour, b, 0}, // a is out
	} {
		if got := r.at(x.at).text(t, x.to); got != x.want {
			t.Errorf("%s at %s: code %d, want %d", x.to, x.at, got, x.want)
		}
	}
}

func TestMessagingLimitIsOfAllNumbers(t *testing.T) {
	r := newRig(emulator.Options{Tier: 1, TierCode: 131064, ThrottleStatus: 429})
	if got := code(t, r.RoundTripper(), "1", textBody(person, "")); got != 0 {
		t.Fatalf("code %d", got)
	}
	if got := code(t, r.RoundTripper(), "2", textBody("+5511987650001", "")); got != 131064 {
		t.Errorf("code %d, want the code that the options name", got)
	}
	if got, _ := post(t, r.RoundTripper(), "2", textBody("+5511987650001", "")); got != 429 {
		t.Errorf("status %d, want that of throttles", got)
	}
}

func TestThrottleStatus(t *testing.T) {
	for _, want := range []int{400, 429} {
		r := newRig(emulator.Options{MPS: 1, ThrottleStatus: want})
		r.text(t, person)
		if got, _ := post(t, r.RoundTripper(), number, textBody(person, "")); got != want {
			t.Errorf("status %d, want %d", got, want)
		}
	}
}

func TestLimitsComeInOrder(t *testing.T) {
	r := newRig(emulator.Options{MPS: 1, Tier: 1, PairModel: emulator.Spaced})
	r.text(t, person)
	for _, c := range []struct {
		at   time.Duration
		to   string
		want int
	}{
		{0, "+5511987650001", 130429}, // over throughput and tier
		{time.Second, "+5511987650001", 131048},
		{time.Second, person, 131056},
	} {
		if got := r.at(c.at).text(t, c.to); got != c.want {
			t.Errorf("%s at %s: code %d, want %d", c.to, c.at, got, c.want)
		}
	}
}

func TestClockNeverGoesBack(t *testing.T) {
	r := newRig(emulator.Options{MPS: 1})
	r.at(time.Hour).text(t, person)
	if got := r.at(0).text(t, "+5511987650001"); got != 130429 {
		t.Errorf("a clock set back opens the second: code %d", got)
	}
}

func TestReset(t *testing.T) {
	r := newRig(emulator.Options{MPS: 1, Tier: 1, PairModel: emulator.Spaced})
	r.text(t, person)
	r.text(t, person)
	r.Reset()
	if got := r.text(t, "+5511987650001"); got != 0 {
		t.Errorf("after a reset: code %d", got)
	}
	if l := r.Ledger(); l.Accepted != 1 || l.Refused["throughput"] != 0 {
		t.Errorf("ledger after a reset: %+v", l)
	}
}

func TestOptionsSayWhatIsWrong(t *testing.T) {
	for _, o := range []emulator.Options{
		{PairModel: "loose"}, {MPS: -1}, {Tier: -1}, {PairInterval: -1}, {Latency: -1}, {ThrottleStatus: 200}, {TierCode: -1},
		{Faults: []emulator.Fault{{Kind: "flood", Probability: 0.1}}},
	} {
		if err := o.Validate(); err == nil {
			t.Errorf("%+v is valid", o)
		}
	}
	if err := (emulator.Options{}).Validate(); err != nil {
		t.Errorf("the zero options: %v", err)
	}
}
