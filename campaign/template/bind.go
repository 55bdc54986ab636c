package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// binder finds a source for every value. Its steps run once, in the order of NewContent.
type binder struct {
	spec    Spec
	header  []string
	content *Content
	cut     []piece         // of --text
	taken   map[string]bool // keys that found their place
	missing []string        // keys that the template file wants and nothing gives
}

// flags are the three maps of a Spec, by the flag that fills them.
func (b *binder) flags() []struct {
	flag   string
	values map[string]string
} {
	return []struct {
		flag   string
		values map[string]string
	}{{"--param", b.spec.Params}, {"--set", b.spec.Set}, {"--default", b.spec.Defaults}}
}

// checkFlags refuses unknown keys, and two flags that say the same thing twice.
func (b *binder) checkFlags() error {
	cut, err := pieces(b.spec.Text)
	if err != nil {
		return &Error{Where: "--text", Message: err.Error(), hint: "a placeholder is {{column}}"}
	}
	b.cut = cut
	for _, f := range b.flags() {
		for _, k := range slices.Sorted(maps.Keys(f.values)) {
			_, known := parseKey(k)
			if !known && !b.placeholder(k) {
				return &Error{Where: f.flag + " " + k, Message: "unknown key", hint: keyList}
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b.spec.Params)) {
		if _, both := b.spec.Set[k]; both {
			return &Error{Where: "--param " + k, Message: "--set gives the same value", hint: "keep one of the two"}
		}
	}
	return nil
}

// placeholder tells whether --text has a placeholder with this name.
func (b *binder) placeholder(name string) bool {
	return slices.ContainsFunc(b.cut, func(p piece) bool { return p.name == name })
}

// find looks a column up by the name that a user wrote: exactly first, then without regard to case and outer spaces. It is -1 without one.
func (b *binder) find(where, name string) (int, error) {
	same := func(h string) bool { return h == name }
	folded := func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), strings.TrimSpace(name)) }
	for _, match := range []func(string) bool{same, folded} {
		at, err := b.only(where, match)
		if at >= 0 || err != nil {
			return at, err
		}
	}
	return -1, nil
}

// absent is the error for a column that a flag names and the file lacks.
func (b *binder) absent(where, name string) error {
	return &Error{Where: where, Message: "the file has no column " + shown(name), hint: "its columns are " + list(b.header)}
}

// only is the one column that matches, -1 without any; two are an error, since nobody can tell which was meant.
func (b *binder) only(where string, match func(string) bool) (int, error) {
	at := slices.IndexFunc(b.header, match)
	if at < 0 {
		return -1, nil
	}
	if again := slices.IndexFunc(b.header[at+1:], match); again >= 0 {
		return -1, &Error{Where: where, Message: fmt.Sprintf("columns %d and %d are both named %s", at+1, at+again+2, shown(b.header[at])), hint: "rename one of them"}
	}
	return at, nil
}

// named is the content column with exactly this name, -1 without one.
func (b *binder) named(name string) (int, error) {
	return b.only("column "+shown(name), func(h string) bool { return h == name })
}

// bind completes s, whose key and form are set, from flags first and columns then. It answers whether anything gives the value.
func (b *binder) bind(s *slot) (bool, error) {
	s.column = -1
	b.taken[s.key] = true
	column, byFlag := b.spec.Params[s.key]
	set, bySet := b.spec.Set[s.key]
	var err error
	switch {
	case bySet:
		b.use(s, FromSet)
		return true, b.content.fix(s, "--set", set)
	case byFlag:
		where := "--param " + s.key
		if s.column, err = b.find(where, column); err != nil {
			return false, err
		}
		if s.column < 0 {
			return false, b.absent(where, column)
		}
		s.byFlag = true
		b.use(s, FromFlag)
	default:
		if s.column, err = b.named(s.key); err != nil {
			return false, err
		}
		if s.column >= 0 {
			b.use(s, FromColumn)
		}
	}
	return b.bindDefault(s)
}

// bindDefault adds what --default says, and answers whether s has a source now.
func (b *binder) bindDefault(s *slot) (bool, error) {
	value, given := b.spec.Defaults[s.key]
	if !given {
		return s.column >= 0, nil
	}
	b.content.uses = append(b.content.uses, Use{Key: s.key, From: FromDefault})
	return true, b.content.fix(s, "--default", value)
}

// use notes s for the plan and keeps its column's name for faults.
func (b *binder) use(s *slot, from From) {
	if s.column >= 0 {
		s.title = b.header[s.column]
	}
	b.content.uses = append(b.content.uses, Use{Key: s.key, Column: s.title, From: from})
}

// fix gives s a value that no cell can spoil, checked once for all rows.
func (c *Content) fix(s *slot, flag, value string) error {
	s.hasFixed = true
	if s.optional && blank(value) {
		return nil
	}
	clean, found := c.fit(s, strings.TrimPrefix(flag, "--"), value)
	if found.rule != fine {
		return &Error{Where: flag + " " + s.key, Message: found.text(), hint: "a value from a flag is the same in every message; --param KEY=COLUMN takes it from a column"}
	}
	if clean == "" {
		return &Error{Where: flag + " " + s.key, Message: "the value is empty"}
	}
	s.fixed = clean
	return nil
}

// mediaTypes are the kinds of content that are a medium.
var mediaTypes = []string{TypeImage, TypeVideo, TypeDocument}

