package preflight

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/campaign/template"
)

// templates judges each template that the campaign sends, in each language.
func templates(r Readings) []finding {
	switch {
	case !r.Campaign:
		return []finding{{verdict: Unknown, detail: "no campaign was named"}}
	case len(r.Uses) == 0:
		return []finding{{verdict: OK, detail: "the campaign sends no template"}}
	case r.TemplatesErr != nil:
		return []finding{unread(r.TemplatesErr)}
	}
	var all []finding
	for _, u := range r.Uses {
		for _, f := range u.judge(r) {
			f.detail = u.Message.Template + " " + u.Message.Language + ": " + f.detail
			all = append(all, f)
		}
	}
	return all
}

// judge is what is found about one use. Without the template there is nothing more to say.
func (u Use) judge(r Readings) []finding {
	at := slices.IndexFunc(r.Templates, func(t Template) bool { return t.Name == u.Message.Template && t.Language == u.Message.Language })
	if at < 0 {
		return []finding{u.missing(r.Templates)}
	}
	t := r.Templates[at]
	status := judge(templateStatuses, t.Status)
	status.item = "status"
	if t.Rejected != "" && t.Rejected != "NONE" && status.verdict == Stop {
		status.detail += ": " + t.Rejected
	}
	quality := judge(templateQualities, t.Quality)
	quality.item = "quality"
	return []finding{status, u.category(t, r.American), quality, u.parameters(t)}
}

// missing says in which languages the template exists: the language must match exactly.
func (u Use) missing(all []Template) finding {
	var languages []string
	for _, t := range all {
		if t.Name == u.Message.Template {
			languages = append(languages, t.Language)
		}
	}
	f := finding{item: "exists", verdict: Stop, code: 132001}
	if len(languages) == 0 {
		f.detail, f.advice = "the account has no template of this name", "`wactl template list` shows those that it has"
		return f
	}
	slices.Sort(languages)
	f.detail = "it does not exist in this language, but in " + strings.Join(slices.Compact(languages), ", ")
	f.advice = "say --language exactly as the template has it: en is not en_US"
	return f
}

func (u Use) category(t Template, american int) finding {
	f := finding{item: "category", verdict: OK, detail: strings.ToLower(t.Category)}
	switch {
	case t.Category == "":
		f.verdict, f.detail = Unknown, "the platform did not tell the category"
	case t.Correct != "" && t.Correct != t.Category:
		f.verdict, f.advice = Warning, "the price follows the category at the time of sending"
		f.detail += ", and the platform will move it to " + strings.ToLower(t.Correct)
	case u.Category != "" && u.Category != t.Category:
		f.verdict, f.advice = Warning, "get the template anew with `wactl template get`"
		f.detail += ", but the file of --template-file says " + strings.ToLower(u.Category)
	case t.Category == "MARKETING" && american > 0:
		f.verdict, f.advice = Warning, "take them out of the list: marketing is not delivered to numbers of the United States"
		f.detail += fmt.Sprintf(", and %s of the people have a number of the United States", count(american))
	}
	return f
}

// parameters holds the first message against the template as the platform has it now.
func (u Use) parameters(t Template) finding {
	f := finding{item: "parameters", verdict: OK, detail: "they fit"}
	var hint interface{ Hint() string }
	if t.Fault != nil {
		f.verdict, f.detail = Unknown, "its components cannot be read: "+t.Fault.Error()
		if errors.As(t.Fault, &hint) {
			f.advice = hint.Hint()
		}
		return f
	}
	var wrong []string
	for _, compare := range comparisons {
		wrong = append(wrong, compare(t.Template, u.Message)...)
	}
	if len(wrong) > 0 {
		f.verdict, f.code = Stop, 132000
		f.detail = fmt.Sprintf("line %d does not fit the template: %s", u.Line, strings.Join(wrong, "; "))
		f.advice = "--param KEY=COLUMN fills a value, --template-file checks every row against the template"
	}
	return f
}

// comparisons are the parts of a template that take values: what each lacks or has too much, in the keys that users write.
var comparisons = []func(template.Template, template.Message) []string{compareUnfillable, compareHeader, compareBody, compareButtons}

func compareUnfillable(t template.Template, _ template.Message) []string {
	if len(t.Unfillable) == 0 {
		return nil
	}
	return []string{"it needs values that can't be given in this version: " + strings.Join(t.Unfillable, ", ")}
}

func compareHeader(t template.Template, m template.Message) []string {
	wants := t.Header != "" && (t.Header != template.TypeText || t.HeaderParam != "")
	switch {
	case !wants && m.Header != nil:
		return []string{"header." + m.Header.Type + " is given, and the template takes none"}
	case wants && m.Header == nil:
		return []string{"header." + t.Header + " is missing"}
	case wants && m.Header.Type != t.Header:
		return []string{fmt.Sprintf("header.%s is given, and the template takes header.%s", m.Header.Type, t.Header)}
	case wants && t.Named && t.Header == template.TypeText && m.Header.Name != t.HeaderParam:
		return []string{fmt.Sprintf("the header's parameter is named %s", shown(t.HeaderParam))}
	}
	return nil
}

func compareBody(t template.Template, m template.Message) (wrong []string) {
	has := make([]string, len(m.Body))
	for i, p := range m.Body {
		has[i] = cmp.Or(p.Name, strconv.Itoa(i+1))
	}
	for _, name := range t.BodyParams {
		if !slices.Contains(has, name) {
			wrong = append(wrong, "body."+name+" is missing")
		}
	}
	for _, name := range has {
		if !slices.Contains(t.BodyParams, name) {
			wrong = append(wrong, "body."+name+" is given, and the template takes none")
		}
	}
	return wrong
}

func compareButtons(t template.Template, m template.Message) (wrong []string) {
	given := map[int]bool{}
	for _, b := range m.Buttons {
		given[b.Index] = true
		key := "button." + strconv.Itoa(b.Index)
		switch {
		case b.Index >= len(t.Buttons) || t.Buttons[b.Index].SubType == "":
			wrong = append(wrong, key+" is given, and the template takes none")
		case t.Buttons[b.Index].SubType != b.SubType:
			wrong = append(wrong, fmt.Sprintf("%s is a %s and not a %s: --template-file tells them apart", key, t.Buttons[b.Index].SubType, b.SubType))
		}
	}
	for i, b := range t.Buttons {
		if b.Required && !given[i] {
			wrong = append(wrong, "button."+strconv.Itoa(i)+" is missing")
		}
	}
	return wrong
}
