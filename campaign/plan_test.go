package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

var planNow = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func planOf(t testing.TB, list string, spec template.Spec, d Duplicates) (*Plan, error) {
	t.Helper()
	l, err := normalize.Open("list.csv", strings.NewReader(list), normalize.Options{Region: "BR"})
	if err != nil {
		t.Fatal(err)
	}
	content, err := template.NewContent(spec, l.Header)
	if err != nil {
		t.Fatal(err)
	}
	return NewPlan(l, content, PlanOptions{Duplicates: d, NumberID: "1", Now: planNow})
}

func mustPlan(t testing.TB, list string, spec template.Spec, d Duplicates) *Plan {
	t.Helper()
	p, err := planOf(t, list, spec, d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outline is a plan in short: "line:ordinal" of each message, and "line rule" or "line rule>first" of each row left out.
func outline(t testing.TB, p *Plan) (goes, left []string) {
	t.Helper()
	for s, err := range p.Steps([16]byte{1}, PlanOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		goes = append(goes, fmt.Sprintf("%d:%d", s.Line, s.Ordinal))
	}
	for _, l := range p.LeftOut {
		text := fmt.Sprintf("%d %s", l.Line, l.Rule)
		if l.FirstLine != 0 {
			text += fmt.Sprintf(">%d", l.FirstLine)
		}
		left = append(left, text)
	}
	return goes, left
}

// The rows of the tests below: two people, whose numbers are spelled in several ways.
const (
	ana   = "+5511961234561"
	ana2  = "(11) 96123-4561"
	ana3  = "5511961234561"
	bruno = "+5511961234562"
)

func rows(cells ...string) string {
	return "phone,name,opt_out,last_inbound_at\n" + strings.Join(cells, "\n") + "\n"
}

func TestPlanDuplicates(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows string
		d    Duplicates
		goes []string
		left []string
	}{
		{"identical rows go once, whatever is asked", rows(ana+",Ana", bruno+",Ana", ana2+",Ana", ana3+",Ana"), RefuseDuplicates,
			[]string{"2:0", "3:0"}, []string{"4 duplicate>2", "5 duplicate>2"}},
		{"first of three", rows(ana+",A", ana2+",B", ana3+",C", bruno+",D"), FirstDuplicate,
			[]string{"2:0", "5:0"}, []string{"3 duplicate-conflict>2", "4 duplicate-conflict>2"}},
		{"first, then the same again", rows(ana+",A", ana2+",B", ana3+",A"), FirstDuplicate,
			[]string{"2:0"}, []string{"3 duplicate-conflict>2", "4 duplicate>2"}},
		{"last of three: both others name the one that goes", rows(ana+",A", ana2+",B", ana3+",C", bruno+",D"), LastDuplicate,
			[]string{"4:0", "5:0"}, []string{"2 duplicate-conflict>4", "3 duplicate-conflict>4"}},
		{"last, then the same again", rows(ana+",A", ana2+",B", ana3+",B"), LastDuplicate,
			[]string{"3:0"}, []string{"2 duplicate-conflict>3", "4 duplicate>3"}},
		{"last goes back to the first text", rows(ana+",A", ana2+",B", ana3+",A"), LastDuplicate,
			[]string{"4:0"}, []string{"2 duplicate-conflict>4", "3 duplicate-conflict>4"}},
		{"all, identical ones once", rows(ana+",A", bruno+",A", ana2+",B", ana3+",A", ana+",B", ana+",C"), AllDuplicates,
			[]string{"2:0", "3:0", "4:1", "7:2"}, []string{"5 duplicate>2", "6 duplicate>4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustPlan(t, tt.rows, template.Spec{Text: "Oi {{name}}"}, tt.d)
			goes, left := outline(t, p)
			if diff := cmp.Diff(tt.goes, goes); diff != "" {
				t.Errorf("goes: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(tt.left, left); diff != "" {
				t.Errorf("left out: -want +got\n%s", diff)
			}
		})
	}
}

func TestPlanRefusesConflicts(t *testing.T) {
	_, err := planOf(t, rows(ana+",A", bruno+",B", ana2+",C", ana3+",D", bruno+",B"), template.Spec{Text: "Oi {{name}}"}, RefuseDuplicates)
	const want = "2 rows have another message for somebody who has one already: line 4 (first in line 2), line 5 (first in line 2)"
	if !errors.Is(err, ErrConflict) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}

	many := rows(ana + ",A")
	for i := range 15 {
		many += fmt.Sprintf("%s,name %d\n", ana, i)
	}
	_, err = planOf(t, many, template.Spec{Text: "Oi {{name}}"}, RefuseDuplicates)
	if !errors.Is(err, ErrConflict) || !strings.HasPrefix(err.Error(), "15 rows have ") || !strings.HasSuffix(err.Error(), "line 12 (first in line 2) and 5 more") {
		t.Errorf("error %v", err)
	}
}

// TestPlanOptOut: one row that says so is enough, wherever it stands and whatever the others are.
func TestPlanOptOut(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows string
		d    Duplicates
		left []string
	}{
		{"before", rows(ana+",A,yes", ana2+",A", bruno+",A"), RefuseDuplicates, []string{"2 opted-out", "3 opted-out>2"}},
		{"after", rows(ana+",A", bruno+",A", ana2+",A,yes"), RefuseDuplicates, []string{"2 opted-out>4", "4 opted-out"}},
		{"a conflict of theirs is none", rows(ana+",A", ana2+",B", bruno+",A", ana3+",C,yes"), RefuseDuplicates,
			[]string{"2 opted-out>5", "3 opted-out>5", "5 opted-out"}},
		{"first", rows(ana+",A", ana2+",B", bruno+",A", ana3+",C,yes"), FirstDuplicate, []string{"2 opted-out>5", "3 opted-out>5", "5 opted-out"}},
		{"last", rows(ana+",A", ana2+",B", bruno+",A", ana3+",C,yes"), LastDuplicate, []string{"2 opted-out>5", "3 opted-out>5", "5 opted-out"}},
		{"all", rows(ana+",A", ana2+",B", bruno+",A", ana3+",C,yes"), AllDuplicates, []string{"2 opted-out>5", "3 opted-out>5", "5 opted-out"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustPlan(t, tt.rows, template.Spec{Text: "Oi {{name}}"}, tt.d)
			goes, left := outline(t, p)
			if len(goes) != 1 || p.Recipients != 1 {
				t.Errorf("%v go to %d people, want one message to Bruno", goes, p.Recipients)
			}
			if diff := cmp.Diff(tt.left, left); diff != "" {
				t.Errorf("left out: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(map[string]int{"opted-out": len(tt.left)}, p.Skipped); diff != "" {
				t.Errorf("skipped: -want +got\n%s", diff)
			}
		})
	}
}

func TestPlanCounts(t *testing.T) {
	list := "phone,text,image\n" +
		ana + ",Um,\n" + ana2 + ",Dois,\n" + ana3 + ",Um,\n" + // two messages
		"+525551234101,Uno,\n" +
		bruno + ",,https://example.org/a.jpg\n" +
		"+551134567890,Fixo,\n" + // a landline: a warning
		"none,Nada,\n" +
		"+5511961234569,,\n" // no content
	p := mustPlan(t, list, template.Spec{}, AllDuplicates)
	type counts struct {
		Rows, Messages, Recipients, Links, Unsure int
		Countries, Skipped, Warnings              map[string]int
	}
	want := counts{Rows: 8, Messages: 5, Recipients: 4, Links: 1, Unsure: 5, Countries: map[string]int{"BR": 3, "MX": 1},
		Skipped: map[string]int{"duplicate": 1, "placeholder-number": 1, "content-missing": 1}, Warnings: map[string]int{"fixed-line": 1}}
	got := counts{p.Rows, p.Messages(), p.Recipients, p.Links, p.Unsure, p.Countries, p.Skipped, p.Warnings}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2:0", "3:1", "5:0", "6:0", "7:0"}, first(outline(t, p))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	before := p.Hash()
	p.Forget()
	if p.Messages() != 0 || p.Recipients != 4 || before == p.Hash() {
		t.Error("Forget keeps the messages or drops the counts")
	}
}

func first(goes, _ []string) []string { return goes }

func TestPlanWindow(t *testing.T) {
	list := rows(
		ana+",A,,2026-12-01T08:00:00Z", // an hour ago: open for 23 hours
		"+5511961234562,B,,2026-11-30T09:00:00Z",
		"+5511961234563,C,,2026-11-30T09:00:01Z",
		"+5511961234564,D,,", // unknown
		"+5511961234565,E,,1796112000",
		"+5511961234566,F,,yesterday",
	)
	p := mustPlan(t, list, template.Spec{Text: "Oi {{name}}"}, RefuseDuplicates)
	goes, left := outline(t, p)
	if diff := cmp.Diff([]string{"2:0", "4:0", "5:0", "6:0", "7:0"}, goes); diff != "" {
		t.Errorf("goes: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"3 text-outside-window"}, left); diff != "" {
		t.Errorf("left out: -want +got\n%s", diff)
	}
	if p.Unsure != 2 || p.Warnings[warnInbound] != 1 {
		t.Errorf("%d unsure, warnings %v; want 2 and one unreadable time", p.Unsure, p.Warnings)
	}
	if open := p.Items()[0].OpenUntil; open != ratelimit.At(planNow.Add(23*time.Hour)) {
		t.Errorf("the window closes %v", open.Time())
	}
	if unix := p.Items()[3].OpenUntil; unix != ratelimit.At(time.Unix(1796112000, 0).Add(24*time.Hour)) {
		t.Errorf("Unix seconds: the window closes %v", unix.Time())
	}

	// A template needs no open window.
	p = mustPlan(t, list, template.Spec{Template: "welcome", Language: "en"}, RefuseDuplicates)
	if p.Messages() != 6 || p.Unsure != 0 {
		t.Errorf("%d messages, %d unsure; want 6 and 0", p.Messages(), p.Unsure)
	}
}

func TestPlanFaultsHaveTheirPlace(t *testing.T) {
	p := mustPlan(t, rows(ana+`,"A`+"\n"+`B"`, bruno+",B"), template.Spec{Template: "t", Language: "en", Params: map[string]string{"body.1": "name"}}, RefuseDuplicates)
	want := []LeftOut{{Line: 2, Rule: "param-newline", Message: `body.1 (column "name"): a line break; the platform refuses it in a parameter`}}
	if diff := cmp.Diff(want, p.LeftOut); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if goes, _ := outline(t, p); len(goes) != 1 || goes[0] != "4:0" {
		t.Errorf("goes %v: a record of two lines moves the next one to line 4", goes)
	}
}

// TestPlanManyForOnePerson: as many messages as rows, each with an id of its own, and in time that grows with the rows. The rows come without
// their file: reading it would take the longest.
func TestPlanManyForOnePerson(t *testing.T) {
	const many = 100_000
	p := newPlan()
	began := time.Now()
	for i := range many + 1 {
		s := planned{recipient: 5511961234561, line: uint32(i + 2), region: p.region("BR")}
		m := template.Message{Type: template.TypeText, Text: fmt.Sprint(i % many)}
		s.hash = m.Hash()
		if !p.place(&s, AllDuplicates) {
			continue
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		p.append(s, text)
	}
	p.finish()
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	if p.Messages() != many || p.Recipients != 1 || p.Countries["BR"] != 1 || p.Skipped["duplicate"] != 1 {
		t.Errorf("%d messages to %d people in %v, %v left out", p.Messages(), p.Recipients, p.Countries, p.Skipped)
	}
	ids := make(map[string]bool, many)
	for s, err := range p.Steps([16]byte{1}, PlanOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids[s.ID] = true
	}
	if len(ids) != many {
		t.Errorf("%d ids for %d messages", len(ids), many)
	}
}

// TestPlanWithoutTexts holds a plan that keeps no texts against one that does: all else is the same, and texts are an error.
func TestPlanWithoutTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list strings.Builder
		list.WriteString("phone,text,last_inbound_at\n")
		for range rapid.IntRange(1, 30).Draw(t, "rows") {
			fmt.Fprintf(&list, "%s,%s,%s\n", rapid.SampledFrom([]string{"+5511961234561", "+5511961234562", "+12025550123", "nobody"}).Draw(t, "who"),
				rapid.SampledFrom([]string{"a", "b", "", "\"c, d\""}).Draw(t, "text"),
				rapid.SampledFrom([]string{"", "2026-12-01T08:00:00Z", "2026-11-01T08:00:00Z"}).Draw(t, "wrote"))
		}
		d := rapid.SampledFrom([]Duplicates{FirstDuplicate, LastDuplicate, AllDuplicates}).Draw(t, "duplicates")
		var plans [2]*Plan
		for i := range plans {
			l, err := normalize.Open("list.csv", strings.NewReader(list.String()), normalize.Options{Region: "BR"})
			if err != nil {
				t.Fatal(err)
			}
			content, err := template.NewContent(template.Spec{}, l.Header)
			if err != nil {
				t.Fatal(err)
			}
			if plans[i], err = NewPlan(l, content, PlanOptions{Duplicates: d, Now: planNow, NoText: i == 1}); err != nil {
				t.Fatal(err)
			}
		}
		kept, bare := plans[0], plans[1]
		if diff := cmp.Diff(kept.LeftOut, bare.LeftOut); diff != "" || kept.Hash() != bare.Hash() || kept.Open != bare.Open || kept.Unsure != bare.Unsure {
			t.Fatalf("without texts the plan is another one\n%s", diff)
		}
		if diff := cmp.Diff(kept.Items(), bare.Items()); diff != "" {
			t.Fatalf("with texts (-), without (+)\n%s", diff)
		}
		for _, err := range bare.Steps([16]byte{}, PlanOptions{}) {
			if !errors.Is(err, errNoText) {
				t.Fatalf("a step without its text: %v", err)
			}
		}
	})
}

