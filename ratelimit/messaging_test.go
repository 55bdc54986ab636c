package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestNoDayHoldsMore sends to random people as the limit allows and recounts every moving window by brute force.
func TestNoDayHoldsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		window := time.Hour
		m := NewMessaging(limit, window)
		type send struct {
			who uint64
			at  Instant
		}
		var sent []send
		now := 1000 * second
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(20*time.Minute)).Draw(t, "pause")))
			who := uint64(rapid.IntRange(1, 12).Draw(t, "who"))
			at := m.Earliest(who, now)
			if at > now && rapid.Bool().Draw(t, "gives up") {
				continue
			}
			if at > now && m.Earliest(who, at-1) <= at-1 {
				t.Fatalf("could have gone before %v", at)
			}
			now = at
			m.Charge(who, at)
			sent = append(sent, send{who, at})
		}
		for _, last := range sent {
			people := map[uint64]bool{}
			for _, s := range sent {
				if s.at <= last.at && last.at.Sub(s.at) < window {
					people[s.who] = true
				}
			}
			if len(people) > limit {
				t.Fatalf("%d people within %v, limit %d", len(people), window, limit)
			}
		}
	})
}

func TestReleaseGivesTheSlotBack(t *testing.T) {
	m := NewMessaging(1, time.Hour)
	t0 := 1000 * second
	if !m.Charge(1, t0) {
		t.Fatal("the first recipient is not new")
	}
	if m.Earliest(2, t0) != t0.Add(time.Hour) {
		t.Fatal("the second recipient does not wait")
	}
	m.Release(1)
	if m.Earliest(2, t0) != t0 {
		t.Fatal("the slot did not come back")
	}
	m.Charge(2, t0)
	if m.Used(t0) != 1 || m.Used(t0.Add(time.Hour)) != 0 {
		t.Fatal("the window does not count right after a release")
	}
}

// TestLedgerAboveTheLimit is a portfolio whose limit is lower than what it used: it waits until enough left the window.
func TestLedgerAboveTheLimit(t *testing.T) {
	m := NewMessaging(2, time.Hour)
	t0 := 1000 * second
	for who := range uint64(5) {
		m.Charge(who+1, t0.Add(time.Duration(who)*time.Minute))
	}
	if got := m.Earliest(9, t0.Add(5*time.Minute)).Sub(t0); got != 63*time.Minute {
		t.Errorf("a new recipient may go after %v, want after the fourth left the window", got)
	}
}

// TestMessagesWithoutAName holds the counting of people who get one message against counting them by name, through answers out of order and
// refusals.
func TestMessagesWithoutAName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 8).Draw(t, "limit")
		named, nameless := NewMessaging(limit, time.Hour), NewMessaging(limit, time.Hour)
		now := 1000 * second
		type message struct {
			who  uint64
			left Instant
		}
		var flying []message
		for who := range uint64(rapid.IntRange(1, 60).Draw(t, "n")) {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(20*time.Minute)).Draw(t, "pause")))
			if u, v := named.Used(now), nameless.Used(now); u != v {
				t.Fatalf("%d count by name, %d without", u, v)
			}
			if named.Room(now) == now {
				named.Charge(who+1, now)
				nameless.take(now)
				flying = append(flying, message{who + 1, now})
			} else if r := nameless.Room(now); r == now {
				t.Fatal("room for one without a name, none for one with it")
			}
			for len(flying) > 0 && rapid.Bool().Draw(t, "an answer") {
				i := rapid.IntRange(0, len(flying)-1).Draw(t, "whose")
				if rapid.IntRange(0, 4).Draw(t, "refused") == 0 {
					named.Release(flying[i].who)
					nameless.give()
				} else {
					named.Charge(flying[i].who, now)
					nameless.land(now)
				}
				flying = append(flying[:i:i], flying[i+1:]...)
			}
			if len(flying) == 0 {
				if u, v := named.Room(now), nameless.Room(now); u != v {
					t.Fatalf("room from %v on by name, from %v on without", u.Sub(now), v.Sub(now))
				}
			}
			for len(flying) > 0 && now.Sub(flying[0].left) > 30*time.Minute { // an answer does not take longer than a message counts
				named.Charge(flying[0].who, now)
				nameless.land(now)
				flying = flying[1:]
			}
		}
	})
}

// TestOpens lists when each slot is free again.
func TestOpens(t *testing.T) {
	m := NewMessaging(5, time.Hour)
	t0 := 1000 * second
	m.Charge(1, t0)
	m.Charge(2, t0.Add(time.Minute))
	m.Charge(1, t0.Add(2*time.Minute))
	if got := m.Opens(t0.Add(3 * time.Minute)); len(got) != 2 || got[0] != t0.Add(61*time.Minute) || got[1] != t0.Add(62*time.Minute) {
		t.Errorf("%v", got)
	}
}

// A limit that changes holds from then on, for those who count already too.
func TestResize(t *testing.T) {
	m := NewMessaging(3, time.Hour)
	t0 := 1000 * second
	for who := range uint64(3) {
		m.Charge(who+1, t0.Add(time.Duration(who)*time.Minute))
	}
	now := t0.Add(10 * time.Minute)
	for _, c := range []struct {
		limit int
		room  Instant
	}{{3, t0.Add(time.Hour)}, {4, now}, {2, t0.Add(time.Hour + time.Minute)}, {1, t0.Add(time.Hour + 2*time.Minute)}, {0, now}} {
		if m.Resize(c.limit); m.Room(now) != c.room || !m.Has(1, now) {
			t.Errorf("limit %d: room after %v, want %v", c.limit, m.Room(now).Sub(now), c.room.Sub(now))
		}
	}
}

// TestFirstIsKnown holds what is remembered of the first entry against looking for it anew, through charges, releases and answers out of order.
func TestFirstIsKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := NewMessaging(rapid.IntRange(1, 5).Draw(t, "limit"), time.Hour)
		now := 1000 * second
		for range rapid.IntRange(1, 80).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(15*time.Minute)).Draw(t, "pause")))
			who := uint64(rapid.IntRange(1, 6).Draw(t, "who"))
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				m.Release(who)
			case 1:
				m.take(now)
			case 2:
				if m.flying > 0 {
					m.land(now.Add(-time.Minute))
				}
			case 3:
				m.Charge(who, now.Add(-time.Minute))
			default:
				m.Charge(who, now)
			}
			anew := *m
			anew.live = false
			at := now.Add(time.Duration(rapid.Int64Range(0, int64(2*time.Hour)).Draw(t, "ahead")))
			if m.Used(at) != anew.Used(at) || m.Room(at) != anew.Room(at) {
				t.Fatalf("%d used and room at %v; looked at anew %d and %v", m.Used(at), m.Room(at), anew.Used(at), anew.Room(at))
			}
		}
	})
}
