package campaign

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// shared makes a plan of rows "phone,name,from" for some numbers and tells each line's number.
func shared(t *testing.T, o PlanOptions, rows ...string) (map[int]string, error) {
	t.Helper()
	l, err := normalize.Open("list.csv", strings.NewReader("phone,name,from\n"+strings.Join(rows, "\n")+"\n"), normalize.Options{Region: "BR"})
	if err != nil {
		t.Fatal(err)
	}
	content, err := template.NewContent(template.Spec{Text: "Oi {{name}}"}, l.Header)
	if err != nil {
		t.Fatal(err)
	}
	o.Duplicates, o.Now = AllDuplicates, planNow
	p, err := NewPlan(l, content, o)
	if err != nil {
		return nil, err
	}
	numbers := map[int]string{}
	items := p.Items()
	for s, err := range p.Steps([16]byte{1}, o) {
		if err != nil {
			t.Fatal(err)
		}
		numbers[s.Line] = s.NumberID
		if len(o.Numbers) > 0 && o.Numbers[items[s.Seq].Number].ID != s.NumberID {
			t.Errorf("line %d: the step is from %s, the item from number %d", s.Line, s.NumberID, items[s.Seq].Number)
		}
	}
	return numbers, nil
}

func number(id string, level int) Number {
	return Number{ID: id, Name: "shop " + id, Throughput: ratelimit.Throughput{Level: level, Pace: ratelimit.DefaultPace(level, 0)}}
}

// phones are n rows with a message each to people of their own.
func phones(n int) (rows []string) {
	for i := range n {
		rows = append(rows, fmt.Sprintf("+55119612%05d,A,", i))
	}
	return rows
}

func count(numbers map[int]string) map[string]int {
	by := map[string]int{}
	for _, id := range numbers {
		by[id]++
	}
	return by
}

func TestShareByPace(t *testing.T) {
	for _, tc := range []struct {
		name    string
		numbers []Number
		tier    int
		want    map[string]int
	}{
		{"equal ones", []Number{number("1", 80), number("2", 80)}, 0, map[string]int{"1": 60, "2": 60}},
		{"one in coexistence", []Number{number("1", 80), number("2", 20), number("3", 20)}, 0, map[string]int{"1": 80, "2": 20, "3": 20}},
		{"by the slots of two portfolios", []Number{{ID: "1", Portfolio: "a", Throughput: number("", 80).Throughput},
			{ID: "2", Portfolio: "b", Throughput: number("", 20).Throughput}}, 60, map[string]int{"1": 60, "2": 60}},
	} {
		got, err := shared(t, PlanOptions{Numbers: tc.numbers, Tier: tc.tier}, phones(120)...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, count(got)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tc.name, diff)
		}
	}
}

// TestAPairStaysOnItsNumber holds that a person's messages go from one number: what a row says, what the state knows, else any.
func TestAPairStaysOnItsNumber(t *testing.T) {
	o := PlanOptions{Numbers: []Number{number("1", 80), number("2", 80)}, Sends: func(r uint64) string {
		return map[uint64]string{5511961234561: "2", 5511961234562: "1", 5511961234563: "9"}[r]
	}}
	rows := []string{
		"+5511961234561,A,", "+5511961234561,B,", // known: 2
		"+5511961234562,A,shop 2", "+5511961234562,B,", "+5511961234562,C,1", // the rows win over what is known, each its own
		"+5511961234564,A,", "+5511961234564,B,", "+5511961234564,C,", // not known: one number
	}
	got, err := shared(t, o, rows...)
	if err != nil {
		t.Fatal(err)
	}
	if got[7] != got[8] || got[8] != got[9] {
		t.Errorf("one person's messages are from %s, %s and %s", got[7], got[8], got[9])
	}
	maps.DeleteFunc(got, func(line int, _ string) bool { return line > 6 })
	if diff := cmp.Diff(map[int]string{2: "2", 3: "2", 4: "2", 5: "2", 6: "1"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	_, err = shared(t, o, "+5511961234561,A,", "+5511961234562,A,3")
	if !errors.Is(err, ErrOtherNumber) || !strings.Contains(err.Error(), `line 3, column 3`) || !strings.Contains(err.Error(), `"1", "2"`) {
		t.Errorf("a row from a third number: %v", err)
	}
}

// TestShareEvensOutLongChains holds that somebody with many messages at the end of the list makes no number later than the others.
func TestShareEvensOutLongChains(t *testing.T) {
	rows := phones(100)
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("+5511961234561,%d,", i))
	}
	got, err := shared(t, PlanOptions{Numbers: []Number{number("1", 80), number("2", 80)}}, rows...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"1": 80, "2": 80}, count(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestShareIsTheSameAgain holds that what the state knows keeps its number when the list has grown at its beginning.
func TestShareIsTheSameAgain(t *testing.T) {
	o := PlanOptions{Numbers: []Number{number("1", 80), number("2", 20)}}
	rows := phones(50)
	before, err := shared(t, o, rows[10:]...)
	if err != nil {
		t.Fatal(err)
	}
	known := map[uint64]string{}
	for i := range rows[10:] {
		known[uint64(5511961200000+10+i)] = before[2+i]
	}
	o.Sends = func(r uint64) string { return known[r] }
	after, err := shared(t, o, rows...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows[10:] {
		if before[2+i] != after[12+i] {
			t.Errorf("row %d went from number %s to %s", i, before[2+i], after[12+i])
		}
	}
}
