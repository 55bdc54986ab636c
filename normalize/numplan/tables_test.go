package numplan

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nyaruka/phonenumbers"
)

const regenerate = "run `go generate ./normalize/numplan`"

// TestTablesAreOfTheLibrary fails when go.mod names another version than the one that the tables were made of.
func TestTablesAreOfTheLibrary(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "github.com/nyaruka/phonenumbers "+Version+"\n") {
		t.Errorf("go.mod does not name phonenumbers %s, of which the tables are made: %s", Version, regenerate)
	}
	if got := fmt.Sprintf("%x", libraryFingerprint(t)); got != fingerprint {
		t.Errorf("the library's metadata has the hash %s, the tables are made of %s: %s", got, fingerprint, regenerate)
	}
}

// libraryFingerprint is the hash of all that the tables are made of.
func libraryFingerprint(t *testing.T) [32]byte {
	t.Helper()
	all, err := phonenumbers.MetadataCollection()
	if err != nil {
		t.Fatal(err)
	}
	services, err := phonenumbers.ShortNumberMetadataCollection()
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal([]any{all, services})
	if err != nil {
		t.Fatal(err)
	}
	for number := range 1000 {
		b = fmt.Append(b, number, phonenumbers.GetRegionCodesForCountryCode(number))
	}
	return sha256.Sum256(b)
}

func TestRegions(t *testing.T) {
	regions := slices.Sorted(maps.Keys(phonenumbers.GetSupportedRegions()))
	if len(regions) < 240 {
		t.Fatalf("only %d regions", len(regions))
	}
	for _, region := range append(regions, "ZZ", "", "001", "br", "BRA", "B") {
		if got, want := Code(region), phonenumbers.GetCountryCodeForRegion(region); got != want {
			t.Errorf("Code(%q) = %d, want %d", region, got, want)
		}
		if got, want := Trunk(region), phonenumbers.GetNddPrefixForRegion(region, true); got != want {
			t.Errorf("Trunk(%q) = %q, want %q", region, got, want)
		}
		fixed, mobile := Examples(region)
		want := []Example{libraryExample(region, phonenumbers.FIXED_LINE), libraryExample(region, phonenumbers.MOBILE)}
		if diff := cmp.Diff(want, []Example{fixed, mobile}); diff != "" {
			t.Errorf("Examples(%q) (-want +got):\n%s", region, diff)
		}
	}
}

func libraryExample(region string, kind phonenumbers.PhoneNumberType) Example {
	n := phonenumbers.GetExampleNumberForType(region, kind)
	if n == nil {
		return Example{}
	}
	return Example{phonenumbers.GetNationalSignificantNumber(n), phonenumbers.GetLengthOfGeographicalAreaCode(n)}
}

func TestCodes(t *testing.T) {
	known := 0
	for number := -1; number < 1100; number++ {
		want := strings.TrimPrefix(phonenumbers.GetRegionCodeForCountryCode(number), "ZZ")
		if got := Region(number); got != want {
			t.Errorf("Region(%d) = %q, want %q", number, got, want)
		}
		text := strconv.Itoa(number)
		switch got, n := SplitCode(text + "5"); {
		case want != "" && (got != number || n != len(text)):
			t.Errorf("SplitCode(%s5) = %d, %d", text, got, n)
		case want != "":
			known++
		}
	}
	if known < 200 {
		t.Errorf("only %d codes", known)
	}
	for _, text := range []string{"", "0", "055", "999", "99", "21", "a55", "5a"} {
		if got, n := SplitCode(text); got != 0 || n != 0 {
			t.Errorf("SplitCode(%q) = %d, %d, want none", text, got, n)
		}
	}
}

func TestLengths(t *testing.T) {
	for number := range 1000 {
		for n := 2; n <= 20; n++ {
			want, known := libraryReasons[phonenumbers.IsPossibleNumberWithReason(split7(number, strings.Repeat("7", n)))]
			if !known {
				want = InvalidCode
			}
			if got := Length(number, n); got != want {
				t.Errorf("Length(%d, %d) = %s, want %s", number, n, got, want)
			}
		}
	}
}

// split7 is the library's form of a number of sevens.
func split7(number int, nsn string) *phonenumbers.PhoneNumber {
	value, _ := strconv.ParseUint(nsn[:min(len(nsn), 19)], 10, 64)
	n := &phonenumbers.PhoneNumber{CountryCode: new(int32(number)), NationalNumber: &value}
	if len(nsn) > 19 {
		n.ItalianLeadingZero, n.NumberOfLeadingZeros = new(true), new(int32(len(nsn)-19))
	}
	return n
}

