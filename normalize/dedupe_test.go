package normalize

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign/template"
)

// openText opens a list that stands in the test.
func openText(t interface{ Fatal(...any) }, text string) *List {
	l, err := Open("list.csv", strings.NewReader(text), Options{Region: "BR"})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// checkText checks a list as often as it takes and is what became of each row, in short: "2 kept", "3 duplicate of 2", "4 rejected conflict".
func checkText(t *testing.T, text string, o CheckOptions) (rows []string, c *Check) {
	t.Helper()
	for {
		l := openText(t, text)
		c, rows = l.Check(o), nil
		for v, err := range c.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, brief(v))
		}
		if o.Before != nil || !c.Again() {
			return rows, c
		}
		o.Before = c
	}
}

func brief(v Verdict) string {
	switch {
	case v.Kept && len(v.Findings) > 0 && v.Findings[0].Severity == Warning:
		return fmt.Sprintf("%d kept %s", v.Line, v.Findings[0].Rule)
	case v.Kept:
		return fmt.Sprintf("%d kept", v.Line)
	case v.Repeats:
		return fmt.Sprintf("%d %s of %d", v.Line, v.Findings[0].Rule, v.FirstLine)
	}
	return fmt.Sprintf("%d rejected %s", v.Line, v.Findings[0].Rule)
}

func TestCheckFindsDuplicates(t *testing.T) {
	const three = "phone,name\n+5511961234567,Ana\n(11) 96123-4567,Ana\n+55 11 96123-4567,Anna\n"
	tests := []struct {
		name, text string
		o          CheckOptions
		want       []string
	}{
		{"same and other content", three, CheckOptions{}, []string{"2 kept", "3 duplicate of 2", "4 rejected duplicate-conflict"}},
		{"first", three, CheckOptions{Keep: "first"}, []string{"2 kept", "3 duplicate of 2", "4 duplicate of 2"}},
		{"last", three, CheckOptions{Keep: "last"}, []string{"2 duplicate of 4", "3 duplicate of 4", "4 kept"}},
		{"several messages", three, CheckOptions{Several: true}, []string{"2 kept", "3 duplicate of 2", "4 kept pair-debt"}},
		{"a rejected row is nobody's first", "phone,name\n+55119612,Ana\n+5511961234567,Ana\n", CheckOptions{}, []string{"2 rejected too-short", "3 kept"}},
		{"empty cells at the end", "phone,name,note\n+5511961234567,Ana\n+5511961234567,Ana,\n", CheckOptions{}, []string{"2 kept", "3 duplicate of 2"}},
		{"cells do not run into each other", "phone,a,b\n+5511961234567,x,yz\n+5511961234567,xy,z\n", CheckOptions{}, []string{"2 kept", "3 rejected duplicate-conflict"}},
		{"who opts out later gets nothing before", "phone,name,opt_out\n+5511961234567,Ana,\n+5511961234568,Bia,\n11961234567,Ana,yes\n", CheckOptions{},
			[]string{"2 rejected opted-out", "3 kept", "4 rejected opted-out"}},
		{"who opted out is no conflict", "phone,name,opt_out\n+5511961234567,Ana,yes\n+5511961234567,Anna,\n", CheckOptions{},
			[]string{"2 rejected opted-out", "3 rejected opted-out"}},
		{"the last may opt out", "phone,name,opt_out\n+5511961234567,Ana,\n+5511961234567,Anna,\n+5511961234567,Anna,yes\n", CheckOptions{Keep: "last"},
			[]string{"2 rejected opted-out", "3 rejected opted-out", "4 rejected opted-out"}},
		{"argentina", "phone\n+5491123456789\n+541123456789\n", CheckOptions{}, []string{"2 kept", "3 kept ar-maybe-mobile"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, c := checkText(t, tt.text, tt.o)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			if c.Kept+c.Duplicates+c.Rejected != c.In || c.In != len(tt.want) {
				t.Errorf("%d kept, %d duplicates, %d rejected of %d", c.Kept, c.Duplicates, c.Rejected, c.In)
			}
		})
	}
}

func TestPossibleDuplicateNamesTheOtherRow(t *testing.T) {
	l := openText(t, "phone\n+541123456789\n+5491123456789\n")
	var last Verdict
	for v := range l.Check(CheckOptions{}).Rows() {
		last = v
	}
	for _, f := range last.Findings {
		if f.Rule == "possible-duplicate" && f.FirstLine == 2 && f.Column == 1 && f.Char == 1 {
			return
		}
	}
	t.Errorf("no finding about line 2: %+v", last.Findings)
}

