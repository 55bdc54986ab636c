package normalize

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nyaruka/phonenumbers"

	"github.com/wactl/wactl/normalize/numplan"
)

// listNumber is a number of a list: its country code, its national number, and its region.
type listNumber struct{ region, code, nsn string }

// exampleNumbers are the examples of all regions and kinds.
func exampleNumbers(t testing.TB) (all []listNumber) {
	t.Helper()
	metadata, err := phonenumbers.MetadataCollection()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range metadata.Metadata {
		for _, d := range []*phonenumbers.PhoneNumberDesc{m.FixedLine, m.Mobile, m.Mobile, m.TollFree, m.PremiumRate, m.SharedCost, m.PersonalNumber, m.Voip, m.Pager, m.Uan, m.Voicemail} {
			if d.GetExampleNumber() != "" {
				all = append(all, listNumber{m.GetId(), strconv.Itoa(int(m.GetCountryCode())), d.GetExampleNumber()})
			}
		}
	}
	return all
}

// randomDigits are n of them.
func randomDigits(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + r.IntN(10))
	}
	return string(b)
}

// grouped writes digits with signs between them, as people do.
func grouped(r *rand.Rand, digits string) string {
	if len(digits) < 9 {
		return digits
	}
	switch a := 2 + r.IntN(2); r.IntN(6) {
	case 0:
		return digits[:a] + " " + digits[a:len(digits)-4] + "-" + digits[len(digits)-4:]
	case 1:
		return "(" + digits[:a] + ") " + digits[a:len(digits)-4] + "-" + digits[len(digits)-4:]
	case 2:
		return digits[:a] + "." + digits[a:len(digits)-4] + "." + digits[len(digits)-4:]
	case 3:
		return digits[:a] + "-" + digits[a:]
	case 4:
		return digits[:1] + " " + digits[1:a+1] + " " + digits[a+1:]
	}
	return digits
}

// cell is the number as a list may have it.
func (n listNumber) cell(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		switch {
		case n.code == "52":
			return "+521" + n.nsn
		case n.code == "55" && len(n.nsn) == 11 && r.IntN(2) == 0:
			return "+55" + n.nsn[:2] + n.nsn[3:]
		}
		return "+" + n.code + n.nsn
	case 1:
		return "+" + n.code + " " + grouped(r, n.nsn)
	case 2:
		return n.code + n.nsn
	case 3:
		return "00" + n.code + n.nsn
	case 4:
		return numplan.Trunk(n.region) + grouped(r, n.nsn)
	case 5:
		return "+" + n.code + " (0) " + n.nsn
	case 6:
		return n.code + " " + grouped(r, n.nsn)
	}
	return grouped(r, n.nsn)
}

// TestQuickIsCareful reads cells of all writings and regions both ways: what quick says, careful says too.
func TestQuickIsCareful(t *testing.T) {
	all := exampleNumbers(t)
	r := rand.New(rand.NewPCG(5, 5))
	regions := []string{"BR", "MX", "US", "CA", "AR", "IT", "HU", "RU", "KZ", "GB", "GG", "ID", International, "", "BR,MX", "MX,AR,BR", "GB,DE,US,CO", "ZZ"}
	quickly, byRule := 0, map[string]int{}
	const cells = 200_000
	for range cells {
		n := all[r.IntN(len(all))]
		switch at := r.IntN(len(n.nsn)); r.IntN(4) {
		case 0:
			n.nsn = all[r.IntN(len(all))].nsn
		case 1:
			n.nsn = n.nsn[:at] + randomDigits(r, r.IntN(8))
		case 2:
			n.nsn = n.nsn[:at] + randomDigits(r, len(n.nsn)-at)
		}
		cell, region := n.cell(r), regions[r.IntN(len(regions))]
		if r.IntN(2) == 0 {
			region = n.region
		}
		var got Number
		id := r.IntN(4) == 0
		if !quick(&got, cell, region, id) {
			continue
		}
		quickly++
		byRule[ruleNames(got.Problems)]++
		if diff := cmp.Diff(careful(cell, region, id), got, cmp.AllowUnexported(Number{})); diff != "" {
			t.Errorf("%q in %q, id %v (-careful +quick):\n%s", cell, region, id, diff)
		}
	}
	t.Logf("%d of %d cells are read quickly, with %d combinations of rules: %v", quickly, cells, len(byRule), byRule)
	if quickly < cells/10 || len(byRule) < 20 {
		t.Errorf("only %d cells are read quickly, with %d combinations of rules", quickly, len(byRule))
	}
}

// FuzzQuick holds the same for any cell.
func FuzzQuick(f *testing.F) {
	for _, s := range []string{"+55 11 96123-4567", "(11) 96123-4567", "0055 11 96123-4567", "11.96123.4567", "+44 (0)7400 123456", "5.511", "1234567.00", "351 912 345 678", "11 2345-6796", "(00) 55 1", "+52 1 55 1234 5678", "+55 11 9612-3456", "+55 55 8612-3456"} {
		for _, region := range []string{"BR", "US", "", International, "AR", "BR,MX", "MX,AR,US,BR", "IT"} {
			f.Add(s, region, false)
		}
	}
	f.Fuzz(func(t *testing.T, cell, region string, id bool) {
		region, _ = checkRegion("", region)
		var got Number
		if !quick(&got, cell, region, id) {
			return
		}
		if diff := cmp.Diff(careful(cell, region, id), got, cmp.AllowUnexported(Number{})); diff != "" {
			t.Errorf("%q in %q (-careful +quick):\n%s", cell, region, diff)
		}
	})
}

