package template

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The platform's lengths, in code points.
const (
	maxText       = 4096  // body of a text message
	maxCaption    = 1024  // caption of a medium
	maxHeader     = 60    // text header of a template
	maxBody       = 1024  // body of a template that has other components, values filled in
	maxBodyAlone  = 32768 // body of a template that has nothing else
	maxURL        = 2000  // a button's link
	maxPayload    = 256   // a quick reply's payload; no published figure, the smallest one in use
	maxCoupon     = 15    // coupon code, and one-time code
	maxTemplate   = 512   // template name
	maxFilename   = 240   // a document's name; file systems of phones stop at 255 bytes
	maxSpaces     = 4     // spaces in a row inside a parameter
	maxShownRunes = 40    // of a value, in a message
)

// form is what one kind of value must look like.
type form struct {
	limit   int                            // code points after shaping, 0 for none
	tooLong rule                           // the rule for more than that
	empty   rule                           // the rule for nothing, or only white space
	prose   bool                           // line breaks, tabs and runs of spaces are fine
	bytes   int64                          // of a local file, 0 for what is no file
	shape   func(string) (string, verdict) // makes the value fit to send, or says why not; nil leaves it alone
}

// The forms of all values. Body values have no length of their own: the filled body is measured as a whole.
var (
	bodyForm     = form{empty: paramEmpty}
	headerForm   = form{empty: paramEmpty, limit: maxHeader, tooLong: paramTooLong}
	textForm     = form{empty: paramEmpty, limit: maxText, tooLong: textTooLong, prose: true}
	pieceForm    = form{empty: paramEmpty, prose: true}
	captionForm  = form{empty: fine, limit: maxCaption, tooLong: captionTooLong, prose: true}
	mediaForm    = formOf(anyDocument)
	imageForm    = formOf(image)
	videoForm    = formOf(video)
	pdfForm      = formOf(pdf)
	filenameForm = form{empty: fine, limit: maxFilename, tooLong: paramTooLong}
	urlForm      = form{empty: paramEmpty, limit: maxURL, tooLong: paramTooLong, shape: shapeSuffix}
	payloadForm  = form{empty: fine, limit: maxPayload, tooLong: paramTooLong}
	couponForm   = form{empty: paramEmpty, limit: maxCoupon, tooLong: paramTooLong, shape: shapeCoupon}
	nameForm     = form{empty: paramEmpty, limit: maxTemplate, tooLong: templateName, shape: shapeName}
	languageForm = form{empty: paramEmpty, shape: shapeLanguage}
)

// judge makes v fit to send and says what is wrong with it. It finds at most one fault: the one to mend first.
func (f *form) judge(v string) (string, verdict) {
	if f.shape == nil && (f.limit == 0 || len(v) <= f.limit) && usual(v) {
		return v, verdict{}
	}
	return f.carefully(v)
}

// carefully is judge for a value about which something may be to be said.
func (f *form) carefully(v string) (string, verdict) {
	if blank(v) {
		return "", verdict{rule: f.empty}
	}
	if found := f.characters(v); found.rule != fine {
		return "", found
	}
	given := v
	if f.shape != nil {
		shaped, found := f.shape(v)
		if found.rule != fine {
			return "", found
		}
		v = shaped
	}
	if f.limit > 0 && len(v) > f.limit {
		if n := utf8.RuneCountInString(v); n > f.limit {
			return "", verdict{f.tooLong, fmt.Sprintf("%d characters; at most %d are allowed", n, f.limit)}
		}
	}
	if hasPlaceholder(given) {
		return v, verdict{paramUnfilled, "the value " + shown(given) + " still holds a {{placeholder}}, and it would go out as it stands"}
	}
	return v, verdict{}
}

// plainByte says of each byte whether it may stand in a value about which nothing is to be said: no control character, and no brace of a placeholder.
var plainByte = func() (plain [256]bool) {
	for b := range plain {
		plain[b] = b >= ' ' && b != '{'
	}
	return plain
}()

