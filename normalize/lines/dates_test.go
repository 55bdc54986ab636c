package lines

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// dateCodes are formats as people and programs use them; those in libraryCodes are left to the library.
var dateCodes = []string{
	"yyyy-mm-dd", "YYYY-MM-DD", "dd/mm/yyyy", "d/m/yyyy", "dd/mm/yy", "m/d/yy", "m/d/yyyy", "mm/dd/yyyy", "dd.mm.yyyy", "d.m.yy", "yyyy/mm/dd", "dd-mm-yyyy",
	"d-mmm-yy", "dd mmm yyyy", "d mmmm yyyy", "mmmm d, yyyy", "dddd, mmmm d, yyyy", "ddd d/m", "mmm-yy", "mmmm yyyy", "yyyy",
	"dd/mm/yyyy hh:mm", "dd/mm/yyyy hh:mm:ss", "yyyy-mm-dd hh:mm:ss", "m/d/yy h:mm", "h:mm", "hh:mm:ss", "h:m:s", "mm:ss", "d/m h", "h d/m", "m/h", "m:ss d/m", "yyyy-mm-dd\"T\"hh:mm:ss",
	`dd/mm/yyyy;@`, `yyyy\-mm\-dd`, `yyyy\-mm\-dd;@`, `d\ mmm\ yyyy`, `dd" de "mm" de "yyyy`, `[$-409]m/d/yyyy`, `[$-416]dd/mm/yyyy;@`, `yyyy"年"m"月"d"日"`,
}

var libraryCodes = []string{
	`[$-416]d mmmm yyyy`, `[$-F800]dddd, mmmm dd, yyyy`, `[h]:mm:ss`, "mm:ss.0", "yyyy-mm-dd hh:mm:ss.000", "h:mm AM/PM", `[Red]dd/mm/yyyy`, "mmmmm-yy", "dd/mm/yyyy;;", "e", "yyy",
	"dd/mm/yyyy_)", "[$-D000000]dd/mm/yyyy", "b1yyyy", "ggge", "h:mm a/p", `dd\`,
}

// formatted are the formats of codes and of the built-in dates, of which nothing is written yet.
func formatted(codes ...string) *formats {
	f := newFormats(false)
	for id := range builtInDates {
		f.styles = append(f.styles, newFormat(id, ""))
	}
	for _, code := range codes {
		f.styles = append(f.styles, newFormat(200, code))
	}
	return f
}

// Every date that is written here is the one that the library writes.
func TestDatesEqualTheLibrary(t *testing.T) {
	chance := rand.New(rand.NewPCG(8, 8))
	days := []int{firstDay, firstDay + 1, 366, 367, 36526, 43831, 45351, 45352, 45657, 45658, 73050, lastDay}
	for range 20 {
		days = append(days, firstDay+chance.IntN(lastDay-firstDay))
	}
	var serials []string
	for _, day := range days {
		second := chance.IntN(daySeconds)
		serials = append(serials, strconv.Itoa(day), strconv.FormatFloat(float64(day)+float64(second)/daySeconds, 'f', -1, 64),
			strconv.FormatFloat(float64(day)+float64(second)/daySeconds, 'f', 10, 64), strconv.FormatFloat(float64(day)+chance.Float64(), 'f', -1, 64))
	}
	f := formatted(append(dateCodes, libraryCodes...)...)
	ours := 0
	for i := range f.styles {
		s := &f.styles[i]
		for _, plain := range serials {
			got, ok := s.dates.show(plain)
			if !ok {
				continue
			}
			ours++
			want, ok := f.write(s, plain)
			if !ok || got != want {
				t.Errorf("format %d %q, number %s: %q, the library writes %q", s.id, s.code, plain, got, want)
				break
			}
		}
	}
	if ours < 5*len(dateCodes)*len(days)/2 {
		t.Errorf("only %d dates are written here", ours)
	}
}

// The common formats are written here, the others are not, and neither are days that spreadsheets count in a way of their own.
func TestDatesLeftToTheLibrary(t *testing.T) {
	for _, code := range dateCodes {
		if _, ok := dateFormatOf(200, code).show("45658"); !ok {
			t.Errorf("%q is left to the library", code)
		}
	}
	for _, code := range libraryCodes {
		if got, ok := dateFormatOf(200, code).show("45658"); ok {
			t.Errorf("%q writes %q", code, got)
		}
	}
	for _, plain := range []string{"0", "60", "-1", "2958466", "45658.00001", "45658.9999999", "4.5E4", "1.2.3", "", "x", "+45658", "99999999999999999999"} {
		if got, ok := dateFormatOf(200, "yyyy-mm-dd").show(plain); ok {
			t.Errorf("%q becomes %q", plain, got)
		}
	}
}

// BenchmarkDates writes dates that are all different, here and by the library.
func BenchmarkDates(b *testing.B) {
	f := formatted("dd/mm/yyyy")
	s := &f.styles[len(f.styles)-1]
	for name, write := range map[string]func(string) (string, bool){"here": s.dates.show, "excelize": func(plain string) (string, bool) { return f.write(s, plain) }} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, ok := write(strconv.Itoa(firstDay + i%1_000_000)); !ok {
					b.Fatal("not written")
				}
			}
		})
	}
}
