package normalize

import (
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// digitText is what digits of a number stand in: a text of its own or in one that is used again.
type digitText interface{ ~string | ~[]byte }

// reach is what a number's type means for WhatsApp.
type reach int

// The reasons why a number may not be reached, in the order in which they count.
const (
	reached reach = iota
	reachFictional
	reachDirectory
	reachPlaceholder
	reachTollFree
	reachPremium
	reachShared
	reachNowhere
	reachOldTrunking
	reachMaybeMobile
	reachFixed
)

var reachNames = [...]string{"", "fictional-number", "directory-assistance", "placeholder-number", "toll-free", "premium-rate", "shared-cost", "non-geographic",
	"br-eight-digit-7x", "ar-maybe-mobile", "fixed-line"}

// reachOf is the first reason that holds. It makes no text, since it is asked about every number.
func reachOf[T digitText](cc int, nsn T, region string, kind numplan.Kind) reach {
	switch {
	case isFictional(cc, nsn):
		return reachFictional
	case cc == 1 && len(nsn) == 10 && ends(nsn, "5551212"):
		return reachDirectory
	case sameDigits(nsn), len(nsn) == 10 && ends(nsn, keyRow[:10]):
		return reachPlaceholder
	case kind == numplan.TollFree:
		return reachTollFree
	case kind == numplan.PremiumRate:
		return reachPremium
	case kind == numplan.SharedCost:
		return reachShared
	case region == worldRegion:
		return reachNowhere
	case cc == 55 && kind == numplan.Mobile && len(nsn) == 10:
		return reachOldTrunking
	case landlineOf54(cc, len(nsn), kind):
		return reachMaybeMobile
	case kind == numplan.FixedLine:
		return reachFixed
	}
	return reached
}

// worldRegion stands for country codes of no country.
const worldRegion = "001"

// ends says whether a number ends in certain digits.
func ends[T digitText](nsn T, with string) bool {
	return len(nsn) >= len(with) && string(nsn[len(nsn)-len(with):]) == with
}

// sameDigits says whether a number ends in seven or more equal digits, as people type to get past a form.
func sameDigits[T digitText](nsn T) bool {
	const least = 7
	n := len(nsn)
	if n < least {
		return false
	}
	for i := n - least; i < n; i++ {
		if nsn[i] != nsn[n-1] {
			return false
		}
	}
	return true
}

// reserved are ranges that are kept for films and manuals: a prefix of the national number and its whole length.
var reserved = []struct {
	cc       int
	prefixes string
	length   int
	kind     numplan.Kind // for ranges that the phone library takes for no numbers
}{
	{44, "7700900", 10, numplan.Mobile},
	{44, "207946 113496 114496 115496 116496 117496 118496 121496 131496 141496 151496 161496 1914980 2896496 2920180 1632960", 10, numplan.FixedLine},
	{44, "8081570", 10, numplan.TollFree},
	{33, "63998", 9, numplan.Mobile},
	{33, "19900 26191 35301 46571 53649", 9, numplan.FixedLine},
	{61, "491570006 491570110 491570156 491570157 491570158 491570159 491570313 491570737 491571266 491571491 491571804 491572549 491572665 491572983" +
		" 491573087 491573770 491574118 491574632 491575254 491575789 491576398 491576801 491577426 491577644 491578148 491578212 491578888 491578957 491579455 491579760", 9, numplan.Mobile},
	{61, "25550 27010 35550 37010 75550 77010 85550 87010", 9, numplan.FixedLine},
	{49, "15228817386 15228895456 15254599371", 11, numplan.Mobile},
	{49, "1729925904 1729968532 1729973185 1729973186 1729980752 1749091317 1749464308 17139200 176040690", 10, numplan.Mobile},
	{49, "17139200 176040690", 11, numplan.Mobile},
	{49, "30231250 30231251", 10, numplan.FixedLine},
	{46, "701740605 701740606 701740607 701740608 701740609 70174061 70174062 70174063 70174064 70174065 70174066 70174067 70174068 70174069", 9, numplan.Mobile},
}

// ranges are the first three digits of one country's reserved ranges, as bits: they tell nearly all numbers apart.
type ranges [1000/64 + 1]uint64

// reservedBy are the ranges of each country code, all of which have two digits.
var reservedBy = indexReserved()

func indexReserved() (by [100]ranges) {
	for _, r := range reserved {
		for p := range strings.SplitSeq(r.prefixes, " ") {
			n := firstThree(p)
			by[r.cc][n/64] |= 1 << (n % 64)
		}
	}
	return by
}

// firstThree are the first three digits of a number as one number.
func firstThree[T digitText](nsn T) int {
	return int(nsn[0]-'0')*100 + int(nsn[1]-'0')*10 + int(nsn[2]-'0')
}

// isFictional says whether a number is kept for films and manuals.
func isFictional[T digitText](cc int, nsn T) bool {
	if cc == 1 {
		return len(nsn) == 10 && string(nsn[3:8]) == "55501" && nsn[0] >= '2'
	}
	if len(nsn) < 3 || uint(cc) >= uint(len(reservedBy)) {
		return false
	}
	if n := firstThree(nsn); reservedBy[cc][n/64]&(1<<(n%64)) == 0 {
		return false
	}
	_, ok := fictional(cc, string(nsn))
	return ok
}

// fictional says whether a number is kept for films and manuals, and what kind of number it plays.
func fictional(cc int, nsn string) (kind numplan.Kind, ok bool) {
	if cc == 1 {
		return numplan.FixedLineOrMobile, isFictional(cc, nsn)
	}
	for _, r := range reserved {
		if r.cc != cc || r.length != len(nsn) {
			continue
		}
		for p := range strings.SplitSeq(r.prefixes, " ") {
			if strings.HasPrefix(nsn, p) {
				return r.kind, true
			}
		}
	}
	return numplan.NoKind, false
}
