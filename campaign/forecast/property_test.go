package forecast

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

var noon = ratelimit.At(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC))

// drawn is a campaign with its limits.
type drawn struct {
	items   []campaign.Item
	limits  campaign.Limits
	latency time.Duration
}

// places are phone numbers of four countries: clocks from -5 to +5:30, and one number that may be in several zones.
var places = []uint64{5511960000000, 12025550000, 919800000000, 4915100000000, 351910000000}

// draw makes chains of messages to some people, shuffled, from up to three numbers.
func draw(t *rapid.T) (d drawn) {
	numbers := rapid.SliceOfN(rapid.SampledFrom([]int{20, 80, 1000}), 1, 3).Draw(t, "levels")
	for i, level := range numbers {
		d.limits.Numbers = append(d.limits.Numbers, campaign.Number{ID: string(rune('a' + i)),
			Throughput: ratelimit.Throughput{Level: level, Pace: ratelimit.DefaultPace(level, 0)}})
	}
	d.limits.Pair = ratelimit.PublishedPair(ratelimit.Spaced)
	d.latency = time.Duration(rapid.IntRange(0, 1500).Draw(t, "latency in ms")) * time.Millisecond
	var who []uint64
	for range rapid.IntRange(1, 4).Draw(t, "kinds of people") {
		people, each := rapid.IntRange(1, 70).Draw(t, "people"), rapid.SampledFrom([]int{1, 1, 2, 3, 7, 20}).Draw(t, "messages each")
		for range people {
			one := places[len(who)%len(places)] + uint64(len(who))
			who = append(who, slices.Repeat([]uint64{one}, each)...)
		}
	}
	order := rapid.Permutation(who).Draw(t, "order")
	for i, one := range order {
		d.items = append(d.items, campaign.Item{Message: ratelimit.Message{Recipient: one}, Seq: uint32(i), Number: uint16(one % uint64(len(numbers)))})
	}
	return d
}

func (d drawn) load() *campaign.Load { return campaign.NewLoad(d.items) }

func (d drawn) forecast() Forecast { return New(d.load(), d.limits, noon, d.latency) }

// departures are all messages that leave, and when.
func (d drawn) departures() (all []campaign.Departure) {
	d.limits.Rehearse(campaign.NewLoad(d.items), noon, d.latency, func(x campaign.Departure) { all = append(all, x) })
	return all
}

// TestMakespan holds that no order of the rows makes the campaign longer than the strictest limit plus one interval, and that none makes it
// shorter than the lower bound.
func TestMakespan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.limits.Pair.Bubbles = rapid.SampledFrom([]int{0, 0, 2, 5}).Draw(t, "bubbles")
		f := d.forecast()
		interval := ratelimit.PairInterval * time.Duration(max(d.limits.Pair.Bubbles, 1))
		if over := f.Duration() - f.Lower; over < 0 || over > interval {
			t.Fatalf("takes %v, %v more than the lower bound by %s", f.Duration(), over, f.Binding)
		}
		if f.Messages != len(d.items) || len(f.Missed) != 0 || f.Whole != f.Duration() {
			t.Fatalf("%d of %d messages leave, %d are missed", f.Messages, len(d.items), len(f.Missed))
		}
	})
}

// TestOrderOfRows holds that messages to one person leave in the order of the file, an interval after the answer before.
func TestOrderOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		last := map[uint64]campaign.Departure{}
		for _, x := range d.departures() {
			who := d.items[x.Seq].Recipient
			if before, ok := last[who]; ok && (before.Seq > x.Seq || x.At.Sub(before.At) < ratelimit.PairInterval+d.latency) {
				t.Fatalf("message %d leaves %v after message %d", x.Seq, x.At.Sub(before.At), before.Seq)
			}
			last[who] = x
		}
	})
}

