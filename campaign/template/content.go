package template

import (
	"slices"
)

// Spec is what flags say about a campaign's content. Empty fields leave it to the file's columns.
type Spec struct {
	Template string    // name of an approved template
	File     *Template // its JSON: names the parameters and tells links, quick replies and coupon codes apart. Without it button.N is a link.
	Language string    // template language; beside languages by country, the one for all other countries
	Text     string    // free text with {{column}} placeholders

	Params   map[string]string // KEY=COLUMN
	Set      map[string]string // KEY=VALUE, one value for all; language also takes BR:pt_BR,MX:es_MX
	Defaults map[string]string // KEY=VALUE, for cells that are empty

	// FileSize is the bytes of a local file that a medium names, false where it must not be looked at; nil judges no file.
	FileSize func(path string) (size int64, ok bool) `json:"-"`

	// Files looks into a local file that flag ("param", "set" or "default") names as a header's medium; an error says why it must not leave.
	// Nil refuses local files.
	Files func(flag, path string) (File, error) `json:"-"`
}

// From says where a value comes from.
type From string

// The origins of a value.
const (
	FromFlag    From = "flag"    // a flag, which may name a column
	FromColumn  From = "column"  // a column whose name is a key
	FromSet     From = "set"     // one value for all rows
	FromDefault From = "default" // the value for empty cells, or for all rows where no column is named
)

// Use is one value that a campaign's messages take and where it comes from, for the plan.
type Use struct {
	Key    string // "template", "body.1", "text", or the name of a text's placeholder
	Column string // the header as the file spells it; empty without a column
	From   From
}

// Content is a campaign's content bound to one header. It is made once by NewContent, never changes, and may be used by many goroutines.
type Content struct {
	uses     []Use
	kinds    []slot // the kinds of content a row may have; a flag leaves one
	language slot
	country  map[string]string // language by region, nil without
	header   []slot            // the headers a row may have
	filename *slot
	body     []slot
	buttons  []slot
	pieces   []part // of --text
	caption  *slot
	extra    []slot // columns for values that the template file does not take
	bodyRoom int    // code points left for the body's values
	category string // of the template file
	fileSize func(path string) (int64, bool)
	files    func(flag, path string) (File, error)
}

// slot is one value of a message: where it comes from and what it must look like.
type slot struct {
	key      string
	typ      string // for kinds and headers: the message's or header's type
	name     string // parameter name, for named parameters
	index    int    // button's index
	subType  string // button's sub-type
	column   int    // index into the header, -1 without a column
	title    string // the column's name
	byFlag   bool   // a flag names the column
	fixed    string // the value for all rows, or for empty cells
	hasFixed bool
	optional bool // nothing is fine too
	times    int  // how often the body shows it
	form     *form
}

// part is a stretch of --text: a literal, or the slot that fills it.
type part struct {
	literal string
	slot    *slot
}

// Uses lists every value that the content takes, in the order of the message, with its column.
func (c *Content) Uses() []Use { return slices.Clone(c.uses) }

// Category is the template's category in capitals, such as "MARKETING", as its JSON tells; empty without a template or where it is not told.
func (c *Content) Category() string { return c.category }

// HasColumns tells whether a content column of the file is used. Such a file means one message a row.
func (c *Content) HasColumns() bool {
	return slices.ContainsFunc(c.uses, func(u Use) bool { return u.From == FromColumn })
}

// NewContent binds flags and columns together. What can't work for any row is an *Error here, not a fault in each row.
func NewContent(spec Spec, header []string) (*Content, error) {
	b := &binder{spec: spec, header: header, content: &Content{fileSize: spec.FileSize, files: spec.Files}, taken: map[string]bool{}}
	if spec.File != nil {
		b.content.category = spec.File.Category
	}
	for _, step := range []func() error{b.checkFlags, b.bindKind, b.bindTemplate, b.bindText, b.bindMedia, b.bindExtra, b.checkTaken} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.content, nil
}
