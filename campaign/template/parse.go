package template

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Template is one approved text in one language, as GET message_templates returns it: what it says and which values it takes.
type Template struct {
	Name        string
	Language    string // exact: "en" is not "en_US"
	Category    string // "MARKETING", "UTILITY" or "AUTHENTICATION"; empty when not told
	Status      string // "APPROVED", "PAUSED", …; empty when not told
	Named       bool   // placeholders have names; otherwise they are numbered from 1
	Header      string // TypeText, TypeImage, TypeVideo, TypeDocument, another format in lower case, or empty without a header
	HeaderText  string // a text header, placeholder and all
	HeaderParam string // the header's placeholder, empty when its text is fixed
	Body        string // the body, placeholders and all
	BodyParams  []string
	BodyAlone   bool // nothing but a body, which may then be longer
	Buttons     []TemplateButton
	Unfillable  []string // parts that need values which wactl can't give yet, such as "CAROUSEL"
}

// TemplateButton is one button of a Template; its place in Template.Buttons is the platform's index.
type TemplateButton struct {
	Type     string // the platform's name, "URL", "QUICK_REPLY", …
	Text     string // its label
	URL      string // its link, placeholder and all
	SubType  string // how its value is sent: "url", "quick_reply", "copy_code"; empty when it takes none
	Required bool   // it can't be sent without a value
}

// buttonTypes says how each type of button takes its value. What is not here can't be sent yet.
var buttonTypes = map[string]struct {
	subType  string
	required bool
	dynamic  bool // only when its link has a placeholder
}{
	"URL":          {"url", true, true},
	"QUICK_REPLY":  {"quick_reply", false, false},
	"COPY_CODE":    {"copy_code", true, false},
	"OTP":          {"url", true, false}, // a one-time code travels as the suffix of a link
	"PHONE_NUMBER": {},
	"VOICE_CALL":   {},
}

// The API's JSON. Fields that decide nothing are left out.
type (
	jsonTemplate struct {
		Name       string          `json:"name"`
		Language   string          `json:"language"`
		Category   string          `json:"category"`
		Status     string          `json:"status"`
		Format     string          `json:"parameter_format"`
		Components []jsonComponent `json:"components"`
	}
	jsonComponent struct {
		Type    string       `json:"type"`
		Format  string       `json:"format"`
		Text    string       `json:"text"`
		Buttons []jsonButton `json:"buttons"`
	}
	jsonButton struct {
		Type string `json:"type"`
		Text string `json:"text"`
		URL  string `json:"url"`
	}
	jsonAnswer struct {
		jsonTemplate
		Data  *[]jsonTemplate `json:"data"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
)

// Parse reads a file with exactly one template: an object as the API returns it, alone or in {"data":[…]}.
func Parse(data []byte) (Template, error) {
	all, err := ParseAll(data)
	if err != nil {
		return Template{}, err
	}
	t, err := Choose(all, "", "")
	if err != nil {
		return Template{}, err
	}
	return *t, nil
}

// ParseAll reads every template of a file: one object, an array, or the API's {"data":[…]}. It never returns none without an error.
func ParseAll(data []byte) ([]Template, error) {
	raw, err := decode(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 {
		return nil, &Error{Message: "no template in it", hint: "check the name that was asked for"}
	}
	out := make([]Template, 0, len(raw))
	for i, r := range raw {
		t, err := r.template()
		if err != nil {
			return nil, fmt.Errorf("template %d (%s, %s): %w", i+1, shown(r.Name), shown(r.Language), err)
		}
		out = append(out, t)
	}
	return out, nil
}

// Choose finds the one template with this name and language; an empty name or language fits any.
func Choose(all []Template, name, language string) (*Template, error) {
	var found []*Template
	var have []string
	for i := range all {
		have = append(have, all[i].Name+" "+all[i].Language)
		if (name == "" || all[i].Name == name) && (language == "" || all[i].Language == language) {
			found = append(found, &all[i])
		}
	}
	wanted := strings.TrimSpace(name + " " + language)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return nil, &Error{Message: fmt.Sprintf("no template %s in the file; it has %s", shown(wanted), list(have)), hint: "name and language must match exactly: en is not en_US"}
	}
	return nil, &Error{Message: fmt.Sprintf("%d templates fit; the file has %s", len(found), list(have)), hint: "choose one with --template NAME and --language CODE"}
}

// decode reads the JSON in any of its three outer shapes.
func decode(data []byte) ([]jsonTemplate, error) {
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		var all []jsonTemplate
		err := json.Unmarshal(data, &all)
		return all, placed(data, err)
	}
	var answer jsonAnswer
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, placed(data, err)
	}
	switch {
	case answer.Error != nil:
		return nil, &Error{Message: "this is an error of the API, not a template: " + shown(answer.Error.Message), hint: "ask the API again and save its answer"}
	case answer.Data != nil:
		return *answer.Data, nil
	}
	return []jsonTemplate{answer.jsonTemplate}, nil
}
