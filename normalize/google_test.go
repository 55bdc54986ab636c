package normalize

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
)

// libphonenumber is where Google's own library stands: the judge that shares no line with the table and the library that wactl is built on.
var libphonenumber = flag.String("libphonenumber", "", "`folder` in which `npm install google-libphonenumber` was run: compares numbers with it")

// judge reads one JSON object a line and answers with what Google's library makes of the cell and of the two numbers.
const judge = `
const { PhoneNumberUtil, PhoneNumberFormat } = require('google-libphonenumber');
const util = PhoneNumberUtil.getInstance();
function read(text, region) {
  try {
    const n = util.parse(text, region);
    return [util.format(n, PhoneNumberFormat.E164), util.isValidNumber(n)];
  } catch (e) { return ['', false]; }
}
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const q = JSON.parse(line);
  process.stdout.write(JSON.stringify({ cell: read(q.cell, q.region), ours: read(q.ours, ''), truth: read(q.truth, '') }) + '\n');
});
`

// asked is one cell: whose number it writes, and what wactl reads in it.
type asked struct {
	Cell   string `json:"cell"`
	Region string `json:"region"`
	Ours   string `json:"ours"`
	Truth  string `json:"truth"`
	rules  string // that wactl named
}

// googleReading is what Google's library makes of a text: its E.164 form, empty for none, and whether it is valid.
type googleReading struct {
	e164  string
	valid bool
}

func (r *googleReading) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&r.e164, &r.valid})
}

// whatsapp are the rules by which wactl on purpose reads another number than is written there, each for what WhatsApp or the country
// itself does with such numbers. A cell that is read otherwise without one of them is a stranger.
var whatsapp = []string{
	"br-ninth-digit-missing", // Brazil's mobiles have a ninth digit
	"mx-legacy-prefix",       // Mexico's 1 behind 52 is gone
	"ar-redundant-15",        // Argentina's 15 beside its 9
	"obsolete-number",        // a country that changed its numbers
	"double-country-code",    // the code stands there twice
	"ambiguous-country",      // bare digits that are a number in two countries, which is said
	"fictional-number",       // for films: Google's library has no such numbers
	"idd-prefix",             // 00 is + in every region, also where another prefix is dialled
}

// unlike are the plans that Google's metadata has otherwise in the judge's release than in the one that wactl is built on: some of their
// numbers are valid in one of them only. A line goes when both are equal again.
var unlike = []string{
	"+263",  // Zimbabwe, landlines
	"+880",  // Bangladesh, landlines
	"+9639", // Syria, mobiles
}

// e164 is a number in the form that both sides compare.
func e164(n Number) string { return "+" + strconv.FormatUint(n.Digits, 10) }

// exampleKinds are the kinds of numbers of which a region has examples.
var exampleKinds = []phonenumbers.PhoneNumberType{phonenumbers.FIXED_LINE, phonenumbers.MOBILE, phonenumbers.TOLL_FREE, phonenumbers.PREMIUM_RATE,
	phonenumbers.SHARED_COST, phonenumbers.PERSONAL_NUMBER, phonenumbers.VOIP, phonenumbers.UAN, phonenumbers.PAGER, phonenumbers.VOICEMAIL}

// supported are all regions, in order.
var supported = slices.Sorted(maps.Keys(phonenumbers.GetSupportedRegions()))

// randomNumbers are valid numbers of a region, of all kinds, n of each at most.
func randomNumbers(chance *rand.Rand, region string, n int) (all []*phonenumbers.PhoneNumber) {
	for _, kind := range exampleKinds {
		example := phonenumbers.GetExampleNumberForType(region, kind)
		if example == nil {
			continue
		}
		for range n * 4 {
			digits := []byte(nsnOf(example))
			for i := max(2, len(digits)-7); i < len(digits); i++ {
				digits[i] = byte('0' + chance.IntN(10))
			}
			number, err := phonenumbers.Parse("+"+codeText(example)+string(digits), "")
			if err == nil && phonenumbers.IsValidNumber(number) && !slices.ContainsFunc(all, func(x *phonenumbers.PhoneNumber) bool { return e164Of(x) == e164Of(number) }) {
				all = append(all, number)
			}
			if len(all) >= n*len(exampleKinds) {
				break
			}
		}
	}
	return all
}

// questions are numbers of all regions in all writings, with their own region and, where they carry their code, with another one.
func questions() (all []asked) {
	chance := rand.New(rand.NewPCG(16, 4))
	for i, region := range supported {
		other := supported[(i+97)%len(supported)]
		for _, number := range randomNumbers(chance, region, 2) {
			for _, w := range allWritings {
				of := []string{region, other, ""}
				if w.bare {
					of = of[:1]
				}
				for _, r := range of {
					cell := w.cell(number)
					if n := Parse(cell, r); n.Digits != 0 {
						all = append(all, asked{cell, r, e164(n), e164Of(number), ruleNames(n.Problems)})
					}
				}
			}
		}
	}
	return slices.Concat(all, legacy(chance), digitsAlone(chance))
}

