package normalize

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/normalize/lines"
)

// placed writes a finding with its place.
func placed(f Finding) string {
	return fmt.Sprintf("%s %s %d:%d:%d", f.Rule, f.Severity, f.Line, f.Column, f.Char)
}

// allPlaced writes findings with their places.
func allPlaced(found []Finding) (out []string) {
	for _, f := range found {
		out = append(out, placed(f))
	}
	return out
}

func TestHeaderIsFound(t *testing.T) {
	const ana = "Ana,+5511961234567\n"
	tests := map[string]struct {
		text   string
		o      Options
		header int // line; 0 without one
		phone  string
		rows   []int
		notes  []string
	}{
		"first line":              {"name,phone\n" + ana, Options{}, 1, "phone", []int{2}, nil},
		"title and date":          {"Relatorio,\nGerado em 01/02/2025,\n,\nNome,Telefone\n" + ana, Options{}, 4, "Telefone", []int{5}, []string{"rows-before-header warning 1:0:0", "blank-lines info 3:0:0"}},
		"title means a phone":     {"Contato\nNome,Telefone\n" + ana, Options{}, 2, "Telefone", []int{3}, []string{"rows-before-header warning 1:0:0"}},
		"one column":              {"phone\n+5511961234567\n", Options{}, 1, "phone", []int{2}, nil},
		"named one comes later":   {"Report,2024\nwho,x\n" + ana, Options{PhoneColumns: []string{"x"}}, 2, "x", []int{3}, []string{"rows-before-header warning 1:0:0"}},
		"a cell like a header":    {"who,where,how\nAna,+5511961234567,whatsapp\n", Options{}, 1, "where", []int{2}, nil},
		"no header":               {ana + "Bia,+5511961234568\n", Options{}, 0, "column 2", []int{1, 2}, []string{"no-header warning 1:0:0"}},
		"no header, national":     {"11961234567\n(11) 96123-4568\n", Options{Region: "BR"}, 0, "column 1", []int{1, 2}, []string{"no-header warning 1:0:0"}},
		"no header, named":        {"+5511961234567,+5511961234568\n", Options{PhoneColumns: []string{"column 2"}}, 0, "column 2", []int{1}, []string{"no-header warning 1:0:0"}},
		"no header, blanks first": {"\n,\n" + ana, Options{}, 0, "column 2", []int{3}, []string{"blank-lines info 1:0:0", "no-header warning 3:0:0"}},
		"header twice":            {"phone,Nome,nome\n+5511961234567,,\n", Options{}, 1, "phone", []int{2}, []string{"duplicate-header warning 1:3:12"}},
		"sep line and CR":         {"sep=;\rnome;telefone\rAna;+5511961234567\r", Options{}, 2, "telefone", []int{3}, []string{"sep-line info 1:0:0", "cr-line-endings info 2:0:14"}},
		"quote in the header":     {"my \"nick\" name,phone\n" + ana, Options{}, 1, "phone", []int{2}, []string{"bare-quote warning 1:1:4"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, rows := rowsOf(t, tt.text, tt.o)
			var got []int
			for _, r := range rows {
				if got = append(got, r.Line); r.E164() == "" {
					t.Errorf("line %d has no number: %v", r.Line, r.Findings)
				}
			}
			if l.HeaderLine != tt.header || l.PhoneColumn != tt.phone || !slices.Equal(got, tt.rows) {
				t.Errorf("header in line %d, numbers from %q in lines %v, want %d, %q, %v", l.HeaderLine, l.PhoneColumn, got, tt.header, tt.phone, tt.rows)
			}
			if diff := cmp.Diff(tt.notes, allPlaced(l.Notes())); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCellsDoNotGuess holds that numbers are taken from a column without a meaning only where nothing else can be meant.
func TestCellsDoNotGuess(t *testing.T) {
	tests := map[string]struct {
		text string
		o    Options
		want error
	}{
		"two columns of numbers":   {"+5511961234567,+5511961234568\n", Options{}, ErrAmbiguousPhoneColumn},
		"two under headers":        {"a,b\n+5511961234567,+5511961234568\n", Options{}, ErrAmbiguousPhoneColumn},
		"no country":               {"id,x\n1,11961234567\n", Options{}, ErrNoPhoneColumn},
		"ids that are no numbers":  {"id,cpf\n1,52998224725\n2,11144477735\n", Options{Region: "BR"}, ErrNoPhoneColumn},
		"no numbers":               {"nome,cidade\nAna,Rio\n", Options{}, ErrNoPhoneColumn},
		"named one is not there":   {"a,b\n1,+5511961234567\n", Options{PhoneColumns: []string{"c"}}, ErrUnknownColumn},
		"header far below":         {strings.Repeat("x,y\n", 20) + "name,phone\nAna,+5511961234567\n", Options{}, ErrNoPhoneColumn},
		"first line is in doubt":   {"x \"y,phone\nAna,+5511961234567\n", Options{}, lines.ErrBareQuote},
		"an open quote at the top": {"name,\"phone\nAna,+5511961234567\n", Options{}, lines.ErrUnclosedQuote},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, err := Open("list.csv", strings.NewReader(tt.text), tt.o)
			if !errors.Is(err, tt.want) {
				t.Fatalf("list %+v, error %v, want %v", l, err, tt.want)
			}
			if e, ok := errors.AsType[*lines.FileError](err); !ok || e.Hint == "" {
				t.Errorf("%#v has no hint", err)
			}
		})
	}
}

func TestDamagedRows(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string // line, number, held, findings
	}{
		"unclosed quote": {"name,phone,note\nAna,+5511961234567,\"x\nBia,+5511961234568,y\n", []string{
			"2 +5511961234567 true [unclosed-quote error 2:3:20]", "3  true [unclosed-quote error 3:0:0]"}},
		"quote before the number": {"name,phone\n\"Ana,+5511961234567\n", []string{"2  true [unclosed-quote error 2:1:1]"}},
		"opt-out behind the doubt": {"phone,note,unsubscribed\n+5511961234567,x \"y,no\n", []string{
			"2  true [bare-quote error 2:2:18]"}},
		"NUL beside":   {"name,phone\nAna\x00,+5511961234567\n", []string{"2 +5511961234567 false [nul-byte warning 2:1:4]"}},
		"NUL inside":   {"name,phone\nAna,+55119\x0061234567\n", []string{"2  true [nul-byte error 2:2:11]"}},
		"one odd byte": {"ção,phone\nçã\xe3,+5511961234567\n", []string{"2 +5511961234567 false [encoding-guessed warning 2:0:3]"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, rows := rowsOf(t, tt.text, Options{})
			var got []string
			for _, r := range rows {
				got = append(got, fmt.Sprintf("%d %s %v %v", r.Line, r.E164(), r.Held(), allPlaced(r.Findings)))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWorkbookCases holds what is said about the sheets and cells of the two workbooks among the cases.
func TestWorkbookCases(t *testing.T) {
	tests := map[string]struct {
		region, sheet string
		notes         []string
		findings      map[int]string // of rows that have any of these rules
	}{
		"12-xlsx-cell-types.xlsx": {"BR", "Contatos", nil, map[int]string{9: "formula-without-value error 9:2:0", 11: "date-cell error 11:2:0"}},
		"13-xlsx-ragged-hidden.xlsx": {"IT", "Lista", []string{"sheet-without-phone-column info 0:0:0", "more-sheets warning 0:0:0", "rows-before-header warning 1:0:0"},
			map[int]string{7: "hidden-row warning 7:0:0"}},
	}
	for file, tt := range tests {
		t.Run(file, func(t *testing.T) {
			f, err := os.Open(filepath.Join(casesFolder, file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			l, err := Open(file, f, Options{Region: tt.region})
			if err != nil {
				t.Fatal(err)
			}
			got := map[int]string{}
			for r, err := range l.Rows() {
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range r.Findings {
					if slices.ContainsFunc(fileRules, func(rule Rule) bool { return rule.Name == f.Rule }) {
						got[r.Line] = placed(f)
					}
				}
			}
			if l.Sheet != tt.sheet || l.Delimiter != "" || l.Encoding != lines.Workbook {
				t.Errorf("sheet %q, delimiter %q, encoding %q", l.Sheet, l.Delimiter, l.Encoding)
			}
			if diff := cmp.Diff(tt.notes, allPlaced(l.Notes())); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.findings, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
