package template

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bindTemplate finds the values of a template, those that its file names or those that flags and columns name.
func (b *binder) bindTemplate() error {
	if !b.may(TypeTemplate) {
		return nil
	}
	b.content.bodyRoom = maxBody
	steps := []func() error{b.bindLanguage, b.looseHeader, b.looseBody, b.looseButtons}
	if b.spec.File != nil {
		steps = []func() error{b.bindLanguage, b.checkFile, b.fileHeader, b.fileBody, b.fileButtons, b.checkMissing}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// bindLanguage takes the language from --set, --language, --param, the column, --default and the template file, the first of them.
func (b *binder) bindLanguage() error {
	s := &b.content.language
	*s = slot{key: "language", form: &languageForm, column: -1}
	b.taken[s.key] = true
	set := b.spec.Set["language"]
	if strings.Contains(set, ":") {
		b.use(s, FromSet)
		if err := b.countries(set); err != nil {
			return err
		}
		return b.otherLanguage(s)
	}
	if one := cmp.Or(b.spec.Language, set); b.spec.File != nil && one != "" && one != b.spec.File.Language {
		return &Error{Where: "language " + one, Message: "the template file is in " + shown(b.spec.File.Language), hint: "language codes must match exactly: en is not en_US"}
	}
	if b.spec.Language == "" {
		found, err := b.bind(s)
		if err != nil || found && s.hasFixed {
			return err
		}
		return b.otherLanguage(s)
	}
	if set != "" && set != b.spec.Language {
		return &Error{Where: "--set language", Message: "--language says " + shown(b.spec.Language), hint: "keep one of the two"}
	}
	b.use(s, FromFlag)
	return b.content.fix(s, "--language", b.spec.Language)
}

// otherLanguage is the language for rows that no country and no cell gives one.
func (b *binder) otherLanguage(s *slot) error {
	if value, given := b.spec.Defaults[s.key]; given && !s.hasFixed {
		b.content.uses = append(b.content.uses, Use{Key: s.key, From: FromDefault})
		return b.content.fix(s, "--default", value)
	}
	switch {
	case b.spec.Language != "":
		return b.content.fix(s, "--language", b.spec.Language)
	case b.spec.File != nil:
		return b.content.fix(s, "--template-file", b.spec.File.Language)
	case b.content.country == nil && s.column < 0:
		return &Error{Message: "the template's language is not given", hint: "say --language pt_BR, exactly as the template has it (en is not en_US)"}
	}
	return nil
}

// countries reads BR:pt_BR,MX:es_MX.
func (b *binder) countries(set string) error {
	const where = "--set language"
	b.content.country = map[string]string{}
	for entry := range strings.SplitSeq(set, ",") {
		region, code, ok := strings.Cut(strings.TrimSpace(entry), ":")
		region = strings.ToUpper(strings.TrimSpace(region))
		if !ok || len(region) != 2 || strings.Trim(region, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return &Error{Where: where, Message: shown(entry) + " is not COUNTRY:LANGUAGE", hint: "by country it looks like language=BR:pt_BR,MX:es_MX; --language gives the one for all others"}
		}
		code, found := languageForm.judge(strings.TrimSpace(code))
		if found.rule != fine {
			return &Error{Where: where, Message: region + ": " + found.text()}
		}
		if _, twice := b.content.country[region]; twice {
			return &Error{Where: where, Message: region + " is given twice"}
		}
		b.content.country[region] = code
	}
	return nil
}

// keys are all keys of one part that flags or columns name, in order; flags alone when flagsOnly.
//
// A key that only --default names counts as well: its value is then one for all rows.
func (b *binder) keys(part string, flagsOnly bool) []key {
	named := map[key]bool{}
	add := func(s string) {
		if k, ok := parseKey(s); ok && k.part == part {
			named[k] = true
		}
	}
	for _, f := range b.flags() {
		for s := range f.values {
			add(s)
		}
	}
	if !flagsOnly {
		for _, s := range b.header {
			add(s)
		}
	}
	return slices.SortedFunc(maps.Keys(named), compareKeys)
}

// headerForms says what each kind of header takes.
var headerForms = map[string]*form{TypeText: &headerForm, TypeImage: &imageForm, TypeVideo: &videoForm, TypeDocument: &pdfForm}

// looseHeader binds the header without a template file: the one that a flag names, or all that columns name.
func (b *binder) looseHeader() error {
	isFilename := func(k key) bool { return k.name == "filename" }
	found := slices.DeleteFunc(b.keys("header", true), isFilename)
	if len(found) > 1 {
		return &Error{Where: found[1].String(), Message: found[0].String() + " is given too", hint: "a template has one header"}
	}
	if len(found) == 0 {
		found = slices.DeleteFunc(b.keys("header", false), isFilename)
	}
	for _, k := range found {
		s := slot{key: k.String(), typ: k.name, form: headerForms[k.name]}
		if _, err := b.bind(&s); err != nil {
			return err
		}
		b.content.header = append(b.content.header, s)
	}
	return b.bindFilename()
}

// bindFilename binds the name that a document header shows. It may be missing.
func (b *binder) bindFilename() error {
	if !slices.ContainsFunc(b.content.header, func(s slot) bool { return s.typ == TypeDocument }) {
		return nil
	}
	s := &slot{key: "header.filename", form: &filenameForm, optional: true}
	found, err := b.bind(s)
	if found {
		b.content.filename = s
	}
	return err
}

// looseBody binds body.1, body.2, … or body.name without a template file.
func (b *binder) looseBody() error {
	keys := b.keys("body", false)
	for i, k := range keys {
		switch {
		case (k.n == 0) != (keys[0].n == 0):
			return &Error{Where: k.String(), Message: keys[0].String() + " is given too", hint: "a template's parameters are all numbered or all named"}
		case k.n > 0 && k.n != i+1:
			return &Error{Where: k.String(), Message: fmt.Sprintf("body.%d is missing: parameters are numbered from 1 without a gap", i+1), hint: "add --param body." + strconv.Itoa(i+1) + "=COLUMN, or a column of that name"}
		}
		s := slot{key: k.String(), name: k.name, form: &bodyForm, times: 1}
		if _, err := b.bind(&s); err != nil {
			return err
		}
		b.content.body = append(b.content.body, s)
	}
	named := len(keys) > 0 && keys[0].name != ""
	if named && slices.ContainsFunc(b.content.header, func(s slot) bool { return s.typ == TypeText }) {
		return &Error{Where: "header.text", Message: "with named parameters the header's parameter has a name too", hint: "--template-file tells it"}
	}
	return nil
}

// looseButtons binds button.N without a template file. Links are the only buttons that nearly always need a value, so all are links.
func (b *binder) looseButtons() error {
	for _, k := range b.keys("button", false) {
		s := slot{key: k.String(), index: k.n, subType: "url", form: &urlForm}
		if _, err := b.bind(&s); err != nil {
			return err
		}
		b.content.buttons = append(b.content.buttons, s)
	}
	return nil
}

// checkFile refuses a template with parts that wactl has no values for.
func (b *binder) checkFile() error {
	if t := b.spec.File; len(t.Unfillable) > 0 {
		return &Error{Where: "template " + shown(t.Name), Message: "it needs values that can't be given in this version: " + strings.Join(t.Unfillable, ", ")}
	}
	return nil
}

// want binds a slot that the template file asks for.
func (b *binder) want(s *slot) (bool, error) {
	found, err := b.bind(s)
	if !found && err == nil && !s.optional {
		b.missing = append(b.missing, s.key)
	}
	return found, err
}

func (b *binder) fileHeader() error {
	t := b.spec.File
	if t.Header == "" || t.Header == TypeText && t.HeaderParam == "" {
		return nil
	}
	s := slot{key: "header." + t.Header, typ: t.Header, form: headerForms[t.Header]}
	if t.Named {
		s.name = t.HeaderParam
	}
	if found, err := b.want(&s); !found || err != nil {
		return err
	}
	b.content.header = []slot{s}
	return b.bindFilename()
}

func (b *binder) fileBody() error {
	t := b.spec.File
	cut, err := pieces(t.Body)
	if err != nil {
		return &Error{Where: "template " + shown(t.Name), Message: err.Error()}
	}
	if t.BodyAlone {
		b.content.bodyRoom = maxBodyAlone
	}
	times := map[string]int{}
	for _, p := range cut {
		times[p.name]++
		b.content.bodyRoom -= utf8.RuneCountInString(p.literal)
	}
	for _, name := range t.BodyParams {
		s := slot{key: "body." + name, form: &bodyForm, times: times[name]}
		if t.Named {
			s.name = name
		}
		if _, err := b.want(&s); err != nil {
			return err
		}
		b.content.body = append(b.content.body, s)
	}
	return nil
}

// buttonForms says what each sub-type of button takes.
var buttonForms = map[string]*form{"url": &urlForm, "quick_reply": &payloadForm, "copy_code": &couponForm}

func (b *binder) fileButtons() error {
	for i, button := range b.spec.File.Buttons {
		if button.SubType == "" {
			continue
		}
		s := slot{key: "button." + strconv.Itoa(i), index: i, subType: button.SubType, optional: !button.Required, form: buttonForms[button.SubType]}
		code := button.Type == "OTP"
		if code {
			s.form, s.optional = &couponForm, true
		}
		found, err := b.want(&s)
		switch {
		case err != nil:
			return err
		case found:
			b.content.buttons = append(b.content.buttons, s)
		case code && len(b.content.body) > 0:
			b.content.buttons = append(b.content.buttons, sameCode(s, b.content.body[0]))
		}
	}
	return nil
}

// sameCode lets a one-time code's button take what the body's first parameter takes: the platform wants the code in both.
func sameCode(button, body slot) slot {
	body.key, body.index, body.subType, body.form = button.key, button.index, button.subType, button.form
	return body
}

// checkMissing names all values at once that the template file wants and nothing gives.
func (b *binder) checkMissing() error {
	if len(b.missing) == 0 {
		return nil
	}
	return &Error{
		Where:   "template " + shown(b.spec.File.Name),
		Message: "no flag and no column gives " + strings.Join(b.missing, ", "),
		Missing: b.missing,
		hint:    fmt.Sprintf("--param %s=COLUMN takes it from a column, --set %s=VALUE is one for all; the columns are %s", b.missing[0], b.missing[0], list(b.header)),
	}
}
