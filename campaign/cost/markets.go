package cost

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// market is a row of the platform's rate cards: the calling codes, with area codes where a code is shared, that are priced alike.
type market struct {
	name  string
	codes string    // longest match wins; of equal ones the market of its own wins over the group
	also  string    // other names in rate files, cut by |; letters alone count
	since time.Time // a market of its own since then; before, its numbers belong to the group that has the code too
}

var (
	july2026    = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	october2026 = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
)

// other is the market of all countries that no row names.
const other = "Other"

// markets are the markets of the platform's rate cards. Source: Meta, developers.facebook.com/documentation/business-messaging/whatsapp/pricing,
// "Country calling codes", as of 2026-03-02, with what vendors report of July and October 2026; read 2026-11-30. The price goes by the calling
// code, so that a number counts for its country wherever its owner is. Not sure: territories of the United States, here like countries without a row.
var markets = []market{
	{name: "Argentina", codes: "54", also: "AR"},
	{name: "Brazil", codes: "55", also: "BR|Brasil"},
	{name: "Chile", codes: "56", also: "CL"},
	{name: "Colombia", codes: "57", also: "CO"},
	{name: "Egypt", codes: "20", also: "EG"},
	{name: "France", codes: "33", also: "FR"},
	{name: "Germany", codes: "49", also: "DE"},
	{name: "India", codes: "91", also: "IN"},
	{name: "Indonesia", codes: "62", also: "ID"},
	{name: "Israel", codes: "972", also: "IL"},
	{name: "Italy", codes: "39", also: "IT"},
	{name: "Malaysia", codes: "60", also: "MY"},
	{name: "Mexico", codes: "52", also: "MX|México"},
	{name: "Netherlands", codes: "31", also: "NL"},
	{name: "Nigeria", codes: "234", also: "NG"},
	{name: "Pakistan", codes: "92", also: "PK"},
	{name: "Peru", codes: "51", also: "PE|Perú"},
	{name: "Russia", codes: "7", also: "RU|Russian Federation"},
	{name: "Saudi Arabia", codes: "966", also: "SA"},
	{name: "South Africa", codes: "27", also: "ZA"},
	{name: "Spain", codes: "34", also: "ES"},
	{name: "Turkey", codes: "90", also: "TR|Türkiye|Turkiye"},
	{name: "United Arab Emirates", codes: "971", also: "AE|UAE"},
	{name: "United Kingdom", codes: "44", also: "GB|UK"},

	{name: "Hong Kong", codes: "852", also: "HK", since: july2026},
	{name: "Hungary", codes: "36", also: "HU", since: july2026},
	{name: "Poland", codes: "48", also: "PL", since: july2026},
	{name: "Qatar", codes: "974", also: "QA", since: july2026},
	{name: "Romania", codes: "40", also: "RO", since: july2026},
	{name: "Singapore", codes: "65", also: "SG", since: july2026},
	{name: "Bangladesh", codes: "880", also: "BD", since: october2026},
	{name: "Iraq", codes: "964", also: "IQ", since: october2026},
	{name: "Nepal", codes: "977", also: "NP", since: october2026},
	{name: "Sri Lanka", codes: "94", also: "LK", since: october2026},
	{name: "Kazakhstan", codes: "76 77", also: "KZ", since: october2026},
	{name: "Kuwait", codes: "965", also: "KW", since: october2026},
	{name: "Morocco", codes: "212", also: "MA", since: october2026},
	{name: "Oman", codes: "968", also: "OM", since: october2026},
	{name: "Ukraine", codes: "380", also: "UA", since: october2026},

	{name: "North America", codes: "1", also: "US|USA|United States|CA|Canada"},
	{name: "Rest of Africa", codes: "213 244 229 267 226 257 237 235 242 291 251 241 220 233 245 225 254 266 231 218 261 265 223 222 212 258 264 227 250 221 " +
		"232 252 211 249 268 255 228 216 256 260 263"},
	{name: "Rest of Asia Pacific", codes: "93 61 880 855 86 852 81 856 976 977 64 675 63 65 94 886 992 66 993 998 84", also: "Rest of APAC"},
	{name: "Rest of Central & Eastern Europe", codes: "355 374 994 375 359 385 420 995 30 36 371 370 373 389 48 40 381 421 386 380",
		also: "Rest of Central and Eastern Europe|Central & Eastern Europe|Central and Eastern Europe|Rest of CEE"},
	{name: "Rest of Latin America", codes: "591 506 1809 1829 1849 593 503 502 509 504 1658 1876 505 507 595 1787 1939 598 58", also: "Rest of LATAM"},
	{name: "Rest of Middle East", codes: "973 964 962 965 961 968 974 967", also: "Middle East"},
	{name: "Rest of Western Europe", codes: "43 32 45 358 353 47 351 46 41", also: "Western Europe"},
	{name: other, codes: "76 77 1242 1246 1264 1268 1284 1340 1345 1441 1473 1649 1664 1670 1671 1684 1721 1758 1767 1784 1868 1869", also: "Others|All other countries"},
}

// byCode are the markets that have a code, those of their own first.
var byCode = func() map[string][]market {
	all := map[string][]market{}
	for _, m := range markets {
		for code := range strings.FieldsSeq(m.codes) {
			all[code] = append(all[code], m)
		}
	}
	return all
}()

// byName are the markets' names in letters alone.
var byName = func() map[string]string {
	all := map[string]string{}
	for _, m := range markets {
		for n := range strings.SplitSeq(m.name+"|"+m.also, "|") {
			if n != "" {
				all[letters(n)] = m.name
			}
		}
	}
	return all
}()

// longestCode is the longest of the table's codes, in digits.
const longestCode = 4

// Market is the market of a phone number, given as its digits, on a day; "Other" where no row has its code.
func Market(recipient uint64, at time.Time) string {
	digits := strconv.FormatUint(recipient, 10)
	for n := min(longestCode, len(digits)); n > 0; n-- {
		for _, m := range byCode[digits[:n]] {
			if !at.Before(m.since) {
				return m.name
			}
		}
	}
	return other
}

// letters is a name by which spellings are told apart: letters alone, all small.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
