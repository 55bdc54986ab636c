package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/analyze/report/pagetest"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

var began = ratelimit.At(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC))

// busy is a campaign with everything that a page can tell: refusals, failures, people with several messages, a pause, and other campaigns before it.
func busy() Page {
	random := rand.New(rand.NewPCG(1, 2))
	var list []Passage
	for i := range 300 { // another campaign, the day before
		list = append(list, Passage{Recipient: uint64(i), Left: began.Add(-20*time.Hour + time.Duration(i)*20*time.Millisecond), Class: outcome.Accepted, Number: i%2 == 0})
	}
	at := began
	for i := range 4000 {
		p := Passage{Recipient: uint64(200 + i%3900), Left: at, Class: outcome.Accepted, Own: true, Number: true}
		switch n := random.IntN(200); {
		case n == 0:
			p.Class, p.Code = outcome.NumberSlow, 130429
		case n < 4:
			p.Class, p.Code = outcome.RecipientFailed, 131026
		case n == 5:
			p.Class = outcome.Uncertain
		case n == 6:
			p.Free = true
		}
		list = append(list, p)
		if i == 2500 {
			at = at.Add(10 * time.Minute)
		}
		if i%400 == 0 { // a second message on credit
			list = append(list, Passage{Recipient: p.Recipient, Left: at.Add(time.Millisecond), Class: outcome.Accepted, Own: true, Number: true})
		}
		if i%500 == 499 && i > 600 { // and one that waited for its pair
			list = append(list, Passage{Recipient: uint64(200 + (i-700)%3900), Left: at.Add(2 * time.Millisecond), Class: outcome.Accepted, Own: true, Number: true})
		}
		at = at.Add(13158 * time.Microsecond)
	}
	var rows []Row
	for i := range 30 {
		rows = append(rows, Row{Line: i + 2, Recipient: fmt.Sprintf("+55119%08d", i), SentAt: began.Add(time.Duration(i) * time.Second).Time()})
	}
	return Page{Campaign: "black-friday.csv", Target: "number 106540352242922 at https://graph.facebook.com", Status: "stopped", Stopped: "interrupted",
		Resume: "run the same command again to go on", Written: began.Add(time.Hour).Time(), Zone: time.FixedZone("BRT", -3*3600),
		Totals: Totals{Messages: 4500, Sent: 3700, Held: 20, Failed: 60, Skipped: 300, Uncertain: 40, Pending: 380, Delivered: new(3100), Read: new(1200),
			SkippedBy: map[string]int{"duplicate": 200, "invalid-number": 100}, FailedBy: map[int]int{131026: 45, 131050: 10, 0: 5}, Refused: map[int]int{130429: 20, 131056: 3}},
		Plan:  &Plan{Level: 80, Pace: ratelimit.PerSecond(76), Tier: 10000, Forecast: 53 * time.Second, Messages: 4200},
		First: began, Last: list[len(list)-1].Left, Passages: pairs(list), Uncertain: rows}
}

// bare is a campaign of which nothing is known but that it is there.
func bare() Page {
	return Page{Campaign: "new.csv", Target: "the sandbox", Status: "planned", Totals: Totals{Messages: 3, Pending: 3}}
}

// old is a campaign that an older version began: no plan was kept. One request left.
func old() Page {
	p := bare()
	p.Status, p.First, p.Last = "finished", began, began
	p.Totals = Totals{Messages: 1, Sent: 1}
	p.Passages = pairs([]Passage{{Recipient: 1, Left: began, Class: outcome.Accepted, Own: true, Number: true}})
	return p
}

// hostile is a campaign whose words try to break out of the page.
func hostile() Page {
	const evil = `"><script>window.pwned=1</script><img src=x onerror=window.pwned=1>'&lt;`
	p := busy()
	long := strings.Repeat("long", 60)
	p.Campaign, p.Target, p.Stopped, p.Resume, p.Status = evil+long, evil+long, evil, evil, evil
	p.Totals.SkippedBy = map[string]int{evil: 5}
	p.Uncertain = []Row{{Line: 1, Recipient: evil}}
	return p
}

