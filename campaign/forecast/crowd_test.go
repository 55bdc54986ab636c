package forecast

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

// narrow changes a drawn campaign so that it is often one of crowds, and often just not.
func (d *drawn) narrow(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "several numbers") > 0 {
		d.limits.Numbers = d.limits.Numbers[:1]
		for i := range d.items {
			d.items[i].Number = 0
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "slow") == 0 { // so slow that days pass between two messages to somebody
		for i := range d.limits.Numbers {
			d.limits.Numbers[i].Throughput.Pace = ratelimit.Pace(rapid.SampledFrom([]int{1, 2, 20, 200}).Draw(t, "messages in 1000 s"))
		}
	}
	d.limits.Pair.Interval = time.Duration(rapid.SampledFrom([]int{0, 1, 50, 500, 6000, 6000, 600_000}).Draw(t, "interval in ms")) * time.Millisecond
	d.limits.Tier = rapid.SampledFrom([]int{0, 1, 7, 40, 300}).Draw(t, "tier")
	d.limits.Used = rapid.SampledFrom([]int{0, 0, 5, 60}).Draw(t, "used")
	d.latency = rapid.SampledFrom([]time.Duration{0, d.latency, d.latency, 20 * d.latency}).Draw(t, "answers take")
	d.place(t)
	switch rapid.IntRange(0, 11).Draw(t, "oddity") {
	case 1:
		d.limits.Pair.Bubbles = 3
	case 2:
		d.items[0].OpenUntil = noon.Add(time.Hour)
	case 3:
		d.remember(t)
	case 4:
		d.limits.Start = noon.Add(time.Duration(rapid.SampledFrom([]int{-1, 0, 1, 70}).Draw(t, "ms to the start")) * time.Millisecond)
	case 5:
		d.limits.Pair.Reading = ratelimit.Strict
	}
}

// place gives people quiet hours, and often clocks that show the same, in one zone or several.
func (d *drawn) place(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "quiet hours") > 0 {
		return
	}
	from := rapid.IntRange(0, 95).Draw(t, "quarter of an hour")
	d.limits.Quiet = quiet.Hours{From: time.Duration(from) * 15 * time.Minute, To: time.Duration((from+rapid.IntRange(1, 90).Draw(t, "quarters"))%96) * 15 * time.Minute}
	homes := rapid.SampledFrom([][]uint64{{5511960000000}, {4915100000000}, {5511960000000, 5571960000000, 5585960000000}, {4915100000000, 33612000000}, places}).Draw(t, "homes")
	for i := range d.items {
		d.items[i].Recipient = homes[d.items[i].Recipient%uint64(len(homes))] + d.items[i].Recipient%100_000
	}
}

// TestCrowdsAreTheLoop holds every departure of crowds against the loop's: its instant, its number, and whether it takes a slot.
func TestCrowdsAreTheLoop(t *testing.T) {
	var without, never, doubted int
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.narrow(t)
		load := d.load()
		all := crowdsOf(load, d.limits, noon, d.latency, shapeOf(load, len(d.limits.Numbers)))
		if all == nil {
			never++
			return
		}
		var got []campaign.Departure
		if !all.departures(func(x campaign.Departure) { got = append(got, x) }) {
			doubted++
			return
		}
		without++
		want := d.departures()
		for i := range want {
			want[i].Seq = 0
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("departures of the loop (-), of crowds (+)\n%s", diff)
		}
	})
	if without == 0 || never == 0 {
		t.Errorf("%d campaigns without names, %d with, %d where they turn out to matter", without, never, doubted)
	}
	t.Logf("%d campaigns without names, %d with, %d where they turn out to matter", without, never, doubted)
}

// TestCountedIsTheLoop holds whole forecasts against those of the loop alone, also with a deadline.
func TestCountedIsTheLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.narrow(t)
		if rapid.Bool().Draw(t, "a deadline") {
			d.limits.Deadline = noon.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "deadline in s")) * time.Second)
		}
		got := d.forecast()
		want := Forecast{Start: got.Start, First: got.Start, Last: got.Start, Finish: got.Start, Shares: make([]int, len(d.limits.Numbers))}
		sum := newSummary(&want)
		d.limits.Rehearse(d.load(), got.Start, d.latency, sum.add)
		sum.done(d.latency)
		got.Missed, got.Whole, got.Lower, got.Binding, got.PairAdds, got.TierAdds, got.QuietAdds = nil, 0, 0, "", 0, 0, 0
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("the loop (-), the forecast (+)\n%s", diff)
		}
	})
}

// TestCrowdByHand counts departures by hand, at a slot a second and a hold of three.
func TestCrowdByHand(t *testing.T) {
	for _, tc := range []struct {
		name   string
		people tally
		want   []int // seconds
	}{
		{"one each", tally{0, 3}, []int{0, 1, 2}},
		{"three twice", tally{0, 0, 3}, []int{0, 1, 2, 3, 4, 5}},
		{"the third slot is nobody's", tally{0, 0, 2}, []int{0, 1, 3, 4}},
		{"a single one fills it", tally{0, 1, 2}, []int{0, 1, 2, 3, 4}},
		{"one alone", tally{0, 0, 0, 1}, []int{0, 3, 6}},
		{"longest first", tally{0, 3, 0, 1}, []int{0, 1, 2, 3, 4, 6}},
	} {
		c := &crowd{gap: time.Second, hold: 3 * time.Second, next: noon, fresh: classesOf(tc.people)}
		var got []int
		crowds{c}.departures(func(d campaign.Departure) { got = append(got, int(d.At.Sub(noon)/time.Second)) })
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: by hand (-), counted (+)\n%s", tc.name, diff)
		}
	}
}

// TestCrowdsDoubt holds that a send so slow that slots end between two messages to one person is left to the loop, and a quick one is not.
func TestCrowdsDoubt(t *testing.T) {
	var twice []int
	for i := range 200 {
		twice = append(twice, 1+i%100)
	}
	load := campaign.NewLoad(to(twice...))
	for pace, want := range map[ratelimit.Pace]bool{1: false, 1000: true} {
		l := campaign.Limits{Number: ratelimit.Throughput{Level: 80, Pace: pace}, Pair: ratelimit.PublishedPair(ratelimit.Spaced), Tier: 500}
		all := crowdsOf(load, l, noon, 0, shapeOf(load, 1))
		if len(all) != 1 {
			t.Fatalf("%v: %d crowds", pace, len(all))
		}
		if got := all.departures(func(campaign.Departure) {}); got != want {
			t.Errorf("%v: sure is %v", pace, got)
		}
	}
}
