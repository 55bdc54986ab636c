package analyze

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anyEvents makes logs of all that events can hold, in a small world so that they meet.
func anyEvents() *rapid.Generator[[]Event] {
	one := rapid.Custom(func(t *rapid.T) Event {
		e := Event{
			Kind:      Kind(rapid.IntRange(0, int(Echo)).Draw(t, "kind")),
			Until:     rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second, time.Minute}).Draw(t, "until"),
			Naive:     rapid.Bool().Draw(t, "naive"),
			Number:    rapid.SampledFrom([]string{"", "990000000000001", "990000000000002", "+12025550100"}).Draw(t, "number"),
			Recipient: rapid.SampledFrom([]string{"", "12025550111", "+12025550111", "552080000101", "5520980000101", "h:1", "120255***"}).Draw(t, "recipient"),
			UserID:    rapid.SampledFrom([]string{"", "", "US.1", "US.2"}).Draw(t, "user"),
			WaID:      rapid.SampledFrom([]string{"", "", "12025550111", "552080000101"}).Draw(t, "wa_id"),
			MessageID: rapid.SampledFrom([]string{"", "1", "2", wamid(1), wamid(2), wamid(3), wamid(4), wamid(5)}).Draw(t, "message"),
			Request:   rapid.SampledFrom([]string{"", "", "r1", "r2"}).Draw(t, "request"),
			Code:      rapid.SampledFrom([]int{0, 0, 131056, 131056, 130429, 131026}).Draw(t, "code"),
			Place:     Place{File: rapid.IntRange(0, 2).Draw(t, "file"), Line: rapid.IntRange(1, 200).Draw(t, "line")},
		}
		if rapid.IntRange(0, 9).Draw(t, "timed") > 0 {
			e.At = day.Add(time.Duration(rapid.IntRange(-1000, 400_000).Draw(t, "ms")) * time.Millisecond)
		}
		e.Detail = Detail{
			Client: rapid.SampledFrom([]string{"", "bot", "crm"}).Draw(t, "client"), Campaign: rapid.SampledFrom([]string{"", "c"}).Draw(t, "campaign"),
			Row: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "row"), Job: rapid.SampledFrom([]string{"", "j"}).Draw(t, "job"),
			Attempt: rapid.IntRange(0, 3).Draw(t, "attempt"), Part: rapid.IntRange(0, 2).Draw(t, "part"),
			Text: rapid.SampledFrom([]string{"", "hello", "1/3", "2/3"}).Draw(t, "text"), Category: rapid.SampledFrom([]string{"", "authentication"}).Draw(t, "category"),
		}
		return e
	})
	return rapid.SliceOfN(one, 0, 60)
}

// TestSumsHold holds for any log: no panic, sums that add up, failures in order, a report that is the same the second time.
func TestSumsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := anyEvents().Draw(t, "events")
		l := logOf(events...)
		l.sources = []Source{{Path: "a"}, {Path: "b"}, {Path: "c"}}
		r, err := Analyze(l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkSums(t, r)
		again, _ := Analyze(l, Options{})
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatalf("another report of the same log:\n%s", diff)
		}
		var g Ledger
		if err := g.Read(l); err != nil {
			t.Fatal(err)
		}
		for _, change := range []string{"dedupe", "gap=6s", "retry=4^x", "one-queue"} {
			w, err := g.WhatIf(l, Options{}, change)
			if err != nil || w.After < 0 || (change == "one-queue" || change == "gap=6s") && w.After != 0 {
				t.Fatalf("%s: %+v, %v", change, w, err)
			}
		}
	})
}

func checkSums(t *rapid.T, r Report) {
	s := r.Summary
	patterns, failures := 0, 0
	for _, n := range s.ByPattern {
		patterns += n
	}
	for _, i := range r.Incidents {
		failures += i.Failures
	}
	if s.Failures != len(r.Failures) || patterns != s.Failures || failures != s.Failures || s.Explained+s.Unexplained != s.Failures || s.Incidents != len(r.Incidents) {
		t.Fatalf("sums do not hold: %+v with %d failures", s, len(r.Failures))
	}
	for i, f := range r.Failures {
		if i > 0 && f.At.Before(r.Failures[i-1].At.Time) {
			t.Fatalf("failure %d is before the one before it", i)
		}
		if (f.Verdict == "explained") != (f.Burst != nil) || (f.Burst == nil) != (f.ClearAt == nil) || f.Advice == "" || len(f.Evidence) == 0 || f.Attempt < 1 {
			t.Fatalf("incomplete: %+v", f)
		}
		if f.Burst != nil && (f.Burst.Count != len(f.Burst.Sends) || f.Burst.CountMax != 0 && f.Burst.CountMax < f.Burst.Count) {
			t.Fatalf("burst of %d, at most %d, with %d sends", f.Burst.Count, f.Burst.CountMax, len(f.Burst.Sends))
		}
	}
}