// TestMovingDay counts by brute force: never are more distinct people written to in a moving day than the limit allows, and those with an open
// window or with a message of the day before take no slot.
func TestMovingDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.limits.Tier = rapid.IntRange(20, 150).Draw(t, "tier")
		people := slices.Compact(slices.Sorted(slices.Values(recipients(d.items))))
		earlier := map[uint64]ratelimit.Instant{}
		for _, who := range people[:rapid.IntRange(0, min(len(people), d.limits.Tier)).Draw(t, "written to before")] {
			earlier[who] = noon.Add(-time.Duration(rapid.IntRange(1, 86399).Draw(t, "seconds ago")) * time.Second)
		}
		d.limits.Numbers[0].Before = func(p *ratelimit.Policy) {
			for _, who := range people {
				if at := earlier[who]; at != 0 && p.Messaging != nil {
					p.Messaging.Charge(who, at)
				}
			}
		}
		for i, item := range d.items {
			if item.Recipient%5 == 0 {
				d.items[i].OpenUntil = noon.Add(time.Hour)
			}
		}
		if most := mostInADay(d, d.departures(), earlier); most > d.limits.Tier {
			t.Fatalf("%d people in a day, the limit is %d", most, d.limits.Tier)
		}
		f := d.forecast()
		if f.Duration() < f.Lower || f.Messages != len(d.items) {
			t.Fatalf("%d messages in %v, lower bound %v", f.Messages, f.Duration(), f.Lower)
		}
		for i, w := range f.Windows {
			if i > 0 && w.Opens.Sub(f.Windows[i-1].Opens) < ratelimit.MessagingWindow {
				t.Fatalf("window %d opens %v after the one before", i, w.Opens.Sub(f.Windows[i-1].Opens))
			}
		}
	})
}

func recipients(items []campaign.Item) (all []uint64) {
	for _, i := range items {
		all = append(all, i.Recipient)
	}
	return all
}

// mostInADay is the most distinct people who count at any departure: a message counts from its departure until a day after its arrival, which the
// answer proves.
func mostInADay(d drawn, departures []campaign.Departure, earlier map[uint64]ratelimit.Instant) (most int) {
	type counts struct {
		who  uint64
		from ratelimit.Instant
		to   ratelimit.Instant
	}
	var all []counts
	for who, at := range earlier {
		all = append(all, counts{who, at, at.Add(ratelimit.MessagingWindow)})
	}
	for _, x := range departures {
		if item := d.items[x.Seq]; x.At >= item.OpenUntil {
			all = append(all, counts{item.Recipient, x.At, x.At.Add(d.latency + ratelimit.MessagingWindow)})
		}
	}
	for _, x := range departures {
		people := map[uint64]bool{}
		for _, c := range all {
			if c.from <= x.At && x.At < c.to {
				people[c.who] = true
			}
		}
		most = max(most, len(people))
	}
	return most
}

// TestWindowsAreShort holds that people with one message each, and none before, take exactly the windows that the limit makes necessary.
func TestWindowsAreShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn{latency: time.Duration(rapid.IntRange(0, 900).Draw(t, "latency in ms")) * time.Millisecond}
		d.limits = campaign.Limits{Number: ratelimit.Throughput{Level: 80, Pace: ratelimit.PerSecond(76)}, Pair: ratelimit.PublishedPair(ratelimit.Spaced),
			Tier: rapid.IntRange(1, 300).Draw(t, "tier"), Used: rapid.IntRange(0, 600).Draw(t, "used")}
		n := rapid.IntRange(1, 900).Draw(t, "people")
		for i := range n {
			d.items = append(d.items, campaign.Item{Message: ratelimit.Message{Recipient: places[0] + uint64(i)}, Seq: uint32(i)})
		}
		f := d.forecast()
		if over := f.Duration() - f.Lower; over < 0 || over > 100*time.Millisecond {
			t.Fatalf("takes %v, the lower bound is %v", f.Duration(), f.Lower)
		}
		free := max(d.limits.Tier-d.limits.Used, 0)
		days := (max(n-free, 0) + d.limits.Tier - 1) / d.limits.Tier
		if got := int(f.Last.Sub(f.Start) / ratelimit.MessagingWindow); got != days {
			t.Fatalf("%d people, %d of %d used: the last one leaves on day %d, want %d", n, d.limits.Used, d.limits.Tier, got, days)
		}
	})
}

