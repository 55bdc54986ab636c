package template

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// placed gives a JSON error its line and column, and nil for nil.
func placed(data []byte, err error) error {
	if err == nil {
		return nil
	}
	where, message := "", err.Error()
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		where = position(data, e.Offset)
		message = "not JSON: " + e.Error()
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		where = position(data, e.Offset)
		message = fmt.Sprintf("%s is a %s, and another type is wanted there", shown(e.Field), e.Value)
	}
	return &Error{Where: where, Message: message, hint: "save the answer of GET message_templates as it comes"}
}

// position is where a decoder stopped, after offset bytes of data: physical line and character, both from 1.
func position(data []byte, offset int64) string {
	before := data[:min(max(offset-1, 0), int64(len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// template checks one template and works out which values it takes.
func (j *jsonTemplate) template() (Template, error) {
	t := Template{Name: j.Name, Language: j.Language, Category: strings.ToUpper(j.Category), Status: strings.ToUpper(j.Status)}
	switch {
	case j.Name == "":
		return t, &Error{Where: "name", Message: "missing", hint: "save the answer of GET message_templates as it comes"}
	case j.Language == "":
		return t, &Error{Where: "language", Message: "missing", hint: "ask the API for the fields name, language, status, category, parameter_format and components"}
	case len(j.Components) == 0:
		return t, &Error{Where: "components", Message: "missing", hint: "ask the API for the fields name, language, status, category, parameter_format and components"}
	}
	if _, found := nameForm.judge(j.Name); found.bad() {
		return t, &Error{Where: "name", Message: found.text()}
	}
	if _, found := languageForm.judge(j.Language); found.bad() {
		return t, &Error{Where: "language", Message: found.text()}
	}
	named, err := j.named()
	if err != nil {
		return t, err
	}
	t.Named = named
	for i := range j.Components {
		if err := t.component(i, &j.Components[i]); err != nil {
			return t, err
		}
	}
	if t.Body == "" {
		return t, &Error{Where: "components", Message: "no component of type BODY with a text"}
	}
	t.BodyAlone = len(j.Components) == 1
	return t, nil
}

// named tells how placeholders are written: as parameter_format says, or as the header and body show.
func (j *jsonTemplate) named() (bool, error) {
	switch strings.ToUpper(j.Format) {
	case "NAMED":
		return true, nil
	case "POSITIONAL":
		return false, nil
	case "":
	default:
		return false, &Error{Where: "parameter_format", Message: shown(j.Format) + " is neither POSITIONAL nor NAMED"}
	}
	for _, c := range j.Components {
		for _, name := range placeholders(c.Text) {
			if !allDigits(name) {
				return true, nil
			}
		}
	}
	return false, nil
}

// placeholders are the distinct names in text, in order; nil where the text can't be cut.
func placeholders(text string) []string {
	cut, err := pieces(text)
	if err != nil {
		return nil
	}
	var names []string
	for _, p := range cut {
		if p.name != "" && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// component adds one part of the template.
func (t *Template) component(i int, c *jsonComponent) error {
	where := fmt.Sprintf("components[%d]", i)
	switch typ := strings.ToUpper(c.Type); typ {
	case "BODY":
		if t.Body != "" {
			return &Error{Where: where, Message: "a second BODY"}
		}
		names, err := t.params(where+".text", c.Text)
		t.Body, t.BodyParams = c.Text, names
		return err
	case "HEADER":
		if t.Header != "" {
			return &Error{Where: where, Message: "a second HEADER"}
		}
		return t.header(where, c)
	case "BUTTONS":
		return t.buttons(where, c.Buttons)
	case "FOOTER":
		return nil
	case "":
		return &Error{Where: where + ".type", Message: "missing"}
	default:
		t.Unfillable = append(t.Unfillable, typ)
		return nil
	}
}

// params are the placeholders of a text in the order in which they are sent, checked against the template's format.
func (t *Template) params(where, text string) ([]string, error) {
	if _, err := pieces(text); err != nil {
		return nil, &Error{Where: where, Message: err.Error()}
	}
	names := placeholders(text)
	for _, name := range names {
		if t.Named == allDigits(name) || t.Named && !isParamName(name) {
			return nil, &Error{Where: where, Message: fmt.Sprintf("placeholder {{%s}} does not fit parameter_format %s", name, map[bool]string{true: "NAMED", false: "POSITIONAL"}[t.Named])}
		}
	}
	if t.Named {
		return names, nil
	}
	for n := range len(names) {
		if !slices.Contains(names, strconv.Itoa(n+1)) {
			return nil, &Error{Where: where, Message: fmt.Sprintf("placeholder {{%d}} is missing: they are numbered from 1 without a gap", n+1)}
		}
	}
	for n := range names {
		names[n] = strconv.Itoa(n + 1)
	}
	return names, nil
}

// isParamName tells whether name can be a parameter's name: ASCII letters, digits and "_", and no digit in front.
func isParamName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !isWord(r) }) < 0 && (name[0] < '0' || name[0] > '9')
}

func (t *Template) header(where string, c *jsonComponent) error {
	switch format := strings.ToUpper(c.Format); format {
	case "TEXT":
		names, err := t.params(where+".text", c.Text)
		if len(names) > 1 {
			return &Error{Where: where + ".text", Message: fmt.Sprintf("%d placeholders; a header takes one", len(names))}
		}
		t.Header, t.HeaderText, t.HeaderParam = TypeText, c.Text, strings.Join(names, "")
		return err
	case "IMAGE", "VIDEO", "DOCUMENT":
		t.Header = strings.ToLower(format)
	case "":
		return &Error{Where: where + ".format", Message: "missing"}
	default:
		t.Header = strings.ToLower(format)
		t.Unfillable = append(t.Unfillable, "HEADER "+format)
	}
	return nil
}

func (t *Template) buttons(where string, buttons []jsonButton) error {
	for i, b := range buttons {
		at := fmt.Sprintf("%s.buttons[%d]", where, i)
		typ := strings.ToUpper(b.Type)
		if typ == "" {
			return &Error{Where: at + ".type", Message: "missing"}
		}
		cut, err := pieces(b.URL)
		if err != nil {
			return &Error{Where: at + ".url", Message: err.Error()}
		}
		button := TemplateButton{Type: typ, Text: b.Text, URL: b.URL}
		how, known := buttonTypes[typ]
		if !known {
			t.Unfillable = append(t.Unfillable, "button "+typ)
		}
		dynamic := slices.ContainsFunc(cut, func(p piece) bool { return p.name != "" })
		if !how.dynamic || dynamic {
			button.SubType, button.Required = how.subType, how.required
		}
		t.Buttons = append(t.Buttons, button)
	}
	return nil
}