// TestPlanAccountsForEveryRow: a row goes or is left out, each once; nobody gets the same twice, nor anything after an opt-out.
func TestPlanAccountsForEveryRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		phones := []string{ana, ana2, ana3, bruno, "none", ""}
		var b strings.Builder
		b.WriteString("phone,name,opt_out\n")
		n := rapid.IntRange(0, 12).Draw(t, "rows")
		out := map[string]bool{}
		for range n {
			phone := rapid.SampledFrom(phones).Draw(t, "phone")
			opt := rapid.SampledFrom([]string{"", "", "", "yes"}).Draw(t, "opt-out")
			if opt != "" && phone != "none" && phone != "" {
				out[map[bool]string{true: bruno, false: ana}[phone == bruno]] = true
			}
			fmt.Fprintf(&b, "%s,%s,%s\n", phone, rapid.SampledFrom([]string{"A", "B"}).Draw(t, "name"), opt)
		}
		d := rapid.SampledFrom([]Duplicates{RefuseDuplicates, FirstDuplicate, LastDuplicate, AllDuplicates}).Draw(t, "policy")
		l, err := normalize.Open("list.csv", strings.NewReader(b.String()), normalize.Options{Region: "BR"})
		if err != nil {
			t.Fatal(err)
		}
		content, err := template.NewContent(template.Spec{Text: "Oi {{name}}"}, l.Header)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlan(l, content, PlanOptions{Duplicates: d, Now: planNow})
		if errors.Is(err, ErrConflict) && d == RefuseDuplicates {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkPlan(t, p, d, out)
	})
}

