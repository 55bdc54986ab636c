package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

const second = Instant(time.Second)

// TestMetaExample is Meta's only worked example, and the same arithmetic for the largest burst.
func TestMetaExample(t *testing.T) {
	for _, tc := range []struct {
		reading Reading
		burst   int
		silent  time.Duration
	}{
		{Strict, 20, 120 * time.Second},
		{Strict, 45, 270 * time.Second},
		{Strict, 1, 6 * time.Second},
		{Spaced, 1, 6 * time.Second},
	} {
		p := PublishedPair(tc.reading)
		var s PairState
		start := 1000 * second
		for range tc.burst {
			if at := p.Earliest(s, start); at != start {
				t.Fatalf("%s: message in a burst of %d waits until %v", tc.reading, tc.burst, at.Sub(start))
			}
			s = p.Charge(s, start)
		}
		if got := p.Earliest(s, start.Add(PairBurstWindow)).Sub(start); got != tc.silent {
			t.Errorf("%s: after a burst of %d the pair is closed for %v, want %v", tc.reading, tc.burst, got, tc.silent)
		}
	}
}

func TestReadings(t *testing.T) {
	for _, tc := range []struct {
		name    string
		reading Reading
		sends   int           // at 0
		ask     time.Duration // then asked at
		want    time.Duration
	}{
		{"strict gives credit inside the burst", Strict, 44, 5 * time.Second, 5 * time.Second},
		{"strict gives no 46th", Strict, 45, time.Second, 270 * time.Second},
		{"strict gives nothing after the burst", Strict, 2, 6 * time.Second, 12 * time.Second},
		{"bucket allows 45", Bucket45, 44, 0, 0},
		{"bucket gives the 46th one interval later", Bucket45, 45, 0, 6 * time.Second},
		{"bucket gives credit at any time", Bucket45, 20, 7 * time.Second, 7 * time.Second},
		{"spaced gives no credit", Spaced, 1, 0, 6 * time.Second},
		{"clear again", Spaced, 1, 6 * time.Second, 6 * time.Second},
	} {
		p := PublishedPair(tc.reading)
		s := PairState{}
		t0 := 5000 * second
		for range tc.sends {
			s = p.Charge(s, t0)
		}
		if got := p.Earliest(s, t0.Add(tc.ask)).Sub(t0); got != tc.want {
			t.Errorf("%s: earliest %v, want %v", tc.name, got, tc.want)
		}
	}
}

// spends draws the instants of a sender that asks at random times and sends when the limit lets it.
func spends(t *rapid.T, p Pair, n int) []Instant {
	var s PairState
	now := 1000 * second
	var sent []Instant
	for range n {
		now = now.Add(time.Duration(rapid.Int64Range(0, int64(20*time.Second)).Draw(t, "pause")))
		at := p.Earliest(s, now)
		if at < now {
			t.Fatalf("earliest %v is before it was asked", now.Sub(at))
		}
		if rapid.Bool().Draw(t, "gives up") {
			continue
		}
		s = p.Charge(s, at)
		sent, now = append(sent, at), at
	}
	return sent
}

// TestNoPairWindowHoldsMore recounts what the limits let through, in the words of the published text.
func TestNoPairWindowHoldsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reading := rapid.SampledFrom([]Reading{Strict, Bucket45, Spaced}).Draw(t, "reading")
		sent := spends(t, PublishedPair(reading), rapid.IntRange(1, 150).Draw(t, "n"))
		for i, from := range sent {
			for j := i; j < len(sent); j++ {
				count, span := j-i+1, sent[j].Sub(from)
				sustained := int(span/PairInterval) + 1
				if reading == Spaced && count > sustained {
					t.Fatalf("spaced: %d messages in %v", count, span)
				}
				if reading != Spaced && count > sustained+PairBurst-1 {
					t.Fatalf("%s: %d messages in %v", reading, count, span)
				}
				if reading == Strict && span < PairBurstWindow && count > PairBurst {
					t.Fatalf("strict: %d messages within %v", count, span)
				}
			}
		}
	})
}

// TestSpacedIsAllowedByAll holds the sender's reading against the others: what spaced allows, no reading refuses.
func TestSpacedIsAllowedByAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sent := spends(t, PublishedPair(Spaced), 50)
		for _, reading := range []Reading{Strict, Bucket45} {
			p := PublishedPair(reading)
			var s PairState
			for i, at := range sent {
				if p.Earliest(s, at) != at {
					t.Fatalf("%s refuses message %d, which spaced allows", reading, i)
				}
				s = p.Charge(s, at)
			}
		}
	})
}

// TestAnsweredCountsFromTheAnswer holds that with any delay between departure and arrival the next message arrives an interval later.
func TestAnsweredCountsFromTheAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := PublishedPair(Spaced)
		var s PairState
		now, lastArrival := 1000*second, Instant(0)
		for range 20 {
			now = p.Earliest(s, now)
			s = p.Charge(s, now)
			there := time.Duration(rapid.Int64Range(0, int64(9*time.Second)).Draw(t, "there"))
			back := time.Duration(rapid.Int64Range(0, int64(9*time.Second)).Draw(t, "back"))
			arrival := now.Add(there)
			if lastArrival != 0 && arrival.Sub(lastArrival) < PairInterval {
				t.Fatalf("arrived %v after the one before", arrival.Sub(lastArrival))
			}
			lastArrival, now = arrival, arrival.Add(back)
			s = p.Answered(s, now)
		}
	})
}

// TestBubbles holds a sender that may burst against the readings that give credit: they refuse nothing of it, and after a burst of N the pair is
// held for N intervals, from the last answer.
func TestBubbles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := PublishedPair(Spaced)
		p.Bubbles = rapid.IntRange(1, PairBurst).Draw(t, "bubbles")
		latency := time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "latency"))
		judges := map[Reading]PairState{Strict: {}, Bucket45: {}}
		var s PairState
		now, last := 1000*second, Instant(0)
		for range rapid.IntRange(1, 100).Draw(t, "messages") {
			at := p.Earliest(s, now)
			if at > last.Add(latency) && last != 0 { // by then the burst is answered
				s = p.Answered(s, last.Add(latency))
				at = p.Earliest(s, now)
			}
			if at > now && last != 0 && at < last.Add(latency+time.Duration(s.Count)*PairInterval) {
				t.Fatalf("after %d in a burst the pair is held for %v", s.Count, at.Sub(last.Add(latency)))
			}
			for reading, judge := range judges {
				q := PublishedPair(reading)
				if q.Earliest(judge, at) != at {
					t.Fatalf("%s refuses what a burst of %d allows", reading, p.Bubbles)
				}
				judges[reading] = q.Charge(judge, at)
			}
			s = p.Charge(s, at)
			if s.Count > p.Bubbles {
				t.Fatalf("%d in a burst, %d are allowed", s.Count, p.Bubbles)
			}
			last = at
			now = at.Add(time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "gap")))
		}
	})
}
