package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/preflight"
)

func newTemplate(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "template",
		Short:   "List the templates of an account, or get one as JSON",
		Long:    "Shows the templates of a WhatsApp Business account. The JSON that `template get` writes is what\n--template-file reads.",
		Example: "  wactl template list --waba-id 102290129340398\n  wactl template get welcome --language pt_BR -o welcome.json --waba-id 102290129340398",
		GroupID: groupCampaign,
		Args:    knownCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newTemplateList(a), newTemplateGet(a))
	return c
}

func newTemplateList(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "list",
		Short:   "Show each template with language, status, category, quality and parameters",
		Example: "  wactl template list --waba-id 102290129340398\n  wactl template list --status APPROVED --language pt_BR --phone-number-id 106540352242922",
		Args:    noArgs,
	}
	f, filter := &accountFlags{}, &cloudapi.TemplateFilter{}
	f.add(c)
	c.Flags().StringVar(&filter.Name, "name", "", "only the template of this `NAME`")
	c.Flags().StringVar(&filter.Language, "language", "", "only this language `CODE`")
	c.Flags().StringVar(&filter.Status, "status", "", "only this `STATUS`, such as APPROVED or PAUSED")
	c.Flags().StringVar(&filter.Category, "category", "", "only this `CATEGORY`, such as MARKETING or UTILITY")
	format := formatFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		filter.Status, filter.Category = strings.ToUpper(filter.Status), strings.ToUpper(filter.Category)
		all, account, err := f.templates(c.Context(), a, *filter)
		if err != nil {
			return refusedReading(err)
		}
		return a.show(format, map[string]any{"version": 1, "account": account, "templates": templatesJSON(all)}, func() { a.showTemplates(all) })
	}
	return c
}

// templates are an account's templates and the account.
func (f *accountFlags) templates(ctx context.Context, a *app, filter cloudapi.TemplateFilter) ([]preflight.Template, string, error) {
	r, number, err := f.open(a)
	if err != nil {
		return nil, "", err
	}
	api, can := r.provider.(tellsTemplates)
	if !can {
		return nil, "", untold("templates")
	}
	account, err := r.accountOf(ctx, number)
	if err != nil {
		return nil, "", err
	}
	all, err := collect(api.Templates(ctx, account, filter))
	return all, account, err
}

// templateJSON is a template as published; null is what the platform did not tell.
type templateJSON struct {
	ID       *string  `json:"id"`
	Name     string   `json:"name"`
	Language string   `json:"language"`
	Status   *string  `json:"status"`
	Category *string  `json:"category"`
	Quality  *string  `json:"quality"`
	Takes    []string `json:"takes"` // keys of its values, as --param names them; null where its parts cannot be read
}

func templatesJSON(all []preflight.Template) []templateJSON {
	list := make([]templateJSON, len(all))
	for i, t := range all {
		list[i] = templateJSON{known(t.ID), t.Name, t.Language, known(t.Status), known(t.Category), known(t.Quality), takes(t)}
	}
	return list
}

// takes are the keys of a template's values; nil where its parts cannot be read.
func takes(t preflight.Template) []string {
	if t.Fault != nil {
		return nil
	}
	keys := []string{}
	if t.Header != "" && (t.Header != "text" || t.HeaderParam != "") {
		keys = append(keys, "header."+t.Header)
	}
	for _, p := range t.BodyParams {
		keys = append(keys, "body."+p)
	}
	for i, b := range t.Buttons {
		if b.Required {
			keys = append(keys, fmt.Sprintf("button.%d", i))
		}
	}
	return append(keys, t.Unfillable...)
}

func (a *app) showTemplates(all []preflight.Template) {
	if len(all) == 0 {
		a.out.Line("no template fits")
		return
	}
	var rows [][]string
	for _, t := range all {
		values := strings.Join(takes(t), " ")
		if t.Fault != nil {
			values = "cannot be read: " + t.Fault.Error()
		}
		rows = append(rows, []string{t.Name, t.Language, dash(t.Status), dash(strings.ToLower(t.Category)), dash(t.Quality), dash(values)})
	}
	a.out.Table([]string{"name", "language", "status", "category", "quality", "takes"}, rows)
}

func newTemplateGet(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "get NAME",
		Short:   "Write one template's JSON, as the API returns it",
		Long:    "Writes the JSON of one template in one language. --template-file reads it, and then every row is\nchecked against the template before anything is sent.",
		Example: "  wactl template get welcome --language pt_BR -o welcome.json --phone-number-id 106540352242922",
		Args:    oneArg("a template's name"),
	}
	f := &accountFlags{}
	f.add(c)
	language, out := "", ""
	c.Flags().StringVar(&language, "language", "", "language `CODE` of the template, exact: en is not en_US")
	c.Flags().StringVarP(&out, "output", "o", stdio, "write it to `FILE`; - is stdout")
	c.RunE = func(c *cobra.Command, args []string) error {
		all, _, err := f.templates(c.Context(), a, cloudapi.TemplateFilter{Name: args[0]})
		if err != nil {
			return refusedReading(err)
		}
		t, err := one(all, args[0], language)
		if err != nil {
			return err
		}
		return a.writeFile(out, func(w io.Writer) error { return writeTemplate(w, t.Raw) })
	}
	return c
}

// one is the template in a language, or in the only language that there is.
func one(all []preflight.Template, name, language string) (preflight.Template, error) {
	var languages []string
	for _, t := range all {
		if t.Language == language {
			return t, nil
		}
		languages = append(languages, t.Language)
	}
	slices.Sort(languages)
	switch {
	case len(all) == 0:
		return preflight.Template{}, unusable("`wactl template list` shows those that it has", "the account has no template %q", name)
	case language == "" && len(all) == 1:
		return all[0], nil
	case language == "":
		return preflight.Template{}, unusable("choose one with --language CODE", "template %q exists in %s", name, strings.Join(languages, ", "))
	}
	return preflight.Template{}, unusable("the code must match exactly: en is not en_US", "template %q does not exist in %q, but in %s", name, language, strings.Join(languages, ", "))
}

// writeTemplate writes a template's JSON for people to read; not a character of what it says changes.
func writeTemplate(w io.Writer, raw json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}
