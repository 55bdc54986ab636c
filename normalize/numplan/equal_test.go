package numplan

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nyaruka/phonenumbers"
)

// numbers is how many generated numbers are read by both; 10,000,000 take a few minutes.
var numbers = flag.Int("numbers", 200_000, "how many generated numbers the table and the library must agree on")

var libraryKinds = map[phonenumbers.PhoneNumberType]Kind{
	phonenumbers.UNKNOWN:              NoKind,
	phonenumbers.FIXED_LINE:           FixedLine,
	phonenumbers.MOBILE:               Mobile,
	phonenumbers.FIXED_LINE_OR_MOBILE: FixedLineOrMobile,
	phonenumbers.TOLL_FREE:            TollFree,
	phonenumbers.PREMIUM_RATE:         PremiumRate,
	phonenumbers.SHARED_COST:          SharedCost,
	phonenumbers.VOIP:                 VoIP,
	phonenumbers.PERSONAL_NUMBER:      Personal,
	phonenumbers.PAGER:                Pager,
	phonenumbers.UAN:                  CompanyWide,
	phonenumbers.VOICEMAIL:            Voicemail,
}

var libraryReasons = map[phonenumbers.ValidationResult]Status{
	phonenumbers.IS_POSSIBLE:            Unassigned,
	phonenumbers.IS_POSSIBLE_LOCAL_ONLY: LocalOnly,
	phonenumbers.TOO_SHORT:              TooShort,
	phonenumbers.TOO_LONG:               TooLong,
	phonenumbers.INVALID_LENGTH:         InvalidLength,
}

var libraryErrors = []struct {
	err    error
	status Status
}{
	{phonenumbers.ErrNotANumber, Unreadable},
	{phonenumbers.ErrInvalidCountryCode, InvalidCode},
	{phonenumbers.ErrTooShortNSN, TooShort},
	{phonenumbers.ErrTooShortAfterIDD, TooShort},
	{phonenumbers.ErrNumTooLong, TooLong},
}

// libraryReads is what the library says in numplan's words: e164, region, kind and status.
func libraryReads(text, region string) string {
	n, err := phonenumbers.Parse(text, region)
	if err != nil {
		i := slices.IndexFunc(libraryErrors, func(e struct {
			err    error
			status Status
		}) bool {
			return errors.Is(err, e.err)
		})
		if i < 0 {
			return err.Error()
		}
		return said("", "", NoKind, libraryErrors[i].status)
	}
	kind, status := libraryKinds[phonenumbers.GetNumberType(n)], Valid
	if !phonenumbers.IsValidNumber(n) {
		status = libraryReasons[phonenumbers.IsPossibleNumberWithReason(n)]
	}
	return said(phonenumbers.Format(n, phonenumbers.E164), phonenumbers.GetRegionCodeForNumber(n), kind, status)
}

func said(e164, region string, kind Kind, status Status) string {
	return e164 + " " + region + " " + kind.String() + " " + status.String()
}

// differs says how the table and the library differ about a text; empty where they do not.
func differs(text, region string) string {
	n := Read(text, region)
	got, want := said(n.E164(), n.Region, n.Kind, n.Status), libraryReads(text, region)
	if got == want {
		return ""
	}
	return fmt.Sprintf("%q in %q: the table says %q, the library %q", text, region, got, want)
}

// seed is an example number of a plan.
type seed struct {
	region, code, nsn string
}

// allSeeds are the example numbers of all regions, codes and kinds.
func allSeeds(t testing.TB) (all []seed) {
	t.Helper()
	metadata, err := phonenumbers.MetadataCollection()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range metadata.Metadata {
		for _, d := range []*phonenumbers.PhoneNumberDesc{m.FixedLine, m.Mobile, m.TollFree, m.PremiumRate, m.SharedCost, m.PersonalNumber, m.Voip, m.Pager, m.Uan, m.Voicemail, m.NoInternationalDialling} {
			if nsn := d.GetExampleNumber(); nsn != "" {
				all = append(all, seed{m.GetId(), strconv.Itoa(int(m.GetCountryCode())), nsn})
			}
		}
	}
	if len(all) < 1000 {
		t.Fatalf("only %d example numbers: the test looks at the wrong place", len(all))
	}
	return all
}

// digits are random ones.
func digits(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + r.IntN(10))
	}
	return string(b)
}

// mutated is a national number with a few digits changed, taken out, put in or put at its end.
func mutated(r *rand.Rand, nsn string) string {
	b := []byte(nsn)
	for range r.IntN(4) {
		at := r.IntN(len(b))
		switch r.IntN(6) {
		case 0:
			b = slices.Insert(b, at, byte('0'+r.IntN(10)))
		case 1:
			if len(b) > 1 {
				b = slices.Delete(b, at, at+1)
			}
		case 2:
			b = append(b[:at], digits(r, len(b)-at)...)
		default:
			b[at] = byte('0' + r.IntN(10))
		}
	}
	return string(b)
}