func TestCheckJudgesContent(t *testing.T) {
	tests := []struct {
		name, text string
		spec       template.Spec
		want       []string
	}{
		{"a column that no parameter names makes no difference", "phone,name,note\n+5511961234567,Ana,x\n+5511961234567,Ana,y\n", params("name"), []string{"2 kept", "3 duplicate of 2"}},
		{"one that a parameter names does", "phone,name\n+5511961234567,Ana\n+5511961234567,Bia\n", params("name"), []string{"2 kept", "3 rejected duplicate-conflict"}},
		{"empty", "phone,name\n+5511961234567,\n", params("name"), []string{"2 rejected param-empty"}},
		{"a day as a number", "phone,date\n+5511961234567,45678\n", params("date"), []string{"2 kept param-looks-like-serial"}},
		{"such a number elsewhere", "phone,order\n+5511961234567,45678\n", params("order"), []string{"2 kept"}},
		{"free text after the window", "phone,text,last_inbound_at\n+5511961234567,Oi,2026-01-01T00:00:00Z\n+5511961234568,Oi,2026-01-02T11:00:00Z\n", template.Spec{},
			[]string{"2 rejected text-outside-window", "3 kept"}},
		{"another kind of medium", "phone,image\n+5511961234567,https://example.org/a.pdf?x=1\n+5511961234568,https://example.org/a.png\n", template.Spec{},
			[]string{"2 rejected media-type", "3 kept"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content, err := template.NewContent(tt.spec, openText(t, tt.text).Header)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := checkText(t, tt.text, CheckOptions{Content: content, Now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)})
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func params(column string) template.Spec {
	return template.Spec{Template: "welcome", Language: "en", Params: map[string]string{"body.1": column}}
}

func TestCheckKnowsTheLimits(t *testing.T) {
	_, c := checkText(t, "phone\n+5511961234567\n+5511961234568\n+5511961234569\n", CheckOptions{Limits: true, Tier: 2})
	if got := c.Ended(); len(got) != 1 || got[0].Message != "3 recipients need 2 windows of 24 hours at 2 each" {
		t.Errorf("got %+v", got)
	}
	if _, c := checkText(t, "phone\n+5511961234567\n", CheckOptions{Limits: true, Tier: 2}); len(c.Ended()) > 0 {
		t.Errorf("got %+v", c.Ended())
	}
}

func TestSuppressionsMatchEveryWriting(t *testing.T) {
	s := &Suppressions{}
	if err := s.Read(openText(t, "telefone,nome\n551161234567,a\n5511961234568@s.whatsapp.net,b\n,nobody\n(0xx11) 96123-4572,c\n+54 11 2345-6789,d\n")); err != nil {
		t.Fatal(err)
	}
	if s.Empty != 1 || len(s.People()) != 4 {
		t.Errorf("%d empty, people %v", s.Empty, s.People())
	}
	for cell, want := range map[string]string{"+55 11 96123-4567": "list.csv line 2", "11 96123-4568": "list.csv line 3", "11961234572": "list.csv line 5",
		"+5491123456789": "list.csv line 6", "+5511961234569": "", "not a number": ""} {
		if where, _ := s.Find(Parse(cell, "BR")); where != want {
			t.Errorf("%q: found at %q, want %q", cell, where, want)
		}
	}
	if _, found := (*Suppressions)(nil).Find(Parse("+5511961234567", "")); found {
		t.Error("nobody's list holds somebody")
	}
}

func TestUnreadableOptOutsAreAnError(t *testing.T) {
	s := &Suppressions{}
	err := s.Read(openText(t, "phone,phone2\n5.51196E+12,\n+5511961234567,+5511961234568\n+5511961234569,12\n"))
	if !errors.Is(err, ErrUnreadableOptOut) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{"list.csv", "line 2 (scientific-notation-lossy)", "line 4 ("} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %s", err, want)
		}
	}
	if got := len(s.People()); got != 3 {
		t.Errorf("%d people who can be read, want 3", got)
	}
}

// TestSumsAddUp holds the promise of the report over lists of all kinds: no row vanishes, and nobody goes twice.
func TestSumsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.SampledFrom([]string{"+5511961234567", "11961234567", "551161234567", "+5511961234568", "x", "", "+551134567890", "5.51196E+12"})
		name := rapid.SampledFrom([]string{"Ana", "Bia", "=1+1", "JosÃ©", ""})
		out := rapid.SampledFrom([]string{"", "", "", "yes", "?"})
		var b strings.Builder
		b.WriteString("phone,name,opt_out\n")
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			fmt.Fprintf(&b, "%s,%s,%s\n", number.Draw(t, "number"), name.Draw(t, "name"), out.Draw(t, "out"))
		}
		o := CheckOptions{Keep: rapid.SampledFrom([]string{"", "first", "last"}).Draw(t, "keep")}
		for range 2 {
			c := openText(t, b.String()).Check(o)
			went := map[uint64]bool{}
			refused := map[uint64]bool{}
			for v, err := range c.Rows() {
				if err != nil {
					t.Fatal(err)
				}
				if v.Kept == v.Held() && v.Kept || v.Kept && went[v.Number.Digits] {
					t.Fatalf("line %d goes although it is held back, or twice: %+v", v.Line, v)
				}
				went[v.Number.Digits] = went[v.Number.Digits] || v.Kept
				refused[v.Number.Digits] = refused[v.Number.Digits] || v.OptedOut()
			}
			if c.Kept+c.Duplicates+c.Rejected != c.In || c.Kept != c.Recipients {
				t.Fatalf("%d kept, %d duplicates, %d rejected of %d; %d recipients", c.Kept, c.Duplicates, c.Rejected, c.In, c.Recipients)
			}
			for d := range refused {
				if d != 0 && refused[d] && went[d] && !c.Again() {
					t.Fatalf("%d opted out and gets a message:\n%s", d, b.String())
				}
			}
			if !c.Again() {
				return
			}
			if o.Before != nil {
				for d := range refused {
					if d != 0 && refused[d] && went[d] {
						t.Fatalf("%d opted out and gets a message:\n%s", d, b.String())
					}
				}
			}
			o.Before = c
		}
	})
}
