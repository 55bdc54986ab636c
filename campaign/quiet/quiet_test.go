package quiet

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func at(text string) ratelimit.Instant {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return ratelimit.At(t)
}

// night is the usual stretch, over midnight.
var night = Hours{From: 21 * time.Hour, To: 8 * time.Hour}

func TestEarliest(t *testing.T) {
	for _, tc := range []struct {
		name  string
		hours Hours
		zones []string
		ask   string
		want  string
	}{
		{"none", Hours{}, []string{"America/Sao_Paulo"}, "2026-12-01T03:00:00Z", "2026-12-01T03:00:00Z"},
		{"by day", night, []string{"America/Sao_Paulo"}, "2026-12-01T15:00:00Z", "2026-12-01T15:00:00Z"},
		{"in the evening", night, []string{"America/Sao_Paulo"}, "2026-12-02T00:00:00Z", "2026-12-02T11:00:00Z"},
		{"after midnight", night, []string{"America/Sao_Paulo"}, "2026-12-02T05:00:00Z", "2026-12-02T11:00:00Z"},
		{"to the second", night, []string{"America/Sao_Paulo"}, "2026-12-02T10:59:59Z", "2026-12-02T11:00:00Z"},
		{"the strictest of two", night, []string{"Europe/Lisbon", "Atlantic/Azores"}, "2026-12-01T08:30:00Z", "2026-12-01T09:00:00Z"},
		{"and of those far apart", night, []string{"Europe/Moscow", "Asia/Kamchatka"}, "2026-12-01T10:00:00Z", "2026-12-02T05:00:00Z"},
		{"a stretch by day", Hours{From: 12 * time.Hour, To: 14 * time.Hour}, []string{"Asia/Kolkata"}, "2026-12-01T07:00:00Z", "2026-12-01T08:30:00Z"},
		{"the night when clocks go forward", night, []string{"Europe/Berlin"}, "2026-03-29T00:30:00Z", "2026-03-29T06:00:00Z"},
		{"the night when clocks go back", night, []string{"Europe/Berlin"}, "2026-10-25T00:30:00Z", "2026-10-25T07:00:00Z"},
		{"an end that does not exist", Hours{From: time.Hour, To: 150 * time.Minute}, []string{"Europe/Berlin"}, "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"},
	} {
		var zones []*time.Location
		for _, name := range tc.zones {
			zones = append(zones, zone(t, name))
		}
		if got := tc.hours.Earliest(zones, at(tc.ask)); got != at(tc.want) {
			t.Errorf("%s: %v, want %s", tc.name, got.Time(), tc.want)
		}
	}
	all := []*time.Location{zone(t, "Asia/Kolkata"), zone(t, "Europe/London"), zone(t, "America/Los_Angeles")}
	if got := night.Earliest(all, at("2026-12-01T10:00:00Z")); got != ratelimit.Never {
		t.Errorf("the whole world is awake at %v", got.Time())
	}
}

// TestMinuteByMinute holds the arithmetic against a walk over the clock, over days on which clocks change.
func TestMinuteByMinute(t *testing.T) {
	names := []string{"America/Sao_Paulo", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"}
	days := []string{"2026-03-08T00:00:00Z", "2026-03-29T00:00:00Z", "2026-04-04T00:00:00Z", "2026-10-03T00:00:00Z", "2026-10-25T00:00:00Z", "2026-11-01T00:00:00Z", "2026-12-24T00:00:00Z"}
	rapid.Check(t, func(t *rapid.T) {
		minutes := func(name string) time.Duration {
			return time.Duration(rapid.IntRange(0, 1439).Draw(t, name)) * time.Minute
		}
		h := Hours{From: minutes("from"), To: minutes("to")}
		var zones []*time.Location
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 2, rapid.ID[string]).Draw(t, "zones") {
			z, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			zones = append(zones, z)
		}
		ask := at(rapid.SampledFrom(days).Draw(t, "day")).Add(time.Duration(rapid.IntRange(0, 2880).Draw(t, "minute")) * time.Minute)
		want := ratelimit.Never
		for m := range 72 * 60 {
			now := ask.Add(time.Duration(m) * time.Minute)
			if !slices.ContainsFunc(zones, func(z *time.Location) bool { return shown(h, z, now) }) {
				want = now
				break
			}
		}
		if got := h.Earliest(zones, ask); got != want {
			t.Fatalf("%v in %v from %v: %v, want %v", h, zones, ask.Time(), got.Time(), want.Time())
		}
		if closes := h.Closes(zones, ask); want == ask && closes != ratelimit.Never {
			for now := ask; now < closes && now.Sub(ask) < 15*time.Minute; now = now.Add(time.Minute) {
				if slices.ContainsFunc(zones, func(z *time.Location) bool { return shown(h, z, now) }) && !jumped(zones, ask, now) {
					t.Fatalf("%v in %v: quiet at %v, said to begin at %v", h, zones, now.Time(), closes.Time())
				}
			}
		}
	})
}

