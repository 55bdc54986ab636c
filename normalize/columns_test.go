package normalize

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/wactl/wactl/normalize/lines"
)

// The hint of every ambiguous header names a value that works, whatever the headers are.
func TestHintedPhoneColumnWorks(t *testing.T) {
	for _, tt := range []struct {
		header string
		named  []string
		want   string // the number of the first row
	}{
		{"phone,phone", nil, "+5511961234567"},
		{"Phone,phone", nil, "+5511961234567"},
		{"phone, Phone ,PHONE", nil, "+5511961234567"},
		{"name,nome,mobile,mobile", nil, "+5511961234569"},
		{"phone,phone", []string{"phone"}, "+5511961234567"},
		{"Phone,PHONE", []string{"phone"}, "+5511961234567"},
		{"#2,phone,phone", nil, "+5511961234567"}, // the first column has that name
		{"a,a", nil, "+5511961234567"},
		{"a,b", nil, "+5511961234567"},
		{"+5511961234560,+5511961234561", nil, "+5511961234560"},
	} {
		cells := "+5511961234567,+5511961234568,+5511961234569,+5511961234570"
		cells = cells[:14+15*strings.Count(tt.header, ",")]
		text := tt.header + "\n" + cells + "\n"
		_, err := Open("a.csv", strings.NewReader(text), Options{PhoneColumns: tt.named})
		refused, ok := errors.AsType[*lines.FileError](err)
		if !ok || !errors.Is(err, ErrAmbiguousPhoneColumn) {
			t.Errorf("%q: error %v", tt.header, err)
			continue
		}
		m := regexp.MustCompile(`--phone-column "([^"]*)"`).FindStringSubmatch(refused.Hint)
		if m == nil {
			t.Errorf("%q: hint %q", tt.header, refused.Hint)
			continue
		}
		l, err := Open("a.csv", strings.NewReader(text), Options{PhoneColumns: m[1:]})
		if err != nil {
			t.Errorf("%q: what the hint says, %q, gives %v", tt.header, m[1], err)
			continue
		}
		for r := range l.Rows() {
			if got := r.E164(); got != tt.want {
				t.Errorf("%q: %q takes %s, want %s", tt.header, m[1], got, tt.want)
			}
			break
		}
	}
}

// A name wins over a place, and a place that is not there is refused.
func TestColumnByPlace(t *testing.T) {
	header := []string{"name", "#1", "phone"}
	for name, want := range map[string]int{"#1": 1, "#3": 2, "#2": 1, "phone": 2} {
		if at := match(header, name); len(at) != 1 || at[0] != want {
			t.Errorf("%s: columns %v, want %d", name, at, want)
		}
	}
	for _, name := range []string{"#0", "#4", "#", "#x", "#x", "3", "#9999999999999999999"} {
		if at := match(header, name); at != nil {
			t.Errorf("%s: columns %v", name, at)
		}
	}
}