func htmlOf(t *testing.T, p Page) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPageInBrowser(t *testing.T) {
	b := pagetest.Open(t)
	for _, page := range []struct {
		name   string
		page   Page
		widths []int
	}{
		{"busy", busy(), []int{320, 375, 768, 1280}},
		{"hostile", hostile(), []int{375, 1280}},
		{"bare", bare(), []int{375}},
		{"old", old(), []int{375}},
	} {
		path := pagetest.File(t, htmlOf(t, page.page))
		for _, width := range page.widths {
			for _, scheme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s %d %s", page.name, width, scheme), func(t *testing.T) {
					b.T = t
					b.Show(path, width, "screen", scheme)
					b.Check("campaign-"+page.name, width, scheme)
					b.Quiet(path)
				})
			}
		}
	}
	b.T = t
	path := pagetest.File(t, htmlOf(t, busy()))
	b.Show(path, 1280, "screen", "light")
	b.Keyboard()
	b.Show(path, 800, "print", "dark")
	b.Paper()
}

// TestPageTells looks for what each part of the page says.
func TestPageTells(t *testing.T) {
	for name, tc := range map[string]struct {
		page Page
		want []string
		not  []string
	}{
		"busy": {busy(), []string{"Pairs: for how long", "3,720 of 4,500 messages were accepted", "level 80 a second", "limit 10,000 people", "53 s for 4,200 messages", "Pauses",
			"Why messages failed", "131026", "the answer carried no code", "Refused, and tried again", "--resend-uncertain", "&#43;5511900000003", "and 10 more",
			"invalid-number", "09:00:00 BRT", "on credit", "Stopped: interrupted; run the same command again"}, []string{"NaN", "Inf", "%!"}},
		"bare": {bare(), []string{"Nothing has left yet", "None was kept", "Nothing was asked of the platform yet"}, []string{"<svg", "Uncertain"}},
		"old":  {old(), []string{"no limit is drawn", "None was kept", "pair limit was never near", "No webhook has told"}, []string{"NaN", "Inf", "%!"}},
	} {
		t.Run(name, func(t *testing.T) {
			html := string(htmlOf(t, tc.page))
			for _, w := range tc.want {
				if !strings.Contains(html, w) {
					t.Errorf("the page lacks %q", w)
				}
			}
			for _, w := range tc.not {
				if strings.Contains(html, w) {
					t.Errorf("the page says %q", w)
				}
			}
		})
	}
	broken := busy()
	broken.Passages = func(yield func(Passage, error) bool) { yield(Passage{}, errBroken) }
	if err := WriteHTML(&bytes.Buffer{}, broken); err == nil {
		t.Error("a history that cannot be read made a page")
	}
	if err := WriteHTML(writer(func([]byte) (int, error) { return 0, errBroken }), busy()); err == nil {
		t.Error("a full disk took a page")
	}
}

// TestFollow counts what the charts draw, against a count that looks at every pair of departures.
func TestFollow(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		var list []Passage
		at := began
		for range 1 + random.IntN(200) {
			at = at.Add(time.Duration(random.Int64N(int64(3 * time.Hour / 100))))
			if random.IntN(3) > 0 {
				at = at.Add(-at.Sub(began) % time.Millisecond).Add(time.Duration(random.Int64N(int64(20 * time.Millisecond))))
			}
			list = append(list, Passage{Recipient: uint64(random.IntN(40)), Left: at, Class: outcome.Accepted, Own: true, Number: true, Free: random.IntN(5) == 0})
		}
		c, err := follow(pairs(list), list[0].Left, list[len(list)-1].Left, 50)
		if err != nil {
			t.Fatal(err)
		}
		peak, people := 0, map[uint64]bool{}
		for i, p := range list {
			n := 0
			for _, q := range list[:i+1] {
				if p.Left.Sub(q.Left) < time.Second {
					n++
				}
			}
			peak = max(peak, n)
			if !p.Free {
				people[p.Recipient] = true
			}
		}
		if c.peak != peak || c.people != len(people) || c.departures != len(list) {
			t.Fatalf("busiest second %d, people %d, departures %d; want %d, %d, %d", c.peak, c.people, c.departures, peak, len(people), len(list))
		}
	}
}

// TestSlotsAreGivenBack: a person counts for 24 hours from the last message, and not longer.
func TestSlotsAreGivenBack(t *testing.T) {
	for after, want := range map[time.Duration]int{2 * time.Hour: 2, 25*time.Hour - 1: 2, 25 * time.Hour: 1, 26*time.Hour - 1: 1, 26 * time.Hour: 0} {
		s := newSlots()
		s.add(1, began)
		s.add(2, began.Add(time.Hour))
		s.add(1, began.Add(2*time.Hour))
		if got := s.at(began.Add(after)); got != want {
			t.Errorf("after %v %d people hold a slot, want %d", after, got, want)
		}
	}
}