func checkPlan(t *rapid.T, p *Plan, d Duplicates, out map[string]bool) {
	lines, texts, people, skipped := map[int]bool{}, map[string]bool{}, map[string]int{}, map[string]int{}
	for s, err := range p.Steps([16]byte{1}, PlanOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		phone := s.Recipient.Phone
		if out[phone] {
			t.Errorf("%s opted out and gets line %d", phone, s.Line)
		}
		if key := phone + s.Message.Text; texts[key] {
			t.Errorf("%s gets the same twice", phone)
		} else {
			texts[key] = true
		}
		if s.Ordinal != people[phone] {
			t.Errorf("line %d has ordinal %d, want %d", s.Line, s.Ordinal, people[phone])
		}
		people[phone]++
		lines[s.Line] = true
	}
	for _, l := range p.LeftOut {
		if lines[l.Line] {
			t.Errorf("line %d is there twice", l.Line)
		}
		lines[l.Line] = true
		skipped[l.Rule]++
		if l.Rule == ruleConflict && (d == FirstDuplicate || d == LastDuplicate) && !lines[l.FirstLine] {
			t.Errorf("line %d is left out for line %d, which is no row", l.Line, l.FirstLine)
		}
		if l.Why() == "" {
			t.Errorf("line %d is left out without a reason", l.Line)
		}
	}
	if len(lines) != p.Rows || len(people) != p.Recipients {
		t.Errorf("%d lines of %d rows, %d people of %d", len(lines), p.Rows, len(people), p.Recipients)
	}
	if diff := cmp.Diff(skipped, p.Skipped); diff != "" {
		t.Errorf("skipped: -want +got\n%s", diff)
	}
}