// TestShardsMerge holds that it does not matter which ledger a fact was added to.
func TestShardsMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := anyEvents().Draw(t, "events")
		l := logOf(events...)
		l.sources = []Source{{Path: "a"}, {Path: "b"}, {Path: "c"}}
		var one, first, second Ledger
		for i, e := range l.events {
			one.Note(e)
			if rapid.Bool().Draw(t, fmt.Sprint("shard ", i)) {
				first.Note(e)
			} else {
				second.Note(e)
			}
		}
		first.Merge(&second)
		a, err := one.Analyze(l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := first.Analyze(l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("one ledger and two (-one +two):\n%s", diff)
		}
	})
}

// TestAgainstPlainCounter holds the verdicts against a counter that is written in another way: it looks back from each refusal.
func TestAgainstPlainCounter(t *testing.T) {
	refusals := 0
	rapid.Check(t, func(t *rapid.T) {
		type attempt struct {
			ms      int
			refused bool
		}
		one := rapid.Custom(func(t *rapid.T) attempt {
			return attempt{rapid.IntRange(0, 120_000).Draw(t, "ms"), rapid.IntRange(0, 4).Draw(t, "refused") == 0}
		})
		all := rapid.SliceOfNDistinct(one, 1, 40, func(a attempt) int { return a.ms }).Draw(t, "attempts")
		var events []Event
		for i, a := range all {
			e := at(float64(a.ms)/1000, Accepted, wamid(i))
			e.At = day.Add(time.Duration(a.ms) * time.Millisecond)
			if a.refused {
				e.Kind, e.Code, e.MessageID = Refused, 131056, ""
			}
			events = append(events, e)
		}
		r, err := Analyze(logOf(events...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Failures {
			refusals++
			at := int(f.At.Sub(day).Milliseconds())
			// The debt at an instant is the longest of all "first + 6 s × number since": no burst needs to be known for it.
			clear, first, last := 0, 0, 0
			for _, from := range all {
				n := 0
				for _, a := range all {
					if !a.refused && a.ms >= from.ms && a.ms <= at {
						n++
					}
				}
				if !from.refused && from.ms <= at {
					last = max(last, from.ms)
					if c := from.ms + 6000*n; c >= clear {
						if c > clear || from.ms < first {
							first = from.ms
						}
						clear = c
					}
				}
			}
			explained := clear > 0 && at < clear+min(last-first, 6000)
			if explained != (f.Verdict == "explained") {
				t.Fatalf("at %d: %s, and the plain counter says clear at %d, burst %d to %d", at, f.Verdict, clear, first, last)
			}
			if explained && (f.ClearAt.Sub(day).Milliseconds() != int64(clear) || f.Burst.First.Sub(day).Milliseconds() != int64(first)) {
				t.Fatalf("at %d: clear at %s, first %s; want %d, %d", at, f.ClearAt, f.Burst.First, clear, first)
			}
		}
	})
	if refusals < 100 {
		t.Errorf("only %d refusals: this test proves nothing", refusals)
	}
}

func BenchmarkLedger(b *testing.B) {
	const messages, recipients, statuses = 300_000, 50_000, 3
	var memory runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&memory)
		before := memory.HeapAlloc
		var l Ledger
		number := l.Number([]byte(someNumber))
		for i := range messages {
			id := l.Message([]byte(wamid(i)))
			recipient := l.Recipient([]byte(fmt.Sprintf("1202%07d", i*7919%recipients)))
			for s := range statuses {
				l.Add(Fact{Kind: Sent + Kind(s), Number: number, Recipient: recipient, Message: id, At: day.UnixMilli() + int64(i*10+s*500), Until: time.Second, Place: Place{Line: i*3 + s}})
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&memory)
		b.ReportMetric(float64(memory.HeapAlloc-before)/(messages*statuses), "B/fact")
		start := time.Now()
		r, err := l.Analyze(logOf(), Options{})
		if err != nil || r.Summary.Sends != messages {
			b.Fatal(r.Summary, err)
		}
		b.ReportMetric(float64(time.Since(start).Nanoseconds())/(messages*statuses), "ns/fact-to-judge")
	}
}

// TestStoreKeepsFacts holds that facts come out of their lists as they went in, whatever they hold.
func TestStoreKeepsFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) fact {
			f := Fact{
				Kind: Kind(rapid.IntRange(0, int(answered)).Draw(t, "kind")), Naive: rapid.Bool().Draw(t, "naive"), Number: rapid.Uint16().Draw(t, "number"),
				Recipient: rapid.SampledFrom([]uint64{0, 1, 12025550111, 12025550112, 1<<48 - 1, 1 << 48, lastDigits, whoMask}).Draw(t, "recipient"),
				Message:   rapid.SampledFrom([]uint64{0, 2, 3, 66, 67, 1 << 63, 1<<64 - 1}).Draw(t, "message"),
				At:        rapid.SampledFrom([]int64{0, 1, 1795165200000, 1795165200001, 1795165207000, maxMillis}).Draw(t, "at"),
				Until:     time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, "until")),
				Place:     Place{rapid.SampledFrom([]int{0, 1, fileMask}).Draw(t, "file"), rapid.SampledFrom([]int{0, 1, 2, 300, 1<<32 - 1}).Draw(t, "line")},
				Delivered: anyLater().Draw(t, "delivered"), Read: anyLater().Draw(t, "read"),
			}
			p := f.pack(rapid.IntRange(0, maxCodes).Draw(t, "code"))
			p.setRole(role(rapid.IntRange(0, int(incoming)).Draw(t, "role")))
			return p
		})
		var s store
		want := [2][]fact{}
		for i, f := range rapid.SliceOfN(one, 0, 400).Draw(t, "facts") {
			s.add(i%2, &f)
			want[i%2] = append(want[i%2], f)
		}
		for i := range want {
			if got := s.unpack(nil, i); !slices.Equal(want[i], got) {
				t.Fatalf("list %d (-in +out): %s", i, cmp.Diff(fmt.Sprintf("%x", want[i]), fmt.Sprintf("%x", got)))
			}
		}
	})
}