// usual says, in one look at each byte, that a value is fit to send as it stands. Most are; what it says no to is looked at with care.
func usual(v string) bool {
	if v == "" || v[0] <= '#' || v[0] >= 0x7f || strings.HasPrefix(v, "Err:") {
		return false // blank, perhaps, or the error of a spreadsheet
	}
	var last, high byte
	for i := range len(v) {
		b := v[i]
		if !plainByte[b] || b == ' ' && last == ' ' {
			return false
		}
		last = b
		high |= b
	}
	return high < 0x80 || utf8.ValidString(v)
}

// characters finds what the platform, or the reader of the message, can't take.
func (f *form) characters(v string) verdict {
	switch {
	case !utf8.ValidString(v):
		return verdict{rule: paramNotUTF8}
	case isSpreadsheetError(v):
		return verdict{paramSpreadsheetError, "the spreadsheet's error " + shown(v) + " instead of a value"}
	case f.prose:
		return verdict{}
	}
	run := 0
	for i := range len(v) {
		if v[i] != ' ' {
			run = 0
		}
		switch v[i] {
		case '\n', '\r':
			return verdict{rule: paramNewline}
		case '\t':
			return verdict{rule: paramTab}
		case ' ':
			if run++; run > maxSpaces {
				return verdict{rule: paramSpaces}
			}
		}
	}
	return verdict{}
}

// blank tells whether v shows nothing: empty, white space, or invisible marks only.
func blank(v string) bool {
	for _, r := range v {
		if r > ' ' && r < 0x7f || !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			return false
		}
	}
	return true
}

// spreadsheetErrors are the error values of Excel, Google Sheets and LibreOffice, in the languages whose exports we have seen.
var spreadsheetErrors = map[string]bool{
	"#N/A": true, "#REF!": true, "#VALUE!": true, "#DIV/0!": true, "#NAME?": true, "#NULL!": true, "#NUM!": true, "#ERROR!": true,
	"#SPILL!": true, "#CALC!": true, "#FIELD!": true, "#BLOCKED!": true, "#CONNECT!": true, "#BUSY!": true, "#UNKNOWN!": true,
	"#GETTING_DATA": true, "#EXTERNAL!": true, "#PYTHON!": true,
	"#N/D": true, "#VALOR!": true, "#NOME?": true, "#NÚM!": true, "#NULO!": true, "#DESPEJAR!": true, "#ERRO!": true, // Portuguese
	"#¡VALOR!": true, "#¿NOMBRE?": true, "#¡NUM!": true, "#¡NULO!": true, "#¡DIV/0!": true, "#¡REF!": true, "#¡DESBORDAMIENTO!": true, // Spanish
	"#NV": true, "#WERT!": true, "#BEZUG!": true, "#ZAHL!": true, "#ÜBERLAUF!": true, // German
	"#VALEUR!": true, "#NOM?": true, "#NOMBRE!": true, "#NUL!": true, "#PROPAGATION!": true, // French
	"#VALORE!": true, "#RIF!": true, // Italian
}

// isSpreadsheetError tells whether v is nothing but a spreadsheet's error, or the hashes of a column that was too narrow.
func isSpreadsheetError(v string) bool {
	v = strings.TrimSpace(v)
	switch {
	case strings.HasPrefix(v, "#"):
		return spreadsheetErrors[strings.ToUpper(v)] || len(v) > 2 && strings.Trim(v, "#") == ""
	case strings.HasPrefix(v, "Err:"):
		_, digits := strings.CutPrefix(v, "Err:")
		return digits && len(v) == len("Err:5xx") && allDigits(v[4:])
	}
	return false
}

func allDigits(v string) bool {
	return v != "" && strings.Trim(v, "0123456789") == ""
}