// bindKind settles what a message can be: what a flag says, or what the row's columns say.
func (b *binder) bindKind() error {
	name := b.spec.Template
	if b.spec.File != nil {
		if name != "" && name != b.spec.File.Name {
			return &Error{Where: "--template " + name, Message: "the template file holds " + shown(b.spec.File.Name), hint: "leave one of --template and --template-file out"}
		}
		name = b.spec.File.Name
	}
	switch {
	case name != "" && b.spec.Text != "":
		return &Error{Where: "--text", Message: "a template is given too", hint: "a campaign sends one of the two; for a mix use the file's columns template and text"}
	case name != "":
		s := slot{key: "template", typ: TypeTemplate, column: -1, form: &nameForm}
		b.use(&s, FromFlag)
		b.content.kinds = []slot{s}
		return b.content.fix(&b.content.kinds[0], "--template", name)
	case b.spec.Text != "":
		s := slot{key: "text", typ: TypeText, column: -1, form: &textForm, hasFixed: true}
		b.use(&s, FromFlag)
		b.content.kinds = []slot{s}
		return nil
	}
	return b.bindKindColumns()
}

func (b *binder) bindKindColumns() error {
	forms := map[string]*form{TypeTemplate: &nameForm, TypeText: &textForm, TypeImage: &imageForm, TypeVideo: &videoForm, TypeDocument: &mediaForm}
	for _, typ := range append([]string{TypeTemplate, TypeText}, mediaTypes...) {
		s := slot{key: typ, typ: typ, form: forms[typ]}
		at, err := b.named(typ)
		if err != nil {
			return err
		}
		if s.column = at; at >= 0 {
			b.use(&s, FromColumn)
			b.content.kinds = append(b.content.kinds, s)
		}
	}
	if len(b.content.kinds) == 0 {
		return &Error{Message: "nothing to send: no template, text or medium is given", hint: "say --template NAME or --text 'Hi {{name}}', or give the file a column template, text, image, video or document"}
	}
	return nil
}

// may tells whether some message can be of this type.
func (b *binder) may(types ...string) bool {
	return slices.ContainsFunc(b.content.kinds, func(s slot) bool { return slices.Contains(types, s.typ) })
}

// bindText finds the columns of --text. Its placeholders are keys too, so that --param, --set and --default can serve them.
func (b *binder) bindText() error {
	bound := map[string]*slot{}
	literals := ""
	for _, p := range b.cut {
		if p.name == "" {
			literals += p.literal
			b.content.pieces = append(b.content.pieces, part{literal: p.literal})
			continue
		}
		if bound[p.name] == nil {
			s := &slot{key: p.name, form: &pieceForm}
			if err := b.bindPlaceholder(s); err != nil {
				return err
			}
			bound[p.name] = s
		}
		b.content.pieces = append(b.content.pieces, part{slot: bound[p.name]})
	}
	if len(b.cut) == 0 || len(bound) > 0 && blank(literals) {
		return nil
	}
	if _, found := textForm.judge(literals); found.bad() {
		return &Error{Where: "--text", Message: found.text()}
	}
	return nil
}

// bindPlaceholder finds the source of one {{name}}: --set, --param, the column of that name, --default alone.
func (b *binder) bindPlaceholder(s *slot) error {
	value, given := b.spec.Defaults[s.key]
	s.optional = given && blank(value) // --default name= says that empty is fine
	_, byFlag := b.spec.Params[s.key]
	_, bySet := b.spec.Set[s.key]
	if byFlag || bySet {
		_, err := b.bind(s)
		return err
	}
	b.taken[s.key] = true
	where := "--text {{" + s.key + "}}"
	at, err := b.find(where, s.key)
	switch {
	case err != nil:
		return err
	case at < 0 && !given:
		return b.absent(where, s.key)
	}
	if s.column = at; at >= 0 {
		b.use(s, FromFlag)
	}
	_, err = b.bindDefault(s)
	return err
}

// bindMedia finds the caption that goes with a medium.
func (b *binder) bindMedia() error {
	if !b.may(mediaTypes...) {
		return nil
	}
	at, err := b.named("caption")
	if at < 0 || err != nil {
		return err
	}
	s := &slot{key: "caption", column: at, form: &captionForm, optional: true}
	b.use(s, FromColumn)
	b.content.caption = s
	return nil
}

// bindExtra keeps the content columns that a template file has no place for, so that their values are not dropped in silence.
func (b *binder) bindExtra() error {
	if b.spec.File == nil {
		return nil
	}
	for at, name := range b.header {
		if _, ok := parseKey(name); ok && !b.taken[name] {
			b.content.extra = append(b.content.extra, slot{key: name, column: at, title: name})
		}
	}
	return nil
}

// checkTaken refuses flags that no message would use.
func (b *binder) checkTaken() error {
	for _, f := range b.flags() {
		for _, k := range slices.Sorted(maps.Keys(f.values)) {
			if b.taken[k] || k == "language" {
				continue
			}
			e := &Error{Where: f.flag + " " + k, Message: "no message uses this value"}
			switch {
			case !b.may(TypeTemplate):
				e.hint = "it belongs to a template; text takes its values from {{column}}"
			case b.spec.File != nil:
				e.Message = "template " + shown(b.spec.File.Name) + " takes no such value"
				e.hint = "it takes " + list(slices.Sorted(maps.Keys(b.taken)))
			}
			return e
		}
	}
	return nil
}