var prefixes = []string{"0", "00", "1", "8", "06", "011", "0011", "010", "810", "015", "021", "9", "15", "90", "001", "009", "99", "044", "+", "+0", "000"}

// writing is a text for a national number, as it may be dialled.
func writing(r *rand.Rand, s seed, nsn string) string {
	switch r.IntN(8) {
	case 0, 1, 2:
		return "+" + s.code + nsn
	case 3:
		return nsn
	case 4:
		return s.code + nsn
	case 5:
		return prefixes[r.IntN(len(prefixes))] + nsn
	case 6:
		return prefixes[r.IntN(len(prefixes))] + s.code + nsn
	}
	return Trunk(s.region) + nsn
}

// generated is one text and the region it is read in.
func generated(r *rand.Rand, seeds []seed) (text, region string) {
	s := seeds[r.IntN(len(seeds))]
	if region = s.region; r.IntN(4) == 0 {
		region = seeds[r.IntN(len(seeds))].region
	}
	if region == "001" || r.IntN(16) == 0 {
		region = ""
	}
	switch r.IntN(8) {
	case 0:
		return "+" + s.code + digits(r, 1+r.IntN(17)), region
	case 1:
		return digits(r, 1+r.IntN(20)), region
	case 2: // the first digits of a plan, and a length that it has
		return "+" + s.code + s.nsn[:min(len(s.nsn), r.IntN(5))] + digits(r, 2+r.IntN(11)), region
	}
	return writing(r, s, mutated(r, s.nsn)), region
}

// TestEqualsTheLibrary reads numbers of all regions and kinds with the table and with the library.
func TestEqualsTheLibrary(t *testing.T) {
	seeds := allSeeds(t)
	var valid, kinds, regions sync.Map
	each(*numbers, func(r *rand.Rand, i int) {
		text, region := generated(r, seeds)
		if d := differs(text, region); d != "" {
			t.Error(d)
		}
		if n := Read(text, region); n.Status == Valid {
			valid.Store(i, true)
			kinds.Store(n.Kind, true)
			regions.Store(n.Region, true)
		}
	})
	v, k, g := size(&valid), size(&kinds), size(&regions)
	t.Logf("%d numbers, %d valid ones, %d kinds, %d regions", *numbers, v, k, g)
	if v*5 < *numbers || k != len(kindNames)-1 || g < 240 {
		t.Error("too few valid numbers, kinds or regions: this test proves too little")
	}
}

func size(m *sync.Map) (n int) {
	m.Range(func(any, any) bool { n++; return true })
	return n
}

// each calls f for every index with a source of chance that depends on nothing but a block of indexes.
func each(n int, f func(r *rand.Rand, i int)) {
	const block = 1000
	var wg sync.WaitGroup
	blocks := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for b := range blocks {
				r := rand.New(rand.NewPCG(uint64(b), 0))
				for i := b * block; i < min((b+1)*block, n); i++ {
					f(r, i)
				}
			}
		})
	}
	for b := 0; b*block < n; b++ {
		blocks <- b
	}
	close(blocks)
	wg.Wait()
}

// TestExamplesAreEqual reads every example number in every writing, and all prefixes of it.
func TestExamplesAreEqual(t *testing.T) {
	for _, s := range allSeeds(t) {
		for n := range len(s.nsn) + 1 {
			nsn := s.nsn[:n]
			for _, text := range []string{"+" + s.code + nsn, nsn, s.code + nsn, "0" + nsn, "00" + s.code + nsn, Trunk(s.region) + nsn, "0" + s.code + nsn} {
				if d := differs(text, strings.TrimPrefix(s.region, "001")); d != "" {
					t.Error(d)
				}
			}
		}
	}
}

// FuzzRead holds that any text is read as the library reads it, where it has nothing but digits.
func FuzzRead(f *testing.F) {
	for _, s := range allSeeds(f) {
		if len(s.nsn) > 3 {
			f.Add("+"+s.code+s.nsn, s.region)
			f.Add(s.nsn, s.region)
		}
	}
	f.Add("0055 11", "BR")
	f.Add("+", "")
	f.Fuzz(func(t *testing.T, text, region string) {
		n := Read(text, region)
		if rest, _ := strings.CutPrefix(text, "+"); strings.Trim(rest, "0123456789") != "" {
			if n.Status == Valid || n.E164() != "" {
				t.Errorf("%q is a number: %v", text, n)
			}
			return
		}
		if Code(region) == 0 {
			region = ""
		}
		if d := differs(text, region); d != "" {
			t.Error(d)
		}
	})
}