// TestCommonCellsAllocateNothing holds that reading a cell as most are written makes no garbage.
func TestCommonCellsAllocateNothing(t *testing.T) {
	for _, tt := range []struct{ cell, region string }{
		{"+5511961234567", "BR"}, {"+55 11 96123-4567", ""}, {"(11) 96123-4567", "BR"}, {"011 96123-4567", "BR"}, {"5511961234567", "BR"}, {"005511961234567", "BR"},
		{"11.96123.4567", "BR"}, {"0151 23456789", "DE"}, {"(11) 3456-7890", "BR"}, {"812345678", "ID"}, {"5511961234567", International},
	} {
		if n := testing.AllocsPerRun(100, func() { Parse(tt.cell, tt.region) }); n != 0 {
			t.Errorf("Parse(%q, %q) allocates %v times", tt.cell, tt.region, n)
		}
	}
}

// mixedCells are cells as a list of Brazil has them: 40 % Brazilian, in every writing, one in twenty no number at all.
func mixedCells(t testing.TB, n int) (cells []string) {
	t.Helper()
	all := exampleNumbers(t)
	r := rand.New(rand.NewPCG(1, 1))
	for len(cells) < n {
		if len(cells)%20 == 0 {
			cells = append(cells, noCell(r))
			continue
		}
		x, cell := all[r.IntN(len(all))], ""
		switch {
		case r.IntN(5) < 2:
			x = listNumber{"BR", "55", strconv.Itoa(11+r.IntN(9)) + "9" + strconv.Itoa(60000000+r.IntN(40000000))}
			cell = x.cell(r)
		case len(x.nsn) > 6:
			x.nsn = x.nsn[:len(x.nsn)-3] + randomDigits(r, 3)
			cell = "+" + x.code + " " + grouped(r, x.nsn)
		}
		if Parse(cell, "BR").Digits != 0 {
			cells = append(cells, cell)
		}
	}
	return cells
}

// noCell is a cell without a number.
func noCell(r *rand.Rand) string {
	switch r.IntN(10) {
	case 0, 1, 2:
		return []string{"n/a", "-", "não tem", "s/n", "x"}[r.IntN(5)]
	case 3, 4:
		return "+999 " + randomDigits(r, 8)
	case 5, 6:
		return "+55 11 9612" + randomDigits(r, 1)
	case 7:
		return "119" + randomDigits(r, 5)
	case 8:
		return "0055 11 1" + randomDigits(r, 6)
	}
	return "+55 (0)10 9" + randomDigits(r, 8)
}

// askLibrary asks the phone library what Parse tells: the number, whether it exists, of what kind and region it is.
func askLibrary(cell string) string {
	n, err := phonenumbers.Parse(cell, "BR")
	if err != nil {
		return ""
	}
	return fmt.Sprint(phonenumbers.IsValidNumber(n), phonenumbers.GetNumberType(n), phonenumbers.GetRegionCodeForNumber(n), phonenumbers.Format(n, phonenumbers.E164))
}

// BenchmarkNumber prints how many times faster Parse is than the phone library, which is asked about some of the same mixed cells in between.
func BenchmarkNumber(b *testing.B) {
	cells := mixedCells(b, 20_000)
	const every, some = 1000, 10
	var library time.Duration
	i, asked := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		Parse(cells[i%len(cells)], "BR")
		if i++; i%every != 0 {
			continue
		}
		b.StopTimer()
		began := time.Now()
		for range some {
			askLibrary(strings.TrimSpace(cells[asked*7%len(cells)]))
			asked++
		}
		library += time.Since(began)
		b.StartTimer()
	}
	if asked > 0 {
		own := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		b.ReportMetric(float64(library.Nanoseconds())/float64(asked)/own, "times-library")
	}
}

// otherLists are the cells of lists that ask for more than a look at one country, a thousand of each, and the regions that they are read for.
func otherLists() map[string]struct {
	region string
	cells  []string
} {
	r := rand.New(rand.NewPCG(7, 7))
	brazil := func() string { return strconv.Itoa(11+r.IntN(9)) + "9" + strconv.Itoa(60_000_000+r.IntN(40_000_000)) }
	mexico := func() string {
		return []string{"33", "81", "22", "66"}[r.IntN(4)] + strconv.Itoa(10_000_000+r.IntN(90_000_000))
	}
	many := func(cell func() string) (cells []string) {
		for range 1000 {
			cells = append(cells, cell())
		}
		return cells
	}
	return map[string]struct {
		region string
		cells  []string
	}{
		"plain": {"BR", many(brazil)},
		"several-regions": {"BR,MX", many(func() string {
			if r.IntN(2) == 0 {
				return brazil()
			}
			return mexico()
		})},
		"bare-foreign": {"BR", many(func() string {
			return []string{"52" + mexico(), "4915112" + randomDigits(r, 6), "34612" + randomDigits(r, 6), "447400" + randomDigits(r, 6)}[r.IntN(4)]
		})},
		"old-writings": {"BR", many(func() string {
			if r.IntN(2) == 0 {
				return "+521" + mexico()
			}
			return "+55" + strings.Replace(brazil(), "9", "", 1)[:2] + "8" + randomDigits(r, 7)
		})},
	}
}

// BenchmarkOtherLists prints how many times longer cells of other lists take than those of a list of one country, by turns.
func BenchmarkOtherLists(b *testing.B) {
	lists, best := otherLists(), map[string]time.Duration{}
	for b.Loop() {
		for name, list := range lists {
			began := time.Now()
			for _, cell := range list.cells {
				Parse(cell, list.region)
			}
			if took := time.Since(began); best[name] == 0 || took < best[name] {
				best[name] = took
			}
		}
	}
	for name, took := range best {
		b.ReportMetric(float64(took)/float64(best["plain"]), "times-"+name)
	}
}