// TestPlanFrom refuses a list that is to be sent from another number, or from several.
func TestPlanFrom(t *testing.T) {
	const head = "phone,from\n+5511961234567,%s\n+5511961234568,%s\n+5511961234569,\n"
	for _, tc := range []struct {
		first, second string
		refused       bool
	}{{"1", "1", false}, {"", "", false}, {"2", "2", true}, {"1", "2", true}} {
		_, err := planOf(t, fmt.Sprintf(head, tc.first, tc.second), template.Spec{Text: "Oi"}, RefuseDuplicates)
		if errors.Is(err, ErrOtherNumber) != tc.refused || err != nil && !tc.refused {
			t.Errorf("from %q and %q, sent from 1: %v", tc.first, tc.second, err)
		}
		if tc.refused && !strings.Contains(err.Error(), "column 2") {
			t.Errorf("the error names no place: %v", err)
		}
	}
}

// TestPlanInboundToCome holds that a time still to come opens no window: it would be a slot of the messaging limit for nothing.
func TestPlanInboundToCome(t *testing.T) {
	p := mustPlan(t, "phone,last_inbound_at\n+5511961234567,2026-12-01T10:00:00Z\n+5511961234568,2026-12-01T08:00:00Z\n", template.Spec{Text: "Oi"}, RefuseDuplicates)
	if p.Open != 1 || p.Items()[0].OpenUntil != 0 || p.Warnings[warnInbound] != 1 {
		t.Errorf("open windows %d, the first until %v, warnings %v", p.Open, p.Items()[0].OpenUntil, p.Warnings)
	}
}

// TestWarningsOfContent holds that what the platform does not deliver is counted, and that a medium of another kind holds its row back.
func TestWarningsOfContent(t *testing.T) {
	offer, err := template.Parse([]byte(`{"name":"offer","language":"en","category":"MARKETING","components":[{"type":"BODY","text":"Hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p := mustPlan(t, "phone\n+12024561111\n+12024561112\n+16139960143\n"+ana+"\n", template.Spec{File: &offer}, RefuseDuplicates)
	if p.Messages() != 4 || p.Warnings["us-marketing"] != 2 {
		t.Errorf("%d messages, warnings %v", p.Messages(), p.Warnings)
	}
	p = mustPlan(t, "phone,image\n"+ana+",https://example.org/a.gif\n"+bruno+",https://example.org/a.png\n", template.Spec{}, RefuseDuplicates)
	if goes, left := outline(t, p); strings.Join(goes, " ") != "3:0" || strings.Join(left, " ") != "2 media-type" {
		t.Errorf("%v go, %v are left out", goes, left)
	}
}