// TestKnownGoFirst holds that those who count already are written to before their day is over, so that they need no slot of the next.
func TestKnownGoFirst(t *testing.T) {
	var d drawn
	d.limits = campaign.Limits{Number: ratelimit.Throughput{Level: 80, Pace: ratelimit.PerSecond(10)}, Pair: ratelimit.PublishedPair(ratelimit.Spaced), Tier: 250}
	for i := range 500 {
		d.items = append(d.items, campaign.Item{Message: ratelimit.Message{Recipient: places[0] + uint64(i)}, Seq: uint32(i)})
	}
	d.limits.Before = func(p *ratelimit.Policy) {
		for i := range 250 {
			if p.Messaging == nil {
				return
			}
			// the last ones of the list, whose day is over in ten minutes
			p.Messaging.Charge(places[0]+uint64(250+i), noon.Add(10*time.Minute-ratelimit.MessagingWindow))
		}
	}
	f := d.forecast()
	if want := ratelimit.MessagingWindow + 24900*time.Millisecond; f.Duration() != want || f.Lower != want {
		t.Errorf("takes %v (lower bound %v), want %v: the known ones today, the others a day later", f.Duration(), f.Lower, want)
	}
}

// TestQuietHours holds every departure against the clock on the wall of where its recipient may be.
func TestQuietHours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.limits.Quiet = quiet.Hours{From: time.Duration(rapid.IntRange(0, 1439).Draw(t, "from")) * time.Minute,
			To: time.Duration(rapid.IntRange(0, 1439).Draw(t, "to")) * time.Minute}
		if d.limits.Quiet.None() {
			t.Skip("no quiet hours")
		}
		all := d.departures()
		for _, x := range all {
			zones := quiet.Zones(d.items[x.Seq].Recipient)
			if d.limits.Quiet.Earliest(zones, noon) == ratelimit.Never {
				continue // no hour of the day suits all of them: the middle one counts
			}
			for _, zone := range zones {
				hour, minute, _ := x.At.Time().In(zone).Clock()
				now := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
				from, to := d.limits.Quiet.From, d.limits.Quiet.To
				if in := from <= now && now < to; in && from < to || from > to && (from <= now || now < to) {
					t.Fatalf("message to %d leaves at %v of %v", d.items[x.Seq].Recipient, now, zone)
				}
			}
		}
		if f := d.forecast(); f.Duration() < f.Lower || len(all) != len(d.items) {
			t.Fatalf("%d of %d messages in %v, lower bound %v by %s", len(all), len(d.items), f.Duration(), f.Lower, f.Binding)
		}
	})
}

// TestDeadline holds that what leaves and what is missed are the campaign, and that nothing leaves after the deadline.
func TestDeadline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		whole := d.forecast()
		d.limits.Deadline = noon.Add(time.Duration(rapid.Int64Range(0, int64(whole.Duration())).Draw(t, "deadline")))
		f := d.forecast()
		if f.Last > d.limits.Deadline || f.Messages+len(f.Missed) != len(d.items) || f.Whole != whole.Duration() {
			t.Fatalf("the last leaves %v after the deadline; %d leave, %d are missed of %d; all take %v, want %v",
				f.Last.Sub(d.limits.Deadline), f.Messages, len(f.Missed), len(d.items), f.Whole, whole.Duration())
		}
		if !slices.IsSorted(f.Missed) {
			t.Fatal("the missed ones are not in file order")
		}
		if whole.Last <= d.limits.Deadline && len(f.Missed) > 0 || whole.Last > d.limits.Deadline && len(f.Missed) == 0 {
			t.Fatalf("%d are missed; without a deadline the last leaves %v after it", len(f.Missed), whole.Last.Sub(d.limits.Deadline))
		}
	})
}

