package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestPolicyChargesAllOrNone holds the joint policy against its parts asked one by one, through refusals that are taken back.
func TestPolicyChargesAllOrNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := Throughput{Level: 80, Pace: PerSecond(76)}
		pair := PublishedPair(Spaced)
		p := NewPolicy(number, pair, NewMessaging(5, time.Hour))
		pairs := map[uint64]PairState{}
		last := map[uint64]Instant{}
		var slot ThroughputState
		now := 1000 * second
		for range rapid.IntRange(1, 80).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "pause")))
			m := Message{Recipient: uint64(rapid.IntRange(1, 9).Draw(t, "who"))}
			at, _ := p.Earliest(m, now)
			if at == Never {
				t.Fatal("no limit closes for ever")
			}
			if at < number.Earliest(slot, now) || at < pair.Earliest(pairs[m.Recipient], now) {
				t.Fatalf("asked at %v, allowed at %v, before one of its parts allows it", now, at)
			}
			now = at
			c := p.Depart(m, at)
			slot = number.Charge(slot, at)
			if rapid.Bool().Draw(t, "refused") {
				p.Refused(m, c)
			} else {
				pairs[m.Recipient] = pair.Charge(pairs[m.Recipient], at)
				last[m.Recipient] = at
			}
			people := 0
			for _, then := range last {
				if now.Sub(then) < time.Hour {
					people++
				}
			}
			if used := p.Messaging.Used(now); people > 5 || people > used {
				t.Fatalf("%d people count, the policy says %d", people, used)
			}
		}
	})
}

// TestForgottenPairsWereClear holds that what the policy forgets to save memory changes no answer.
func TestForgottenPairsWereClear(t *testing.T) {
	p := NewPolicy(Throughput{Level: 1000, Pace: PerSecond(950)}, PublishedPair(Spaced), nil)
	now := 1000 * second
	for who := range uint64(50000) {
		m := Message{Recipient: who % 20000}
		at, _ := p.Earliest(m, now)
		p.Depart(m, at)
		if got := p.Clear(m.Recipient, at); got != at.Add(PairInterval) {
			t.Fatalf("pair %d is clear after %v", who, got.Sub(at))
		}
		p.Arrived(m, at)
		now = at
	}
	if p.pairs.count > 16000 {
		t.Errorf("%d pairs kept, most of them clear", p.pairs.count)
	}
}

func TestOpenWindowTakesNoSlot(t *testing.T) {
	p := NewPolicy(Throughput{Level: 80, Pace: PerSecond(76)}, PublishedPair(Spaced), NewMessaging(1, time.Hour))
	t0 := 1000 * second
	p.Depart(Message{Recipient: 1, OpenUntil: t0.Add(time.Minute)}, t0)
	if p.Messaging.Used(t0) != 0 {
		t.Error("a message inside the recipient's service window took a slot")
	}
	if _, by := p.Earliest(Message{Recipient: 2}, t0); by == LimitMessaging {
		t.Error("another recipient waits for a slot that is free")
	}
}

func TestBackoff(t *testing.T) {
	for n, want := range map[int]time.Duration{1: 1, 2: 4, 3: 16, 4: 64, 5: 256, 6: 1024, 7: 1024} {
		if got := PairRetry(n); got != want*time.Second {
			t.Errorf("after %d refusals wait %v, want %v", n, got, want*time.Second)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1000).Draw(t, "failures")
		got := Transient(n, rapid.Uint64().Draw(t, "random"))
		if ceiling := min(60*time.Second, time.Second<<min(n-1, 10)); got < 0 || got > ceiling {
			t.Fatalf("failure %d waits %v, ceiling %v", n, got, ceiling)
		}
	})
}

func TestPublishedIsComplete(t *testing.T) {
	if len(Published) == 0 {
		t.Fatal("no figures")
	}
	for _, f := range Published {
		if _, err := time.Parse(time.DateOnly, f.Read); err != nil || f.Name == "" || f.Value == "" || f.Scope == "" || f.Source == "" {
			t.Errorf("incomplete figure: %+v", f)
		}
	}
}

// A new pace counts from what left last: a slow one is no reason to wait on, a fast one none to hurry, and nothing leaves before its start.
func TestRepace(t *testing.T) {
	slow, fast := Throughput{Level: 80, Pace: 1}, Throughput{Level: 80, Pace: PerSecond(50)}
	t0 := 1000 * second
	p := NewPolicy(slow, PublishedPair(Spaced), nil)
	p.Depart(Message{Recipient: 1}, t0)
	if p.Repace(fast); p.Slot(t0) != t0.Add(20*time.Millisecond) {
		t.Errorf("faster: the next may leave %v after the last, want 20 ms", p.Slot(t0).Sub(t0))
	}
	if p.Repace(slow); p.Slot(t0) != t0.Add(1000*time.Second) {
		t.Errorf("slower: the next may leave %v after the last, want 1000 s", p.Slot(t0).Sub(t0))
	}
	p.NotBefore(t0.Add(time.Hour))
	if p.Repace(fast); p.Slot(t0) != t0.Add(time.Hour) {
		t.Errorf("the next may leave %v before its start", t0.Add(time.Hour).Sub(p.Slot(t0)))
	}
	p.Slow(t0.Add(time.Hour), t0.Add(time.Hour)) // 25/s after a refusal
	before := p.Slot(t0)
	if p.Repace(Throughput{Level: 80, Pace: PerSecond(60)}); p.Slot(t0) != before || p.Pace() != PerSecond(25) {
		t.Errorf("a pace that was lowered for a refusal is %s, and the next may leave %v earlier", p.Pace(), before.Sub(p.Slot(t0)))
	}
}
