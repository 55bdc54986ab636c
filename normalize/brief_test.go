package normalize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// toldRows is what a check of a list writes and counts.
type toldRows struct {
	text                                     string
	in, kept, recipients, duplicates, reject int
	countries                                map[string]int
	mixed                                    []Finding
	goes                                     []bool
}

// checked checks a list as often as it takes, with a brief face or without, and writes all its rows.
func checked(t *rapid.T, text string, open Options, o CheckOptions, show face, brief briefFace) (told toldRows, settled int) {
	for {
		l, err := Open("list.csv", strings.NewReader(text), open)
		if err != nil {
			t.Fatal(err)
		}
		c := l.Check(o)
		told, settled = toldRows{}, 0
		for b, err := range c.Batches(show, brief) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Rows() {
				told.text += string(b.Text(i))
				told.goes = append(told.goes, b.Goes(i))
			}
			settled += b.Rows() - len(b.Verdicts)
		}
		if o.Before == nil && c.Again() {
			o.Before = c
			continue
		}
		told.in, told.kept, told.recipients, told.duplicates, told.reject = c.In, c.Kept, c.Recipients, c.Duplicates, c.Rejected
		told.countries, told.mixed = c.Countries, l.Notes()
		return told, settled
	}
}

// oftenTwice are cells that meet again: numbers in several writings and of several countries, and what is none.
var oftenTwice = []string{"+5511961234567", "(11) 96123-4567", "11961234567", "+55 11 96123-4568", "+541123456789", "+5491123456789", "+525512345678",
	"+52 1 55 1234 5678", "+12125550123", "+88213000000", "n/a", "", "1234", "+55119612", "551196123456", "\"11961234567\"", "0800 123 4567", "14155550132"}

// farBehind is how many rows stand before those that are drawn: the first ones of a list are looked at for its header, and never told in brief.
const farBehind = 200

// listOf draws a list whose rows repeat each other, quoted and ragged ones among them.
func listOf(t *rapid.T) string {
	header := rapid.SampledFrom([]string{"name,phone,note", "phone,name,note", "name,phone,country", "name,mobile,phone", "name,phone,opt_out"}).Draw(t, "header")
	cells := map[string][]string{
		"name": {"Ana", "Ana", "João", "=1+1", "-", "", "\"Souza, Ana\"", "JosÃ©", "\"a \"\"b\"\"\"", "Conceição"}, "note": {"", "", "x", "+1", "\"x\""},
		"country": {"BR", "Brasil", "MX", "", "Nowhere"}, "opt_out": {"", "", "", "yes"}, "phone": oftenTwice, "mobile": oftenTwice,
	}
	rows := []string{header}
	for i := range farBehind {
		row := strings.NewReplacer("opt_out", "", "phone", fmt.Sprint(5511990000000+i)).Replace(header)
		rows = append(rows, row)
	}
	for range rapid.IntRange(1, 40).Draw(t, "rows") {
		var row []string
		for name := range strings.SplitSeq(header, ",") {
			row = append(row, rapid.SampledFrom(cells[name]).Draw(t, name))
		}
		switch rapid.IntRange(0, 30).Draw(t, "shape") {
		case 0:
			row = row[:len(row)-1]
		case 1:
			row = append(row, "")
		case 2:
			row = []string{""}
		}
		rows = append(rows, strings.Join(row, ","))
	}
	return strings.Join(rows, "\n") + "\n"
}

// briefPairs are faces that look at whole verdicts, and what they are in brief: one writes the rows that go, the other what was found.
var briefPairs = []struct {
	name  string
	whole face
	brief briefFace
}{
	{"rows", writeKept, func(text []byte, v *Verdict) ([]byte, bool) { return writeKept(text, v), true }},
	{"rejects", writeAll, func(text []byte, v *Verdict) ([]byte, bool) { return writeKept(text, v), v.Kept || v.Repeats }},
	{"findings", writeFindings, func(text []byte, v *Verdict) ([]byte, bool) { return text, v.Kept && len(v.Number.Problems) == 0 }},
}

func writeKept(text []byte, v *Verdict) []byte {
	if !v.Kept {
		return text
	}
	return fmt.Appendf(text, "%d %q %d %q %q %s %s\n", v.Line, v.Fields, v.Column, v.Raw, v.rec.Raw(), v.Number.E164(), v.Region)
}

func writeAll(text []byte, v *Verdict) []byte {
	if v.Kept || v.Repeats {
		return writeKept(text, v)
	}
	return writeFindings(text, v)
}

func writeFindings(text []byte, v *Verdict) []byte {
	for _, f := range v.Findings {
		text = fmt.Appendf(text, "%d %+v\n", v.Line, f)
	}
	return text
}

// TestBriefIsWhole checks lists with faces that look at whole verdicts and with those that look at little: what comes out is the same.
func TestBriefIsWhole(t *testing.T) {
	settled := make([]int, len(briefPairs))
	rapid.Check(t, func(t *rapid.T) {
		text := listOf(t)
		pair := rapid.IntRange(0, len(briefPairs)-1).Draw(t, "faces")
		open := Options{Region: rapid.SampledFrom([]string{"BR", "MX", "BR,MX", International, ""}).Draw(t, "region")}
		if strings.Contains(text, "name,mobile,phone") {
			open.PhoneColumns = rapid.SampledFrom([][]string{nil, {"phone"}}).Draw(t, "columns")
		}
		o := CheckOptions{Keep: rapid.SampledFrom([]string{"", "first", "last"}).Draw(t, "keep"), Several: rapid.Bool().Draw(t, "several"), Limits: rapid.Bool().Draw(t, "limits")}
		if rapid.Bool().Draw(t, "suppressed") {
			o.Suppressed = &Suppressions{}
			o.Suppressed.Add(5511961234568, "by hand", 0)
		}
		p := briefPairs[pair]
		want, _ := checked(t, text, open, o, p.whole, nil)
		got, n := checked(t, text, open, o, p.whole, p.brief)
		if settled[pair] += n; !cmp.Equal(want, got, cmp.AllowUnexported(toldRows{})) {
			t.Fatalf("%s of\n%s%s", p.name, text, cmp.Diff(want, got, cmp.AllowUnexported(toldRows{})))
		}
	})
	for i, n := range settled {
		if n == 0 {
			t.Errorf("no row was settled in brief for %s: this test proves nothing", briefPairs[i].name)
		}
	}
}