// TestSameOnEveryRun holds that a forecast is the same each time, alone or beside others, on one processor or all.
func TestSameOnEveryRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		slow, small := d.limits, d.limits
		slow.Numbers = slices.Clone(slow.Numbers)
		slow.Numbers[0].Throughput.Pace = ratelimit.PerSecond(5)
		small.Tier = 50
		all := Compare(campaign.NewLoad(d.items), []campaign.Limits{d.limits, slow, small}, noon, d.latency)
		before := runtime.GOMAXPROCS(1)
		defer runtime.GOMAXPROCS(before)
		for i, l := range []campaign.Limits{d.limits, slow, small} {
			if diff := cmp.Diff(all[i], New(campaign.NewLoad(d.items), l, noon, d.latency)); diff != "" {
				t.Fatalf("limits %d: beside others (-) and alone (+)\n%s", i, diff)
			}
		}
	})
}

// TestSums holds the parts of a forecast against the whole.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.limits.Tier = rapid.SampledFrom([]int{0, 30, 250}).Draw(t, "tier")
		f := d.forecast()
		sum := func(counts []int) (n int) {
			for _, c := range counts {
				n += c
			}
			return n
		}
		if sum(f.Series.Counts) != len(d.items) || sum(f.Shares) != len(d.items) {
			t.Fatalf("the series has %d messages, the numbers %d, the campaign %d", sum(f.Series.Counts), sum(f.Shares), len(d.items))
		}
		counts := make([]int, len(f.Series.Counts))
		for _, x := range d.departures() {
			counts[x.At.Sub(f.Series.From)/f.Series.Width]++
		}
		if diff := cmp.Diff(counts, f.Series.Counts); diff != "" {
			t.Fatalf("series: counted one by one (-), as told (+)\n%s", diff)
		}
		slots := 0
		for _, w := range f.Windows {
			slots += w.Recipients
		}
		if people := len(slices.Compact(slices.Sorted(slices.Values(recipients(d.items))))); d.limits.Tier > 0 && slots != people {
			t.Fatalf("%d people take a slot in the windows, the campaign has %d", slots, people)
		}
	})
}

// TestNumbers holds that throughput adds and a portfolio's messaging limit does not.
func TestNumbers(t *testing.T) {
	number := func(level int, portfolio string) campaign.Number {
		return campaign.Number{Portfolio: portfolio, Throughput: ratelimit.Throughput{Level: level, Pace: ratelimit.PerSecond(level)}}
	}
	l := campaign.Limits{Pair: ratelimit.PublishedPair(ratelimit.Spaced)}
	items := many(4000)
	for i := range items {
		items[i].Number = uint16(i % 2)
	}
	for _, tc := range []struct {
		name    string
		numbers []campaign.Number
		tier    int
		takes   time.Duration
	}{
		{"two of 80", []campaign.Number{number(80, ""), number(80, "")}, 0, 1999 * 12500 * time.Microsecond},
		{"one in coexistence", []campaign.Number{number(80, ""), number(20, "")}, 0, 1999 * 50 * time.Millisecond},
		{"one portfolio", []campaign.Number{number(80, "a"), number(80, "a")}, 2000, day + 999*12500*time.Microsecond},
		{"two portfolios", []campaign.Number{number(80, "a"), number(80, "b")}, 2000, 1999 * 12500 * time.Microsecond},
	} {
		l.Numbers, l.Tier = tc.numbers, tc.tier
		f := New(campaign.NewLoad(items), l, noon, 0)
		if f.Duration() != tc.takes || f.Lower > f.Duration() || f.Duration()-f.Lower > 50*time.Millisecond {
			t.Errorf("%s: takes %v (lower bound %v), want %v", tc.name, f.Duration(), f.Lower, tc.takes)
		}
		if got, want := Webhooks(l, ratelimit.PerSecond(7)), 3*(l.Numbers[0].Throughput.Pace+l.Numbers[1].Throughput.Pace)+7000; got != want {
			t.Errorf("%s: webhooks %v, want %v", tc.name, got, want)
		}
	}
}
