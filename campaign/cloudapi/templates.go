package cloudapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"

	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/campaign/template"
)

// templateFields are what is asked of a template; the second list is for an API that is older, as with numbers.
var templateFields = []string{
	"id,name,language,status,category,parameter_format,components,quality_score,correct_category,rejected_reason",
	"id,name,language,status,category,components,quality_score,rejected_reason",
}

// TemplateFilter narrows the list of templates. Empty fields let everything through; all of them must match exactly.
type TemplateFilter struct{ Name, Language, Status, Category string }

func (f TemplateFilter) fits(t preflight.Template) bool {
	fits := func(want, have string) bool { return want == "" || want == have }
	return fits(f.Name, t.Name) && fits(f.Language, t.Language) && fits(f.Status, t.Status) && fits(f.Category, t.Category)
}

// Templates reads the templates of a WhatsApp Business account, in the API's order. An error is the last pair.
//
// The platform takes a name for the beginning or a part of one, so what does not match exactly is left out here.
func (c *Client) Templates(ctx context.Context, account string, f TemplateFilter) iter.Seq2[preflight.Template, error] {
	return func(yield func(preflight.Template, error) bool) {
		started := false
		err := c.withFields(templateFields, func(fields string) error {
			query := url.Values{"fields": {fields}, "limit": {"50"}}
			for key, value := range map[string]string{"name": f.Name, "language": f.Language, "status": f.Status, "category": f.Category} {
				if value != "" {
					query.Set(key, value)
				}
			}
			for raw, err := range c.pages(ctx, "templates of account "+account, account, "message_templates", query) {
				if err != nil && !started {
					return err
				}
				started = true
				t := preflight.Template{}
				if err == nil {
					if t = readTemplate(raw); !f.fits(t) {
						continue
					}
				}
				if !yield(t, err) || err != nil {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			yield(preflight.Template{}, err)
		}
	}
}

// readTemplate takes from a template what it can. Components that cannot be read are a Fault of this one template.
func readTemplate(raw json.RawMessage) preflight.Template {
	var j struct {
		ID         text   `json:"id"`
		Name       text   `json:"name"`
		Language   text   `json:"language"`
		Status     text   `json:"status"`
		Category   text   `json:"category"`
		Quality    scored `json:"quality_score"`
		Correct    text   `json:"correct_category"`
		Rejected   text   `json:"rejected_reason"`
		Components []struct {
			Example struct {
				Handle []string `json:"header_handle"`
			} `json:"example"`
		} `json:"components"`
	}
	_ = json.Unmarshal(raw, &j) // an odd field leaves the others as they are
	t := preflight.Template{ID: string(j.ID), Raw: raw, Quality: word(j.Quality.word), Correct: word(j.Correct), Rejected: string(j.Rejected)}
	if t.Template, t.Fault = template.Parse(raw); t.Fault != nil {
		t.Name, t.Language, t.Status, t.Category = string(j.Name), string(j.Language), word(j.Status), word(j.Category)
	}
	for _, component := range j.Components {
		t.Samples = append(t.Samples, component.Example.Handle...)
	}
	return t
}
