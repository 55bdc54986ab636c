package lines

// Note is something worth knowing about a file or a record that is read all the same. Rule is the name of a lint rule.
//
// Line, Column (field) and Char count from 1; 0 means not known. Count is how often it was seen, where that is counted.
type Note struct {
	Rule               string
	Line, Column, Char int
	Count              int
	Msg                string
}

// The rules that notes and errors of this package name.
const (
	ruleGuessed   = "encoding-guessed"
	ruleCR        = "cr-line-endings"
	ruleSep       = "sep-line"
	ruleBareQuote = "bare-quote"
	ruleUnclosed  = "unclosed-quote"
	ruleNUL       = "nul-byte"
	ruleBlank     = "blank-lines"
	ruleHidden    = "hidden-row"
)
