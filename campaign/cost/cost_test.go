package cost

import (
	"bytes"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestMarket(t *testing.T) {
	for _, tc := range []struct {
		recipient uint64
		on, want  string
	}{
		{5511961231001, "2026-12-01", "Brazil"},
		{12025550123, "2026-12-01", "North America"},
		{14165550123, "2026-12-01", "North America"},
		{18095550123, "2026-12-01", "Rest of Latin America"},
		{18295550123, "2026-12-01", "Rest of Latin America"},
		{18765550123, "2026-12-01", "Rest of Latin America"},
		{17875550123, "2026-12-01", "Rest of Latin America"},
		{18685550123, "2026-12-01", "Other"},
		{79161234567, "2026-12-01", "Russia"},
		{77012345678, "2026-12-01", "Kazakhstan"},
		{77012345678, "2026-09-30", "Other"},
		{22990123456, "2026-12-01", "Rest of Africa"},
		{2250701234567, "2026-12-01", "Rest of Africa"},
		{237670123456, "2026-12-01", "Rest of Africa"},
		{2348012345678, "2026-12-01", "Nigeria"},
		{212612345678, "2026-09-30", "Rest of Africa"},
		{212612345678, "2026-10-01", "Morocco"},
		{48501234567, "2026-06-30", "Rest of Central & Eastern Europe"},
		{48501234567, "2026-07-01", "Poland"},
		{6591234567, "2026-07-01", "Singapore"},
		{351912345678, "2026-12-01", "Rest of Western Europe"},
		{819012345678, "2026-12-01", "Rest of Asia Pacific"},
		{96279123456, "2026-12-01", "Rest of Middle East"},
		{821012345678, "2026-12-01", "Other"},
		{0, "2026-12-01", "Other"},
	} {
		if got := Market(tc.recipient, day(tc.on)); got != tc.want {
			t.Errorf("Market(%d, %s) = %q, want %q", tc.recipient, tc.on, got, tc.want)
		}
	}
}

// TestMarketsAreSound looks for codes and names that would make the table say two things.
func TestMarketsAreSound(t *testing.T) {
	names, codes := map[string]string{}, map[string]int{}
	for _, m := range markets {
		for n := range strings.SplitSeq(m.name+"|"+m.also, "|") {
			if old, twice := names[letters(n)]; twice && n != "" && old != m.name {
				t.Errorf("%q is %s and %s", n, old, m.name)
			}
			names[letters(n)] = m.name
		}
		for code := range strings.FieldsSeq(m.codes) {
			if len(code) > longestCode {
				t.Errorf("%s: code %s is longer than %d", m.name, code, longestCode)
			}
			if m.since.IsZero() {
				codes[code]++
			}
		}
	}
	for code, n := range codes {
		if n != 1 {
			t.Errorf("code %s belongs to %d markets from the beginning", code, n)
		}
	}
	for code, of := range byCode {
		if last := of[len(of)-1]; !last.since.IsZero() {
			t.Errorf("code %s belongs to nobody before %s became a market of its own", code, last.name)
		}
	}
}

func TestReadRates(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"no header", "Brazil,marketing,1,USD\n", "line 1: no column is called market"},
		{"no price column", "market,category,currency\n", "line 1: no column is called price"},
		{"no number", "market,category,price,currency\nBrazil,marketing,cheap,USD\n", `line 2, column 3: price: "cheap" is no price`},
		{"negative", "market,category,price,currency\nBrazil,marketing,-1,USD\n", `line 2, column 3: price: "-1" is no price`},
		{"exponent", "market,category,price,currency\nBrazil,marketing,1e5,USD\n", `line 2, column 3: price: "1e5" is no price`},
		{"thousands", "market;category;price;currency\nBrazil;marketing;1.000,5;USD\n", `line 2, column 3: price: "1.000,5" is no price`},
		{"currency", "market,category,price,currency\nBrazil,marketing,1,$\n", `line 2, column 4: currency: "$" is no currency`},
		{"two prices", "market,category,price,currency\nBrazil,marketing,1,USD\n\nBR,Marketing,2,USD\n",
			"line 4, column 3: price: marketing messages in Brazil has another price in line 2"},
		{"open quote", "market,category,price,currency\n\"Brazil,marketing,1,USD\n", `line 2, column 25: extraneous or missing " in quoted-field`},
		{"no text", "market,category,price,currency\n\xff\xfe", "it is not UTF-8 text"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ReadRates(strings.NewReader(tc.text))
			if !errors.Is(err, ErrRates) || err.Error() != tc.want {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

// TestBill holds a bill against one that was added up by hand: 3 × 0.0625 + 2 × 0.1 = 0.3875 USD, 1 × 0.05 EUR.
func TestBill(t *testing.T) {
	rates, err := ReadRates(strings.NewReader("\ufeffCategory\tMarket\tPrice\tCurrency\tNote\n" +
		"marketing\tBrazil\t0.0625\tusd\tx\nservice\tBR\t0,1\tUSD\nutility\tunited kingdom\t.5\tEUR\n"))
	if err == nil {
		t.Fatal("a price without a whole part was taken")
	}
	rates, err = ReadRates(strings.NewReader("\ufeffCategory\tMarket\tPrice\tCurrency\tNote\n" +
		"marketing\tBrazil\t0.0625\tusd\tx\nservice\tBR\t0,1\tUSD\nutility\tunited kingdom\t0.05\tEUR\nutility\tMars\t1\tUSD\nreferral\tBrazil\t1\tUSD\nutility\tBrazil\tn/a\tUSD\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []Ignored{{5, `no market is called "Mars"`}, {6, `no category is called "referral"`}}; !cmp.Equal(rates.Ignored, want) {
		t.Errorf("ignored %v, want %v", rates.Ignored, want)
	}
	before, after := day("2026-09-30"), day("2026-10-01")
	b := NewBill(rates)
	for range 3 {
		b.Add(Message{5511961231001, Marketing, after, true})
	}
	b.Add(Message{5511961231001, Service, before, true}) // free
	b.Add(Message{5511961231001, Service, after, true})
	b.Add(Message{5511961231001, Service, after, false})
	b.Add(Message{447700900123, Utility, before, true})  // free
	b.Add(Message{447700900123, Utility, before, false}) // outside of the window
	b.Add(Message{5511961231001, Utility, after, true})  // no price
	b.Add(Message{5511961231001, "", after, true})       // no category
	want := []Total{{"EUR", 1, "0.0500"}, {"USD", 5, "0.3875"}}
	if diff := cmp.Diff(want, b.Totals()); diff != "" {
		t.Error(diff)
	}
	free, unpriced := 0, 0
	for _, l := range b.Lines() {
		free += l.Free
		if !l.Priced() {
			unpriced += l.Charged()
		}
	}
	if free != 2 || unpriced != 2 {
		t.Errorf("%d free and %d without a price, want 2 and 2", free, unpriced)
	}
	notes := strings.Join(b.Notes(), "\n")
	for _, has := range []string{"until the end of September 2026 (Meta", "1,000 free service messages", "only what is delivered"} {
		if !strings.Contains(notes, has) {
			t.Errorf("the notes do not say %q:\n%s", has, notes)
		}
	}
}

// TestAmountsAreExact holds sums against fractions, which know no rounding.
func TestAmountsAreExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		digits := rapid.StringMatching(`[0-9]{1,6}\.[0-9]{1,8}`).Draw(rt, "price")
		n := rapid.IntRange(0, 10_000_000).Draw(rt, "messages")
		units, scale, err := parsePrice(digits)
		if err != nil {
			rt.Fatal(err)
		}
		got, ok := new(big.Rat).SetString(Price{"USD", units, scale}.Times(n))
		price, _ := new(big.Rat).SetString(digits)
		if want := price.Mul(price, big.NewRat(int64(n), 1)); !ok || got.Cmp(want) != 0 {
			rt.Fatalf("%d × %s = %s, want %s", n, digits, got, want)
		}
	})
}

// FuzzReadRates wants an error or a bill for any bytes, and no price that was not in the file.
func FuzzReadRates(f *testing.F) {
	f.Add([]byte("market,category,price,currency\nBrazil,marketing,0.0625,USD\n"))
	f.Add([]byte("\ufeffMarket;Category;Price;Currency\r\n\"BR\";utility;0,5;EUR\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rates, err := ReadRates(bytes.NewReader(text))
		if err != nil {
			return
		}
		b := NewBill(rates)
		b.Add(Message{5511961231001, Marketing, day("2026-12-01"), false})
		for _, total := range b.Totals() {
			if _, ok := new(big.Rat).SetString(total.Amount); !ok || strings.HasPrefix(total.Amount, "-") {
				t.Errorf("%q is no amount", total.Amount)
			}
		}
	})
}
