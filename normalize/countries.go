package normalize

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/wactl/wactl/normalize/lines"
	"github.com/wactl/wactl/normalize/numplan"
)

// countryTable names the countries that lists name most: ISO-2, ISO-3, then English and local names. ISO-2 codes of all countries are known anyway.
var countryTable = []string{
	"AE|ARE|united arab emirates|uae|emirates|emirados árabes unidos|emiratos árabes unidos|الإمارات",
	"AO|AGO|angola",
	"AR|ARG|argentina",
	"AT|AUT|austria|österreich|áustria",
	"AU|AUS|australia|austrália",
	"BD|BGD|bangladesh|বাংলাদেশ",
	"BE|BEL|belgium|belgique|belgië|bélgica",
	"BJ|BEN|benin|bénin",
	"BO|BOL|bolivia|bolívia",
	"BR|BRA|brazil|brasil|brésil|brasilien|brasile",
	"CA|CAN|canada|canadá|kanada",
	"CH|CHE|switzerland|schweiz|suisse|svizzera|suíça|suiza",
	"CI|CIV|côte d'ivoire|ivory coast|costa do marfim|costa de marfil",
	"CL|CHL|chile",
	"CM|CMR|cameroon|cameroun|camarões",
	"CN|CHN|china|中国",
	"CO|COL|colombia|colômbia",
	"CR|CRI|costa rica",
	"CZ|CZE|czech republic|czechia|česko|tchequia",
	"DE|DEU|germany|deutschland|alemanha|alemania|allemagne|germania|jerman",
	"DK|DNK|denmark|danmark",
	"DO|DOM|dominican republic|república dominicana",
	"DZ|DZA|algeria|algérie|الجزائر",
	"EC|ECU|ecuador|equador",
	"EG|EGY|egypt|مصر|egito|egipto|égypte",
	"ES|ESP|spain|españa|espanha|espagne|spanien|spagna",
	"ET|ETH|ethiopia",
	"FI|FIN|finland|suomi",
	"FR|FRA|france|frança|francia|frankreich",
	"GB|GBR|united kingdom|uk|great britain|england|scotland|wales|reino unido|royaume-uni|inghilterra|inglaterra",
	"GH|GHA|ghana",
	"GR|GRC|greece|ελλάδα|grécia|grecia",
	"GT|GTM|guatemala",
	"HK|HKG|hong kong|香港",
	"HN|HND|honduras",
	"HU|HUN|hungary|magyarország",
	"ID|IDN|indonesia",
	"IE|IRL|ireland|irlanda|éire",
	"IL|ISR|israel|ישראל",
	"IN|IND|india|भारत|índia|inde|indien|bharat",
	"IQ|IRQ|iraq|العراق",
	"IT|ITA|italy|italia|itália|italie|italien",
	"JM|JAM|jamaica",
	"JO|JOR|jordan|الأردن",
	"JP|JPN|japan|日本|japão|japón",
	"KE|KEN|kenya|quênia",
	"KR|KOR|south korea|korea|대한민국",
	"KW|KWT|kuwait|الكويت",
	"LB|LBN|lebanon|liban|لبنان|líbano",
	"LK|LKA|sri lanka",
	"MA|MAR|morocco|maroc|المغرب|marrocos|marruecos",
	"MX|MEX|mexico|méxico|mexique|mexiko",
	"MY|MYS|malaysia",
	"MZ|MOZ|mozambique|moçambique",
	"NG|NGA|nigeria",
	"NI|NIC|nicaragua",
	"NL|NLD|netherlands|nederland|the netherlands|holland|holanda|países baixos|países bajos|pays-bas",
	"NO|NOR|norway|norge",
	"NP|NPL|nepal",
	"NZ|NZL|new zealand",
	"OM|OMN|oman|عمان",
	"PA|PAN|panama|panamá",
	"PE|PER|peru|perú",
	"PH|PHL|philippines|pilipinas|filipinas",
	"PK|PAK|pakistan|پاکستان",
	"PL|POL|poland|polska|polônia|polonia",
	"PT|PRT|portugal",
	"PY|PRY|paraguay|paraguai",
	"QA|QAT|qatar|قطر",
	"RO|ROU|romania|românia",
	"RU|RUS|russia|россия|rússia|rusia|russian federation",
	"SA|SAU|saudi arabia|السعودية|arábia saudita|arabia saudí|المملكة العربية السعودية",
	"SE|SWE|sweden|sverige",
	"SG|SGP|singapore|singapura",
	"SN|SEN|senegal|sénégal",
	"SV|SLV|el salvador",
	"TH|THA|thailand|ประเทศไทย",
	"TN|TUN|tunisia|tunisie|تونس",
	"TR|TUR|turkey|türkiye|turquia|turquía",
	"TZ|TZA|tanzania",
	"UA|UKR|ukraine|україна|ucrânia",
	"UG|UGA|uganda",
	"US|USA|united states|united states of america|u.s.|estados unidos|ee. uu.|eeuu|eua|états-unis|vereinigte staaten|stati uniti|amerika serikat",
	"UY|URY|uruguay|uruguai",
	"VE|VEN|venezuela",
	"VN|VNM|vietnam|viet nam|việt nam",
	"ZA|ZAF|south africa|áfrica do sul|sudáfrica",
	"ZM|ZMB|zambia",
	"ZW|ZWE|zimbabwe",
}

