package normalize

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/normalize/lines"
)

// rowsOf reads a list from a text.
func rowsOf(t testing.TB, text string, o Options) (*List, []Row) {
	t.Helper()
	l, err := Open("list.csv", strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for r, err := range l.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return l, rows
}

func TestOpenFindsColumns(t *testing.T) {
	tests := map[string]struct {
		header string
		o      Options
		want   string // header of the first phone column
		phones []int
	}{
		"rank before position":     {"Phone,Mobile,WhatsApp", Options{}, "WhatsApp", []int{2, 1, 0}},
		"address comes last":       {"Default Address Phone,Phone", Options{}, "Phone", []int{1, 0}},
		"Google":                   {"Name,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value", Options{}, "Phone 1 - Value", []int{2, 4}},
		"number is loose":          {"número,telefone", Options{}, "telefone", []int{1}},
		"number alone":             {"nome,número", Options{}, "número", []int{1}},
		"content is no phone":      {"phone,text,to,body.1,header.text,button.1,from,template,image,caption", Options{}, "phone", []int{0}},
		"accents, case and signs":  {"Nome;TELÉFONO (móvil)", Options{}, "TELÉFONO (móvil)", []int{1}},
		"Portuguese":               {"nome;DDD + Telefone", Options{}, "DDD + Telefone", []int{1}},
		"Arabic, numbered":         {"الاسم,رقم الجوال 2", Options{}, "رقم الجوال 2", []int{1}},
		"Hindi":                    {"नाम,मोबाइल नंबर", Options{}, "मोबाइल नंबर", []int{1}},
		"decomposed accent":        {"nome,Telefone celular,Tele\u0301fono", Options{}, "Telefone celular", []int{1, 2}},
		"named, exact first":       {"Phone,phone", Options{PhoneColumns: []string{"phone"}}, "phone", []int{1}},
		"named, folded":            {"a,Meu Número!", Options{PhoneColumns: []string{"meu numero!"}}, "Meu Número!", []int{1}},
		"named twice, their order": {"phone,fax,x", Options{PhoneColumns: []string{"x", "phone"}}, "x", []int{2, 0}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, err := Open("list.csv", strings.NewReader(tt.header+"\n"), tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.phones, l.Columns(RolePhone)); diff != "" || l.PhoneColumn != tt.want {
				t.Errorf("first column %q, want %q; columns (-want +got):\n%s", l.PhoneColumn, tt.want, diff)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	tests := map[string]struct {
		text string
		o    Options
		want error
		says []string // in message or hint
	}{
		"no phone column":      {"nome,cidade\nAna,Rio\n", Options{}, ErrNoPhoneColumn, []string{`"nome"`, `"cidade"`, "--phone-column"}},
		"same header twice":    {"name,Phone,phone\n", Options{}, ErrAmbiguousPhoneColumn, []string{"column 2", "column 3", "line 1", "--phone-column"}},
		"named is ambiguous":   {"Phone,phone\n", Options{PhoneColumns: []string{"PHONE"}}, ErrAmbiguousPhoneColumn, []string{"column 1", "column 2"}},
		"named is missing":     {"phone\n", Options{PhoneColumns: []string{"tel"}}, ErrUnknownColumn, []string{`"tel"`, `"phone"`}},
		"consent is missing":   {"phone\n", Options{ConsentColumns: []string{"ok"}}, ErrUnknownColumn, []string{"--consent-column", `"ok"`}},
		"region unknown":       {"phone\n", Options{Region: "XX"}, ErrUnknownRegion, []string{`"XX"`, "--region BR"}},
		"region is a name":     {"phone\n", Options{Region: "Brasil"}, ErrUnknownRegion, []string{"did you mean --region BR"}},
		"regions and none":     {"phone\n", Options{Region: "BR,international"}, ErrUnknownRegion, []string{"mixes"}},
		"one of two unknown":   {"phone\n", Options{Region: "BR,XX"}, ErrUnknownRegion, []string{`"XX"`}},
		"only blank lines":     {",,\n,\n", Options{}, lines.ErrEmpty, []string{"blank"}},
		"header with a quote":  {"x \"name,phone\n", Options{}, lines.ErrBareQuote, []string{"header"}},
		"blank before the end": {"\n\n   \n", Options{}, lines.ErrEmpty, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Open("list.csv", strings.NewReader(tt.text), tt.o)
			e, ok := errors.AsType[*lines.FileError](err)
			if !errors.Is(err, tt.want) || !ok || e.Hint == "" {
				t.Fatalf("error %#v, want %v with a hint", err, tt.want)
			}
			for _, s := range tt.says {
				if !strings.Contains(e.Error()+" "+e.Hint, s) {
					t.Errorf("%q does not say %q", e.Error()+" "+e.Hint, s)
				}
			}
		})
	}
}

func TestRows(t *testing.T) {
	tests := map[string]struct {
		text  string
		o     Options
		line  int
		e164  string
		held  bool
		rules string
	}{
		"plain":                      {"phone\n+5511961234567\n", Options{}, 2, "+5511961234567", false, ""},
		"wa_id carries its code":     {"wa_id\n5511961234567\n", Options{Region: "US"}, 2, "+5511961234567", false, ""},
		"first that is not empty":    {"phone,mobile\n+5511961234567,\n", Options{}, 2, "+5511961234567", false, ""},
		"second number is told":      {"phone,mobile\n+5511961234568,+5511961234567\n", Options{}, 2, "+5511961234567", false, "same-recipient-two-numbers"},
		"landline of a lesser rank":  {"phone,mobile\n+551134567890,+5511961234567\n", Options{}, 2, "+5511961234567", false, ""},
		"same number twice":          {"phone,mobile\n11961234567,+5511961234567\n", Options{Region: "BR"}, 2, "+5511961234567", false, ""},
		"label beside it":            {"Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value\nWork,,* Mobile,+5511961234567\n", Options{}, 2, "+5511961234567", false, ""},
		"label wins over place":      {"Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value\nWork,+551134567890,* Mobile,+5511961234567\n", Options{}, 2, "+5511961234567", false, "same-recipient-two-numbers"},
		"unreadable is not replaced": {"mobile,phone\nabc,+5511961234567\n", Options{}, 2, "", true, "not-a-phone-number"},
		"empty":                      {"name,phone\nAna,\n", Options{}, 2, "", true, "empty-phone"},
		"too long":                   {"name,phone\nSilva, Ana,+5511961234567\n", Options{}, 2, "", true, "row-too-long"},
		"too long, number intact":    {"phone,name\n+5511961234567,Silva,Ana\n", Options{}, 2, "", true, "row-too-long"},
		"too long, empty":            {"name,phone\nAna,+5511961234567,,\n", Options{}, 2, "+5511961234567", false, "row-too-long"},
		"too short":                  {"name,phone\nAna\n", Options{}, 2, "", true, "row-too-short"},
		"short, phone there":         {"phone,name\n+5511961234567\n", Options{}, 2, "+5511961234567", false, "row-too-short"},
		"bare quote":                 {"name,phone\nAna \"A\" T,+5511961234567\n", Options{}, 2, "+5511961234567", false, "bare-quote"},
		"country column":             {"phone,país\n912345678,Portugal\n", Options{Region: "BR"}, 2, "+351912345678", false, ""},
		"country unknown":            {"phone,país\n912345678,Atlantis\n", Options{Region: "BR"}, 2, "", true, "unknown-country"},
		"country against +":          {"phone,país\n+351912345678,BR\n", Options{}, 2, "+351912345678", false, "country-mismatch"},
		"opted out":                  {"phone,unsubscribed\n+5511961234567,yes\n", Options{}, 2, "", true, "opted-out"},
		"not opted out":              {"phone,unsubscribed\n+5511961234567,no\n", Options{}, 2, "+5511961234567", false, ""},
		"not subscribed":             {"phone,subscribed\n+5511961234567,no\n", Options{}, 2, "", true, "opted-out"},
		"consent unread":             {"phone,opt_out\n+5511961234567,perhaps\n", Options{}, 2, "", true, "opted-out"},
		"status of an order":         {"phone,status\n+5511961234567,shipped\n", Options{}, 2, "+5511961234567", false, ""},
		"status, opted out":          {"phone,status\n+5511961234567,Unsubscribed\n", Options{}, 2, "", true, "opted-out"},
		"status, named":              {"phone,status\n+5511961234567,shipped\n", Options{ConsentColumns: []string{"status"}}, 2, "", true, "opted-out"},
		"e-mail consent":             {"phone,Unsubscribed from all email\n+5511961234567,true\n", Options{}, 2, "+5511961234567", false, "consent-other-channel"},
		"e-mail consent given":       {"phone,Accepts SMS Marketing\n+5511961234567,yes\n", Options{}, 2, "+5511961234567", false, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, rows := rowsOf(t, tt.text, tt.o)
			if len(rows) != 1 {
				t.Fatalf("%d rows, want 1", len(rows))
			}
			r := rows[0]
			if r.Line != tt.line || r.E164() != tt.e164 || r.Held() != tt.held || ruleNames(r.Findings) != tt.rules {
				t.Errorf("line %d %q held %v [%s], want line %d %q held %v [%s]", r.Line, r.E164(), r.Held(), ruleNames(r.Findings), tt.line, tt.e164, tt.held, tt.rules)
			}
		})
	}
}

func TestFindingsHaveTheirPlace(t *testing.T) {
	_, rows := rowsOf(t, "nome;telefone\n\n\"São\nJosé\";x\nÍris;abc\n", Options{})
	want := []Finding{
		{Rule: "not-a-phone-number", Severity: Error, Line: 3, Column: 2, Char: 0, Header: "telefone", Value: "x", Message: `"x" is no phone number that can be read`},
		{Rule: "not-a-phone-number", Severity: Error, Line: 5, Column: 2, Char: 6, Header: "telefone", Value: "abc", Message: `"abc" is no phone number that can be read`},
	}
	var got []Finding
	for _, r := range rows {
		got = append(got, r.Findings...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestErrorIsTheLastPair(t *testing.T) {
	l, err := Open("list.csv", strings.NewReader("phone\n+5511961234567\n"+strings.Repeat("9", 2<<20)+"\n+5511961234568\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []error
	for _, err := range l.Rows() {
		got = append(got, err)
	}
	if len(got) != 2 || got[0] != nil || !errors.Is(got[1], lines.ErrTooLong) {
		t.Errorf("pairs %v, want one row and then the endless line", got)
	}
}

func TestColumn(t *testing.T) {
	l, _ := rowsOf(t, "\ufeffphone, Text ,text\n", Options{})
	for name, want := range map[string]int{"Text": 1, "text": 2, "TEXT": 1, "phone": 0} {
		if got, ok := l.Column(name); !ok || got != want {
			t.Errorf("Column(%q) = %d, %v, want %d", name, got, ok, want)
		}
	}
	if _, ok := l.Column("caption"); ok {
		t.Error("a column that is not there was found")
	}
}

func TestSampleLists(t *testing.T) {
	for _, tt := range []struct {
		file             string
		rows, held, same int
	}{{"welcome.csv", 59, 3, 3}, {"messages.csv", 5, 0, 1}} {
		f, err := os.Open(filepath.Join("../testdata/lists", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		l, err := Open(tt.file, f, Options{Region: "BR"})
		if err != nil {
			t.Fatal(err)
		}
		rows, held, seen := 0, 0, map[uint64]bool{}
		same := 0
		for r, err := range l.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			rows++
			if r.Held() {
				held++
				continue
			}
			if seen[r.Number.Digits] {
				same++
			}
			seen[r.Number.Digits] = true
		}
		if rows != tt.rows || held != tt.held || same != tt.same {
			t.Errorf("%s: %d rows, %d held, %d repeated, want %d, %d, %d", tt.file, rows, held, same, tt.rows, tt.held, tt.same)
		}
	}
}

// endless is a list of n rows that is made while it is read.
type endless struct {
	n, i int
	rest string
}

func (e *endless) Read(b []byte) (int, error) {
	if e.rest == "" {
		if e.i > e.n {
			return 0, io.EOF
		}
		e.rest = "phone,name\n"
		if e.i > 0 {
			e.rest = fmt.Sprintf("+55119%08d,Ana\n", 60_000_000+e.i)
		}
		e.i++
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func TestRowsAreNotKept(t *testing.T) {
	const n = 20_000
	l, err := Open("list.csv", &endless{n: n}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rows := 0
	for _, err := range l.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows++
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); rows != n || grown > 1<<20 {
		t.Errorf("%d rows, and %d bytes are still held", rows, grown)
	}
	runtime.KeepAlive(l)
}

func BenchmarkRows(b *testing.B) {
	const n = 10_000
	for b.Loop() {
		l, err := Open("list.csv", &endless{n: n}, Options{Region: "BR"})
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range l.Rows() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}
