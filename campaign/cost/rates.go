package cost

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// ErrRates matches every error about a file of prices; the error says where, and what to do.
var ErrRates = errors.New("rates")

// RatesError is what is wrong with a file of prices, and where. It matches [ErrRates].
type RatesError struct {
	Line, Column int // from 1; 0 where the file as a whole is meant
	Message      string
	hint         string
}

func (e *RatesError) Error() string {
	switch {
	case e.Line == 0:
		return e.Message
	case e.Column == 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Hint says what to do about it.
func (e *RatesError) Hint() string { return e.hint }

// Is makes every RatesError match [ErrRates].
func (e *RatesError) Is(target error) bool { return target == ErrRates }

// Price is what one message costs, exactly: whole units of ten to the minus Scale, which all prices of a file share.
type Price struct {
	Currency string // three letters
	units    *big.Int
	scale    int
}

// String is the price as a decimal number, such as "0.0625".
func (p Price) String() string { return decimal(p.units, p.scale) }

// Times is what so many messages cost, as a decimal number.
func (p Price) Times(messages int) string { return decimal(p.times(messages), p.scale) }

func (p Price) times(messages int) *big.Int {
	return new(big.Int).Mul(p.units, big.NewInt(int64(messages)))
}

// decimal writes units with a point before the last scale digits.
func decimal(units *big.Int, scale int) string {
	digits := units.String()
	if scale == 0 {
		return digits
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	return digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// Ignored is a row of a file of prices that no message can meet.
type Ignored struct {
	Line int
	Why  string
}

// Rates are the prices of a file by market and category. The zero value prices nothing.
type Rates struct {
	Ignored []Ignored // rows whose market or category is not known, in file order
	by      map[kind]Price
	lines   map[kind]int
}

// kind is what has a price of its own.
type kind struct{ market, category string }

// categories are all that a file may price; authentication-international is never looked up, since no list tells to whom it applies.
var categories = []string{Marketing, Utility, Authentication, "authentication-international", Service}

// largestFile is many times a file with all markets, in bytes.
const largestFile = 1 << 20

// columnNames are the columns of a file of prices.
var columnNames = [4]string{"market", "category", "price", "currency"}

// ReadRates reads a file of prices with the columns market, category, price and currency, cut by comma, semicolon or tab, in UTF-8.
//
// An empty price and "n/a" mean that there is none. A price may have a decimal point or a decimal comma, and nothing between thousands.
func ReadRates(r io.Reader) (*Rates, error) {
	text, err := io.ReadAll(io.LimitReader(r, largestFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > largestFile:
		return nil, &RatesError{Message: "larger than 1 MiB", hint: "a file of prices has one row for each market and category"}
	case !utf8.Valid(text):
		return nil, &RatesError{Message: "it is not UTF-8 text", hint: "save it as CSV in UTF-8"}
	}
	t := newTable(strings.TrimPrefix(string(text), "\ufeff"))
	at, err := t.header()
	if err != nil {
		return nil, err
	}
	rates := &Rates{by: map[kind]Price{}, lines: map[kind]int{}}
	for {
		record, err := t.Read()
		if errors.Is(err, io.EOF) {
			rates.align()
			return rates, nil
		}
		if err != nil {
			return nil, t.broken(err)
		}
		if err := rates.add(t, record, at); err != nil {
			return nil, err
		}
	}
}

// table reads records and knows where they stand.
type table struct{ *csv.Reader }

func newTable(text string) table {
	head, _, _ := strings.Cut(text, "\n")
	t := table{csv.NewReader(strings.NewReader(text))}
	for _, comma := range ";\t" {
		if strings.Count(head, string(comma)) > strings.Count(head, string(t.Comma)) {
			t.Comma = comma
		}
	}
	t.FieldsPerRecord = -1
	return t
}

// header finds the columns.
func (t table) header() (at [4]int, err error) {
	head, err := t.Read()
	if errors.Is(err, io.EOF) {
		return at, &RatesError{Message: "the file is empty", hint: "its first row names the columns market, category, price, currency"}
	}
	if err != nil {
		return at, t.broken(err)
	}
	for i, name := range columnNames {
		at[i] = slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
		if at[i] < 0 {
			return at, &RatesError{Line: 1, Message: fmt.Sprintf("no column is called %s", name), hint: "the columns are market, category, price, currency"}
		}
	}
	return at, nil
}

func (t table) broken(err error) error {
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		return &RatesError{Line: e.Line, Column: e.Column, Message: e.Err.Error(), hint: "a quote inside a cell is written twice"}
	}
	return err
}

// add takes one row.
func (r *Rates) add(t table, record []string, at [4]int) error {
	line, _ := t.FieldPos(0)
	var cells [4]string
	for i := range at {
		if at[i] < len(record) {
			cells[i] = strings.TrimSpace(record[at[i]])
		}
	}
	wrong := func(i int, hint, format string, args ...any) error {
		return &RatesError{Line: line, Column: at[i] + 1, Message: columnNames[i] + ": " + fmt.Sprintf(format, args...), hint: hint}
	}
	if strings.Join(cells[:], "") == "" {
		return nil
	}
	units, scale, err := parsePrice(cells[2])
	if err != nil {
		return wrong(2, "write it like 0.0625", "%q is no price", cells[2])
	}
	currency := strings.ToUpper(cells[3])
	if len(currency) != 3 || strings.Trim(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return wrong(3, "write its three letters, like USD", "%q is no currency", cells[3])
	}
	k := kind{byName[letters(cells[0])], strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(cells[1]), "_", "-"), " ", "-")}
	switch {
	case k.market == "":
		r.Ignored = append(r.Ignored, Ignored{line, fmt.Sprintf("no market is called %q", cells[0])})
		return nil
	case !slices.Contains(categories, k.category):
		r.Ignored = append(r.Ignored, Ignored{line, fmt.Sprintf("no category is called %q", cells[1])})
		return nil
	case units == nil:
		return nil
	}
	p := Price{currency, units, scale}
	if old, twice := r.by[k]; twice && (old.Currency != currency || !equal(old, p)) {
		return wrong(2, "leave one of the two", "%s %s in %s has another price in line %d", k.category, "messages", k.market, r.lines[k])
	}
	r.by[k], r.lines[k] = p, line
	return nil
}

// mostDigits is how many digits a price may have: more are no price.
const mostDigits = 30

// parsePrice reads a decimal number exactly; nil for none.
func parsePrice(text string) (units *big.Int, scale int, err error) {
	if text == "" || strings.EqualFold(text, "n/a") || text == "-" {
		return nil, 0, nil
	}
	whole, fraction, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	digits := whole + fraction
	if whole == "" || len(digits) > mostDigits || strings.Trim(digits, "0123456789") != "" {
		return nil, 0, errors.New("no decimal number")
	}
	units, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return nil, 0, errors.New("no decimal number")
	}
	return units, len(fraction), nil
}

func equal(a, b Price) bool {
	return a.to(max(a.scale, b.scale)).Cmp(b.to(max(a.scale, b.scale))) == 0
}

// to is the price in units of a finer scale.
func (p Price) to(scale int) *big.Int {
	return new(big.Int).Mul(p.units, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale-p.scale)), nil))
}

// align gives all prices the finest scale of the file, so that they can be added.
func (r *Rates) align() {
	scale := 0
	for _, p := range r.by {
		scale = max(scale, p.scale)
	}
	for k, p := range r.by {
		r.by[k] = Price{p.Currency, p.to(scale), scale}
	}
}