// countryNames are the ISO-2 codes by folded name; made when a list has a column of countries.
var countryNames = sync.OnceValue(indexCountries)

func indexCountries() map[string]string {
	m := map[string]string{}
	for _, row := range countryTable {
		names := strings.Split(row, "|")
		for _, name := range names {
			m[foldName(name)] = names[0]
		}
	}
	return m
}

// foldName is the form in which country names are compared: fold without any punctuation.
func foldName(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.M, c) {
			return c
		}
		return -1
	}, fold(s))
}

// regionOf reads a country cell: an ISO code in any case, a calling code with or without + or 00, or a name.
func regionOf(cell string) (region string, ok bool) {
	cell = strings.TrimSpace(cell)
	if code := strings.ToUpper(cell); len(code) == 2 && knownRegion(code) {
		return code, true
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(cell, "+"), "00")
	if n, err := strconv.ParseUint(digits, 10, 16); err == nil && digits[0] != '0' {
		region = numplan.Region(int(n))
		return region, knownRegion(region)
	}
	region, ok = countryNames()[foldName(cell)]
	return region, ok
}

func knownRegion(code string) bool { return numplan.Code(code) != 0 }

// checkRegion reads the value of --region: ISO codes in any case with commas between, International, or empty for none.
func checkRegion(path, value string) (string, error) {
	var all []string
	for one := range strings.SplitSeq(value, ",") {
		region, err := checkOne(path, one)
		switch {
		case err != nil:
			return "", err
		case region == "" && strings.Contains(value, ","), region != "" && slices.Contains(all, region):
			continue
		case region == International && strings.Contains(value, ","):
			return "", &lines.FileError{Path: path, Msg: "--region " + short(value) + " mixes international with countries", Hint: "numbers without + carry their country code or they do not: name one of both", Err: ErrUnknownRegion}
		}
		all = append(all, region)
	}
	return strings.Join(all, ","), nil
}

// checkOne reads one of the countries of --region.
func checkOne(path, value string) (string, error) {
	fail := func(msg, hint string) (string, error) {
		return "", &lines.FileError{Path: path, Msg: msg, Hint: hint, Err: ErrUnknownRegion}
	}
	region := strings.TrimSpace(value)
	switch {
	case region == "":
		return "", nil
	case strings.EqualFold(region, International):
		return International, nil
	case knownRegion(strings.ToUpper(region)):
		return strings.ToUpper(region), nil
	}
	if likely, ok := regionOf(region); ok {
		return fail("--region "+short(region)+" is no two-letter country code", "did you mean --region "+likely+"?")
	}
	return fail("--region "+short(region)+" is no two-letter country code", "write it like --region BR, or --region international where all numbers carry their country code")
}