// legacy are numbers as lists and WhatsApp still write them although their country does not.
func legacy(chance *rand.Rand) (all []asked) {
	for _, old := range []struct {
		region string
		forms  func(nsn string) []string
	}{
		{"BR", func(n string) []string { return []string{"+55" + n[:2] + n[3:], n[:2] + n[3:], "0" + n[:2] + n[3:]} }},
		{"MX", func(n string) []string { return []string{"+521" + n, "521" + n, "044" + n, "01" + n} }},
		{"AR", func(n string) []string {
			return []string{"+549" + n[1:3] + "15" + n[3:], "0" + n[1:3] + "15" + n[3:], "+54" + n[1:3] + "15" + n[3:]}
		}},
	} {
		for range 200 {
			number := phonenumbers.GetExampleNumberForType(old.region, phonenumbers.MOBILE)
			digits := []byte(nsnOf(number))
			for i := len(digits) - 6; i < len(digits); i++ {
				digits[i] = byte('0' + chance.IntN(10))
			}
			for _, cell := range old.forms(string(digits)) {
				if n := Parse(cell, old.region); n.Digits != 0 {
					all = append(all, asked{cell, old.region, e164(n), "+" + codeText(number) + string(digits), ruleNames(n.Problems)})
				}
			}
		}
	}
	return all
}

// digitsAlone are any digits: nobody knows whose number they are, so both must read the same, or a rule must say why not.
func digitsAlone(chance *rand.Rand) (all []asked) {
	for _, region := range supported {
		for range 200 {
			digits := strconv.Itoa(1 + chance.IntN(9))
			for range 6 + chance.IntN(8) {
				digits += strconv.Itoa(chance.IntN(10))
			}
			for _, cell := range []string{digits, "0" + digits, "+" + digits, "00" + digits} {
				if n := Parse(cell, region); n.Digits != 0 {
					all = append(all, asked{Cell: cell, Region: region, Ours: e164(n), rules: ruleNames(n.Problems)})
				}
			}
		}
	}
	return all
}

// TestGoogle holds every number that wactl reads against Google's library. It must know the number too, as a valid one; and it must read the
// cell in the same way, or the number must be the one that was written, or a rule must say why it is another.
func TestGoogle(t *testing.T) {
	node, err := exec.LookPath("node")
	if *libphonenumber == "" || err != nil {
		t.Skip("not compared with google-libphonenumber: run `npm install google-libphonenumber` in a folder and name it with -libphonenumber; node must be installed")
	}
	all := questions()
	if len(all) < 100_000 {
		t.Fatalf("only %d numbers: this test proves too little", len(all))
	}
	counts := map[string]int{}
	for i, a := range askGoogle(t, node, all) {
		verdict, stranger := judged(all[i], a)
		if counts[verdict]++; stranger && counts[verdict] <= 20 {
			t.Errorf("Parse(%q, %q) = %s [%s], written was %s; google-libphonenumber reads %+v and says of ours %+v",
				all[i].Cell, all[i].Region, all[i].Ours, all[i].rules, all[i].Truth, a.Cell, a.Ours)
		}
	}
	for _, verdict := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%7d %s", counts[verdict], verdict)
	}
}

// googleAnswer is what Google's library says about one question.
type googleAnswer struct{ Cell, Ours, Truth googleReading }

// judged is the kind of agreement between both, and whether it is none.
func judged(q asked, a googleAnswer) (verdict string, stranger bool) {
	by := ""
	for _, rule := range whatsapp {
		if slices.Contains(strings.Fields(q.rules), rule) {
			by = rule
			break
		}
	}
	changed := func(number string) bool {
		return slices.ContainsFunc(unlike, func(plan string) bool { return strings.HasPrefix(number, plan) })
	}
	switch {
	case a.Ours.e164 == q.Ours && (!a.Ours.valid && changed(q.Ours) || a.Cell.e164 != q.Ours && changed(a.Cell.e164)):
		return "a number of a plan that differs between the releases", false
	case a.Ours.e164 != q.Ours || !a.Ours.valid && by != "fictional-number":
		return "STRANGER: no valid number for google-libphonenumber", true
	case a.Cell.e164 == q.Ours:
		return "both read the same", false
	case q.Ours == a.Truth.e164 && (a.Cell.e164 == "" || !a.Cell.valid):
		return "the number that was written, which google-libphonenumber does not read in this writing", false
	case q.Ours == a.Truth.e164:
		return "the number that was written, where google-libphonenumber reads another valid one", false
	case by != "":
		return "another number by " + by, false
	case q.Truth == "" && !a.Cell.valid && (q.rules != "" || strings.HasSuffix(q.Ours, strings.TrimPrefix(q.Cell, "0"))):
		return "no number for google-libphonenumber in this writing; wactl drops the 0 of national calls, or names what it does", false
	}
	return "STRANGER: another number than was written", true
}

// askGoogle asks Google's library, which runs in a process of its own.
func askGoogle(t *testing.T, node string, all []asked) []googleAnswer {
	t.Helper()
	var in, said bytes.Buffer
	e := json.NewEncoder(&in)
	for _, q := range all {
		if err := e.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), node, "-e", judge)
	c.Dir, c.Stdin, c.Stderr = *libphonenumber, &in, &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, said.Bytes())
	}
	found := make([]googleAnswer, 0, len(all))
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var a googleAnswer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		found = append(found, a)
	}
	if len(found) != len(all) {
		t.Fatalf("%s answers to %d questions", strconv.Itoa(len(found)), len(all))
	}
	return found
}