func anyLater() *rapid.Generator[Later] {
	return rapid.Custom(func(t *rapid.T) Later {
		l := Later{rapid.SampledFrom([]uint16{0, 1, 7, 200, 1<<16 - 1}).Draw(t, "seconds"), rapid.SampledFrom([]uint16{0, 0, 1, 2, 1<<16 - 1}).Draw(t, "lines")}
		if l.Lines == 0 {
			return Later{}
		}
		return l
	})
}

// TestFactsStandForOthers holds that it does not matter whether a status is a fact of its own or a part of the fact that it followed.
func TestFactsStandForOthers(t *testing.T) {
	folded := 0
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) Fact {
			return Fact{
				Kind:      rapid.SampledFrom([]Kind{Sent, Sent, Sent, Delivered, Read, Accepted, Failed, Failed, Echo, Inbound}).Draw(t, "kind"),
				Naive:     rapid.IntRange(0, 9).Draw(t, "naive") == 0,
				Number:    uint16(rapid.IntRange(0, 2).Draw(t, "number")),
				Recipient: rapid.SampledFrom([]uint64{0, 12025550111, 12025550112, 12025550113, 552080000101, 5520980000101}).Draw(t, "recipient"),
				Message:   rapid.SampledFrom([]uint64{0, 2, 3, 4, 5, 7, 9, 1<<63 + 1}).Draw(t, "message"),
				At:        rapid.SampledFrom([]int64{0, 1795165200000}).Draw(t, "day") + rapid.Int64Range(0, 400).Draw(t, "s")*1000,
				Until:     time.Second,
				Code:      rapid.SampledFrom([]int{0, 0, 0, 131056, 131026}).Draw(t, "code"),
				Place:     Place{rapid.IntRange(0, 1).Draw(t, "file"), rapid.IntRange(0, 200).Draw(t, "line")},
				Delivered: anyLater().Draw(t, "delivered"), Read: anyLater().Draw(t, "read"),
			}
		})
		var together, apart Ledger
		for _, l := range []*Ledger{&together, &apart} {
			l.Number([]byte("990000000000001"))
			l.Number([]byte("990000000000002"))
		}
		for _, f := range rapid.SliceOfN(one, 0, 60).Draw(t, "facts") {
			if f.At < 1e12 {
				f.At = 0
			}
			together.Add(f)
			later := [...]Later{f.Delivered, f.Read}
			f.Delivered, f.Read = Later{}, Later{}
			apart.Add(f)
			for i, l := range later {
				if l.Lines == 0 {
					continue
				}
				folded++
				s := f
				s.Kind = laterKinds[i]
				if s.At != 0 {
					s.At += int64(l.Seconds) * 1000
				}
				if s.Place.Line != 0 {
					s.Place.Line += int(l.Lines)
				}
				apart.Add(s)
			}
		}
		if !slices.Equal(slices.Collect(together.Facts()), slices.Collect(apart.Facts())) || together.first != apart.first || together.last != apart.last {
			t.Fatal("the facts differ")
		}
		log := logOf()
		log.sources = []Source{{Path: "a"}, {Path: "b"}}
		a, err := together.Analyze(log, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := apart.Analyze(log, Options{})
		if diff := cmp.Diff(b, a); diff != "" {
			t.Fatalf("another report (-apart +together):\n%s", diff)
		}
	})
	if folded == 0 {
		t.Error("nothing was folded")
	}
}
