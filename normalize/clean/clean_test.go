package clean

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/normalize"
)

// open opens a list that stands in the test.
func open(t testing.TB, text string) *normalize.List {
	t.Helper()
	l, err := normalize.Open("list.csv", strings.NewReader(text), normalize.Options{Region: "BR"})
	if err != nil {
		t.Skip(err) // for the fuzzer; the tables' lists can all be opened
	}
	return l
}

func TestWriter(t *testing.T) {
	tests := []struct {
		name, text   string
		o            Options
		out, rejects string
	}{
		{"other cells byte for byte", "nome;telefone;nota\n\"Ana \"\"X\"\"\";\"11 96123-4567\";  \"a\"\n Bia ;+5511961234568;\"x;\r\ny\"\n", Options{},
			"nome;telefone;nota\n\"Ana \"\"X\"\"\";+5511961234567;  \"a\"\n Bia ;+5511961234568;\"x;\r\ny\"\n", "nome;telefone;nota;line;rule;message\n"},
		{"digits", "phone\n11961234567\n", Options{Digits: true}, "phone\n5511961234567\n", "phone,line,rule,message\n"},
		{"line ending and mark", "\ufeffphone,n\r\n11961234567,a\r\n", Options{EOL: "\r\n"}, "\ufeffphone,n\r\n+5511961234567,a\r\n", "\ufeffphone,n,line,rule,message\r\n"},
		{"safe cells", "phone,n\n11961234567,=1+1\n11961234568,ok\n", Options{Safe: true}, "phone,n\n+5511961234567,'=1+1\n+5511961234568,ok\n", "phone,n,line,rule,message\n"},
		{"rejects", "phone,n\n,a\n=1+1,\"=2\"\n", Options{}, "phone,n\n",
			"phone,n,line,rule,message\n,a,2,empty-phone,the row has no phone number\n'=1+1,'=2,3,formula-cell,the cell is a formula\n"},
		{"rows of other lengths", "n,phone,c\nAna,+5511961234567\na,b,+5511961234568,d\n", Options{}, "n,phone,c\nAna,+5511961234567\n",
			"n,phone,c,line,rule,message\na,b,+5511961234568,3,row-too-long,\"the row has 4 columns, the header 3: its cells are shifted\",d\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, rejects strings.Builder
			l := open(t, tt.text)
			w := New(l, &out, &rejects, tt.o)
			for v, err := range l.Check(normalize.CheckOptions{}).Rows() {
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Write(v); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.out, out.String()); d != "" {
				t.Errorf("clean list: %s", d)
			}
			if d := cmp.Diff(tt.rejects, rejects.String()); d != "" {
				t.Errorf("rejects: %s", d)
			}
		})
	}
}

// repairs are those of a list.
func repairs(t testing.TB, text string) iter.Seq2[normalize.Repair, error] {
	l := open(t, text)
	return func(yield func(normalize.Repair, error) bool) {
		for v, err := range l.Check(normalize.CheckOptions{}).Rows() {
			r, ok := v.Repair(l)
			if (ok || err != nil) && !yield(r, err) {
				return
			}
		}
	}
}

func TestMend(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing to do", "phone,n\n+55 11 96123-4567,a\n", "phone,n\n+55 11 96123-4567,a\n"},
		{"quotes stay", "n,phone\n\"ção, x\",\"'+5511961234567\"\r\nb,+5511961234568", "n,phone\n\"ção, x\",\"+5511961234567\"\r\nb,+5511961234568"},
		{"a repeated row goes", "phone,n\n+5511961234567,a\n11961234567,a\n+5511961234568,b\n", "phone,n\n+5511961234567,a\n+5511961234568,b\n"},
		{"one with other content stays", "phone,n\n+5511961234567,a\n11961234567,b\n", "phone,n\n+5511961234567,a\n11961234567,b\n"},
		{"doubt stays", "phone,n\n51912345678,a\n", "phone,n\n51912345678,a\n"},
		{"after a cell of two lines", "phone,n\n+5511961234567,\"a\nb\"\n'+5511961234568,c\n", "phone,n\n+5511961234567,\"a\nb\"\n+5511961234568,c\n"},
		{"a letter O", "phone,n\n+55 11 96123-456O,a\n+55 11 96123-456B,b\n", "phone,n\n+5511961234560,a\n+55 11 96123-456B,b\n"},
		{"with a mark", "\ufeffphone,n\n'+5511961234568,c\n", "\ufeffphone,n\n+5511961234568,c\n"},
		{"old Mac lines", "phone,n\r'+5511961234568,c\r+5511961234569,d\r", "phone,n\r+5511961234568,c\r+5511961234569,d\r"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			changes := 0
			err := Mend(strings.NewReader(tt.text), &out, repairs(t, tt.text), true, func(Change) { changes++ })
			if err != nil || out.String() != tt.want || (changes == 0) != (tt.text == tt.want) {
				t.Errorf("error %v, %d changes:\n%q\nwant\n%q", err, changes, out.String(), tt.want)
			}
		})
	}
}

func TestMendNoticesAnotherText(t *testing.T) {
	const was = "phone\n'+5511961234567\n"
	for _, now := range []string{"phone\n'+5511961234568\n", "phone\n", ""} {
		err := Mend(strings.NewReader(now), &strings.Builder{}, repairs(t, was), true, func(Change) {})
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%q: error %v", now, err)
		}
	}
}

// FuzzMend holds a mended list against the list: everybody who was reached before still is. More people may be: a letter O became a zero.
func FuzzMend(f *testing.F) {
	f.Add("phone,n\n'+5511961234567,a\n11961234567,a\n")
	f.Add("n;phone\r\n\"a;\"\"b\"\"\";\"0055 11 96123-4567\"\r\n")
	f.Add("phone\r=\"+5511961234567\"\r")
	f.Add("phone,n\n\"+55 (11)\n96123-4567\",a\n")
	f.Fuzz(func(t *testing.T, text string) {
		before, ok := numbers(t, text)
		if !ok {
			return
		}
		var out strings.Builder
		if err := Mend(strings.NewReader(text), &out, repairs(t, text), true, func(Change) {}); err != nil {
			return // a text whose lines cannot be told for certain is left alone
		}
		after, _ := numbers(t, out.String())
		for _, n := range before {
			if !slices.Contains(after, n) {
				t.Errorf("%s goes no more; what goes is %v", n, after)
			}
		}
	})
}

// numbers are what goes out of a list; false where it can't be read as UTF-8 text.
func numbers(t *testing.T, text string) (all []string, ok bool) {
	l := open(t, text)
	if !strings.HasPrefix(l.Encoding, "utf-8") {
		return nil, false
	}
	for v, err := range l.Check(normalize.CheckOptions{}).Rows() {
		if err != nil {
			return nil, false
		}
		if v.Kept {
			all = append(all, v.E164())
		}
	}
	return all, strings.HasPrefix(l.Encoding, "utf-8")
}

// A list that fails while it is read has not changed, and its rest is not left out.
func TestMendPassesReadErrors(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("phone\n11 9"), iotest.ErrReader(broken))
	repairs := func(yield func(normalize.Repair, error) bool) {
		yield(normalize.Repair{Line: 2, Char: 1, Old: "11 9", New: "+55119"}, nil)
	}
	if err := Mend(in, io.Discard, repairs, true, func(Change) {}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}