// shapeMedia accepts an https link, escaped, and the id of an earlier upload; nothing else may leave this machine.
func shapeMedia(v string) (string, verdict) {
	v = strings.TrimSpace(v)
	if id, ok := strings.CutPrefix(v, "id:"); ok {
		if !onlyID(id) {
			return "", verdict{mediaUnsupported, shown(v) + " is no media id: id: is followed by the digits that the upload gave"}
		}
		return v, verdict{}
	}
	u, err := url.Parse(v)
	switch {
	case err != nil || u.Scheme == "" || len(u.Scheme) == 1:
		return "", verdict{mediaUnsupported, shown(v) + " is no https:// link and no id:MEDIA_ID; a local file goes out only where --param or --set gives a template's header"}
	case !strings.EqualFold(u.Scheme, "https"):
		return "", verdict{mediaUnsupported, shown(v) + ": only https:// links are sent, not " + u.Scheme + ":"}
	case u.Hostname() == "":
		return "", verdict{mediaUnsupported, shown(v) + " names no host"}
	case u.User != nil:
		return "", verdict{mediaUnsupported, "the link holds a user name or password; the recipient's phone could show it"}
	}
	return escape(v), verdict{}
}

// onlyID tells whether id looks like what an upload answers: a short run of letters, digits, "_" and "-".
func onlyID(id string) bool {
	return id != "" && len(id) <= 128 && strings.IndexFunc(id, func(r rune) bool { return !isWord(r) && r != '-' }) < 0
}

// isWord tells whether r may stand in a name: an ASCII letter or digit, or "_".
func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
}

// shapeSuffix is a link button's value: it is appended to the approved link as it is, so what a link can't hold is escaped here.
func shapeSuffix(v string) (string, verdict) { return escape(strings.TrimSpace(v)), verdict{} }

func shapeCoupon(v string) (string, verdict) {
	if strings.IndexFunc(v, func(r rune) bool { return !isWord(r) || r == '_' }) >= 0 {
		return "", verdict{couponCode, "the coupon code " + shown(v) + " has other characters than letters and digits"}
	}
	return v, verdict{}
}

func shapeName(v string) (string, verdict) {
	if strings.IndexFunc(v, func(r rune) bool { return !isWord(r) || r >= 'A' && r <= 'Z' }) >= 0 {
		return "", verdict{templateName, shown(v) + " is no template name: it has only a-z, 0-9 and _"}
	}
	return v, verdict{}
}

// shapeLanguage looks at the code's form only: which languages a template has, the platform knows.
func shapeLanguage(v string) (string, verdict) {
	main, rest, _ := strings.Cut(v, "_")
	lower := strings.IndexFunc(main, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
	if !lower || len(main) < 2 || len(main) > 3 || strings.HasSuffix(v, "_") || strings.IndexFunc(rest, func(r rune) bool { return !isWord(r) }) >= 0 {
		return "", verdict{languageCode, shown(v) + " is no language code: it looks like en, en_US or pt_BR"}
	}
	return v, verdict{}
}

// escape percent-encodes what a link can't hold: spaces, controls, quotes, everything outside ASCII, and a "%" that starts no escape.
func escape(v string) string {
	n := 0
	for i := range len(v) {
		if mustEscape(v, i) {
			n++
		}
	}
	if n == 0 {
		return v
	}
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(v)+2*n)
	for i := range len(v) {
		if mustEscape(v, i) {
			out = append(out, '%', hex[v[i]>>4], hex[v[i]&15])
		} else {
			out = append(out, v[i])
		}
	}
	return string(out)
}

func mustEscape(v string, i int) bool {
	switch c := v[i]; c {
	case '%':
		return i+2 >= len(v) || !isHex(v[i+1]) || !isHex(v[i+2])
	case '"', '<', '>', '\\', '^', '`', '{', '|', '}':
		return true
	default:
		return c <= ' ' || c >= 0x7f
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// shown is v for a message: quoted, so that no terminal obeys it, and cut.
func shown(v string) string {
	count := 0
	for i := range v {
		if count++; count > maxShownRunes {
			return fmt.Sprintf("%q…", v[:i])
		}
	}
	return fmt.Sprintf("%q", v)
}