// shown says whether a zone's clock shows a quiet minute.
func shown(h Hours, z *time.Location, t ratelimit.Instant) bool {
	hour, minute, _ := t.Time().In(z).Clock()
	now := time.Duration(hour*60+minute) * time.Minute
	if h.From <= h.To {
		return h.From <= now && now < h.To
	}
	return now >= h.From || now < h.To
}

// jumped says whether the clock of a zone was changed between two instants.
func jumped(zones []*time.Location, from, to ratelimit.Instant) bool {
	return slices.ContainsFunc(zones, func(z *time.Location) bool {
		_, before := from.Time().In(z).Zone()
		_, after := to.Time().In(z).Zone()
		return before != after
	})
}

// TestZonesAreTheLibrarys holds the table against the library for the whole number, for every country and many numbers.
func TestZonesAreTheLibrarys(t *testing.T) {
	seen := 0
	for region := range phonenumbers.GetSupportedRegions() {
		for _, kind := range []phonenumbers.PhoneNumberType{phonenumbers.MOBILE, phonenumbers.FIXED_LINE} {
			n := phonenumbers.GetExampleNumberForType(region, kind)
			if n == nil {
				continue
			}
			digits, err := strconv.ParseUint(phonenumbers.Format(n, phonenumbers.E164)[1:], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			want, err := phonenumbers.GetTimezonesForNumber(n)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, z := range Zones(digits) {
				got = append(got, z.String())
			}
			if want[0] == phonenumbers.UNKNOWN_TIMEZONE {
				want = nil
			}
			if seen++; !slices.Equal(got, want) {
				t.Errorf("+%d: %v, want %v", digits, got, want)
			}
		}
	}
	if seen < 300 {
		t.Errorf("%d numbers were looked at", seen)
	}
}

func TestZonesOfNobody(t *testing.T) {
	for _, recipient := range []uint64{0, 883510000000000, 1<<63 | 12345} {
		if got := Zones(recipient); len(got) != 0 {
			t.Errorf("%d: %v", recipient, got)
		}
	}
	if a, b := Zones(5511961234561), Zones(5511961234999); &a[0] != &b[0] {
		t.Error("equal zones are not the same")
	}
}

func BenchmarkZones(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		Zones(5511960000000 + uint64(i%90000000))
	}
}

// TestZonesAreOfTheLibrary fails when go.mod names another version than the one that the table was made of.
func TestZonesAreOfTheLibrary(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(zonesText, "\n")
	if !strings.Contains(string(mod), strings.TrimPrefix(first, "# ")+"\n") {
		t.Errorf("zones.txt is made of %q; run go generate ./campaign/quiet", first)
	}
}

// TestAreaIsTheLongestPrefix holds the table of four digits against the table of all prefixes, for every prefix and what is next to it.
func TestAreaIsTheLongestPrefix(t *testing.T) {
	if AreaOf(1) == 0 || len(known.prefixes) < 1000 {
		t.Fatalf("%d prefixes", len(known.prefixes))
	}
	for prefix := range known.prefixes {
		for _, near := range []uint64{prefix - 1, prefix, prefix + 1} {
			for number := near; number < longestNumber; number = number*10 + near%10 {
				if got, want := AreaOf(number), known.search(number); got != want || AreaOf(number*10+9) != known.search(number*10+9) && number*10+9 <= longestNumber {
					t.Fatalf("%d: area %d, want %d", number, got, want)
				}
				if number == 0 {
					break
				}
			}
		}
	}
}