// TestShortCodes asks both about many digits up to six.
func TestShortCodes(t *testing.T) {
	found := 0
	regions := slices.Sorted(maps.Keys(phonenumbers.GetSupportedRegions()))
	for i, region := range regions {
		for value := range 100_000 {
			if (value+i)%97 != 0 && value >= 1200 {
				continue
			}
			text := strconv.Itoa(value)
			for _, digits := range []string{text, "0" + text, text + "1"} {
				if len(digits) < 2 || digits[0] == '0' && value >= 100 {
					continue
				}
				want := phonenumbers.IsValidShortNumberForRegion(shortNumber(region, digits), region)
				if got := ShortCode(region, digits); got != want {
					t.Errorf("ShortCode(%q, %q) = %v, want %v", region, digits, got, want)
				}
				if want {
					found++
				}
			}
		}
		for n := 2; n < 12; n++ {
			digits := strings.Repeat("1", n)
			if got, want := ShortLength(region, n), phonenumbers.IsPossibleShortNumberForRegion(shortNumber(region, digits), region); got != want {
				t.Errorf("ShortLength(%q, %d) = %v, want %v", region, n, got, want)
			}
		}
	}
	if found < 10_000 {
		t.Errorf("only %d short codes", found)
	}
}

func shortNumber(region, digits string) *phonenumbers.PhoneNumber {
	value, _ := strconv.ParseUint(digits, 10, 64)
	n := &phonenumbers.PhoneNumber{CountryCode: new(int32(phonenumbers.GetCountryCodeForRegion(region))), NationalNumber: &value}
	if zeros := len(digits) - len(strings.TrimLeft(digits[:len(digits)-1], "0")) - 1; zeros > 0 {
		n.ItalianLeadingZero, n.NumberOfLeadingZeros = new(true), new(int32(zeros))
	}
	return n
}

func TestRead(t *testing.T) {
	tests := []struct {
		text, region string
		e164         string
		kind         Kind
		status       Status
	}{
		{"+5511961234567", "", "+5511961234567", Mobile, Valid},
		{"11961234567", "BR", "+5511961234567", Mobile, Valid},
		{"011961234567", "BR", "+5511961234567", Mobile, Valid},
		{"0151196123456", "BR", "+551196123456", NoKind, Unassigned},
		{"5511961234567", "BR", "+5511961234567", Mobile, Valid},
		{"0055 11", "BR", "", NoKind, Unreadable},
		{"00351912345678", "DE", "+351912345678", Mobile, Valid},
		{"2345678", "GU", "+16712345678", FixedLineOrMobile, Valid},
		{"+870773123456", "", "+870773123456", Mobile, Valid},
		{"+390612345678", "", "+390612345678", FixedLine, Valid},
		{"+999123456", "", "", NoKind, InvalidCode},
		{"+5511", "", "+5511", NoKind, TooShort},
		{"+55119612345678", "", "+55119612345678", NoKind, TooLong},
		{"5550126", "US", "+15550126", NoKind, LocalOnly},
		{"1234", "", "", NoKind, InvalidCode},
		{"+", "", "", NoKind, Unreadable},
		{strings.Repeat("9", 251), "BR", "", NoKind, TooLong},
	}
	for _, tt := range tests {
		n := Read(tt.text, tt.region)
		if n.E164() != tt.e164 || n.Kind != tt.kind || n.Status != tt.status {
			t.Errorf("Read(%.20q, %q) = %q %s %s, want %q %s %s", tt.text, tt.region, n.E164(), n.Kind, n.Status, tt.e164, tt.kind, tt.status)
		}
		if e := Lookup(n.Code, n.NSN()); n.Code != 0 && (e.Kind != n.Kind || e.Region != n.Region) {
			t.Errorf("Lookup(%d, %q) = %v, but Read says %s %s", n.Code, n.NSN(), e, n.Region, n.Kind)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	in := []byte("+5511961234567")
	for name, f := range map[string]func(){
		"Read":      func() { Read(in, "BR") },
		"Lookup":    func() { Lookup(55, in[3:]) },
		"SplitCode": func() { SplitCode(in[1:]) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
