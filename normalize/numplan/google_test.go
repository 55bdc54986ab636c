package numplan

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// libphonenumber is where Google's own library stands, which shares no line with the table and the library that the table is made from.
var libphonenumber = flag.String("libphonenumber", "", "`folder` in which `npm install google-libphonenumber` was run: compares -numbers numbers with it")

// judge reads a text and a region a line, and answers with E.164, validity, region and type as Google's library has them.
const judge = `
const { PhoneNumberUtil, PhoneNumberFormat } = require('google-libphonenumber');
const util = PhoneNumberUtil.getInstance();
function read(text, region) {
  try {
    const n = util.parse(text, region);
    const valid = util.isValidNumber(n);
    return [util.format(n, PhoneNumberFormat.E164), valid, util.getRegionCodeForNumber(n) || '', valid ? util.getNumberType(n) : -1].join(' ');
  } catch (e) { return ' false  -1'; }
}
let out = [];
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  out.push(read(...line.split('\t')));
  if (out.length === 10000) { process.stdout.write(out.join('\n') + '\n'); out = []; }
}).on('close', () => process.stdout.write(out.map(l => l + '\n').join('')));
`

// judgeKinds are the kinds in the order of the judge's types.
var judgeKinds = []Kind{FixedLine, Mobile, FixedLineOrMobile, TollFree, PremiumRate, SharedCost, VoIP, Personal, Pager, CompanyWide, Voicemail}

// ofOtherAge is the most of a thousand numbers that may differ because the judge's plans and those that the table is made from are of different
// releases. Of these the library that the table is made from must say what the table says.
const ofOtherAge = 3

// TestGoogle reads numbers of all regions and kinds with the table and with Google's library: E.164, validity, region and kind must be equal.
func TestGoogle(t *testing.T) {
	node, err := exec.LookPath("node")
	if *libphonenumber == "" || err != nil {
		t.Skip("not compared with google-libphonenumber: run `npm install google-libphonenumber` in a folder and name it with -libphonenumber; node must be installed")
	}
	seeds, r := allSeeds(t), rand.New(rand.NewPCG(20, 26))
	var asked bytes.Buffer
	var ours []Number
	for range *numbers {
		text, region := generated(r, seeds)
		fmt.Fprintf(&asked, "%s\t%s\n", text, region)
		ours = append(ours, Read(text, region))
	}
	c := exec.CommandContext(t.Context(), node, "-e", judge)
	c.Dir, c.Stdin = *libphonenumber, bytes.NewReader(asked.Bytes())
	answers, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	questions, differ, valid, all, i := strings.Split(asked.String(), "\n"), map[int]int{}, 0, 0, 0
	for lines := bufio.NewScanner(bytes.NewReader(answers)); lines.Scan(); i++ {
		n := ours[i]
		if n.Status == Valid {
			valid++
		}
		if got, want := inJudgesWords(n), judged(lines.Text()); got != want && !(len(n.NSN()) > exact && withoutNumber(got) == withoutNumber(want)) {
			text, region, _ := strings.Cut(questions[i], "\t")
			if d := differs(text, region); d != "" {
				t.Errorf("%s, google-libphonenumber %q", d, want)
			}
			differ[n.Code]++
			all++
		}
	}
	t.Logf("%d numbers, %d valid ones; %d are otherwise in the judge's release", i, valid, all)
	for _, code := range slices.Sorted(maps.Keys(differ)) {
		t.Logf("%7d of country code %d", differ[code], code)
	}
	if i != *numbers || valid*5 < i || all*1000 > i*ofOtherAge {
		t.Errorf("%d answers to %d questions, %d unlike: this test proves too little", i, *numbers, all)
	}
}

// exact is how many digits of a national number the judge holds: it keeps them in a floating-point number. More of them are never a valid number.
const exact = 15

// withoutNumber is what is said about a number, without the number.
func withoutNumber(answer string) string {
	_, rest, _ := strings.Cut(answer, " ")
	return rest
}

// inJudgesWords is what the table says, as judged has it.
func inJudgesWords(n Number) string {
	return fmt.Sprint(n.E164(), " ", n.Status == Valid, " ", n.Region, " ", n.Kind)
}

// judged is the judge's answer with the kind's name in place of its type.
func judged(answer string) string {
	cut := strings.LastIndexByte(answer, ' ')
	kind := NoKind
	if at, err := strconv.Atoi(answer[cut+1:]); err == nil && at >= 0 {
		kind = judgeKinds[at]
	}
	return answer[:cut+1] + kind.String()
}
