package template

import "fmt"

// Severity says what a Fault does to its row: an error holds it back, a warning does not.
type Severity string

// The severities of a Fault.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Fault is one problem with the content of one row. Column counts from 1 and is 0 where no column gave the value.
type Fault struct {
	Rule     string // its name, such as "param-empty"
	Severity Severity
	Key      string // the value it is about: "body.1", "header.image", "text", or a placeholder of the text
	Column   int    // place of the field in the record, from 1
	Header   string // the column's name as the file spells it
	Message  string // what is wrong, for people
}

// String is the Fault on one line: place, message and rule.
func (f Fault) String() string {
	where := f.Key
	if f.Column > 0 {
		where = fmt.Sprintf("%s (column %d, %q)", f.Key, f.Column, f.Header)
	}
	return fmt.Sprintf("%s: %s [%s]", where, f.Message, f.Rule)
}

// rule is an index into rules; the zero rule is "nothing wrong".
type rule uint8

const (
	fine rule = iota
	paramMissing
	paramExtra
	paramEmpty
	paramNewline
	paramTab
	paramSpaces
	paramTooLong
	paramSpreadsheetError
	paramUnfilled
	paramNotUTF8
	textTooLong
	captionTooLong
	mediaMissing
	mediaUnsupported
	mediaType
	mediaTooLarge
	templateName
	languageCode
	couponCode
	contentMissing
	contentConflict
)

// rules holds the name, the severity and the words of every rule. A fault's own detail may stand in place of the words.
var rules = [...]struct {
	name     string
	severity Severity
	says     string
}{
	fine:                  {},
	paramMissing:          {"param-missing", SeverityError, "nothing gives this value"},
	paramExtra:            {"param-extra", SeverityWarning, "the template takes no such value; it is left out"},
	paramEmpty:            {"param-empty", SeverityError, "the value is empty, and the platform refuses empty values; --default KEY=VALUE fills empty cells"},
	paramNewline:          {"param-newline", SeverityError, "a line break; the platform refuses it in a parameter"},
	paramTab:              {"param-tab", SeverityError, "a tab; the platform refuses it in a parameter"},
	paramSpaces:           {"param-spaces", SeverityError, "more than 4 spaces in a row; the platform refuses them in a parameter"},
	paramTooLong:          {"param-too-long", SeverityError, "the value is too long"},
	paramSpreadsheetError: {"param-spreadsheet-error", SeverityError, "a spreadsheet's error instead of a value"},
	paramUnfilled:         {"param-unfilled-placeholder", SeverityWarning, "the value still holds a {{placeholder}}, and it would go out as it stands"},
	paramNotUTF8:          {"param-not-utf8", SeverityError, "bytes that are no UTF-8 text"},
	textTooLong:           {"text-too-long", SeverityError, "the text is too long"},
	captionTooLong:        {"caption-too-long", SeverityError, "the caption is too long"},
	mediaMissing:          {"media-missing", SeverityError, "no medium: an https:// link or id:MEDIA_ID is needed"},
	mediaUnsupported:      {"media-unsupported", SeverityError, "neither an https:// link nor id:MEDIA_ID, nor a local file that a flag names"},
	mediaType:             {"media-type", SeverityError, "the link, or the file itself, is of another kind"},
	mediaTooLarge:         {"media-too-large", SeverityError, "the file is larger than the platform takes"},
	templateName:          {"template-name", SeverityError, "a template name has only a-z, 0-9 and _, at most 512 of them"},
	languageCode:          {"language-code", SeverityError, "a language code looks like en, en_US or pt_BR"},
	couponCode:            {"coupon-code", SeverityError, "a coupon code has only letters and digits"},
	contentMissing:        {"content-missing", SeverityError, "no template, text or medium in this row"},
	contentConflict:       {"content-conflict", SeverityError, "more than one kind of content in this row; fill one"},
}

// verdict is what a check found: a rule and, where its words are not enough, a detail. The zero verdict is "nothing wrong".
type verdict struct {
	rule   rule
	detail string
}

// bad tells whether the verdict holds a row back.
func (v verdict) bad() bool { return rules[v.rule].severity == SeverityError }

// text is the verdict for people.
func (v verdict) text() string {
	if v.detail != "" {
		return v.detail
	}
	return rules[v.rule].says
}
