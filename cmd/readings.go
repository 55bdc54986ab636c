package cmd

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/campaign/template"
)

// What a provider may be able to tell beside sending. One that cannot lacks the method.
type (
	tellsNumber interface {
		Number(ctx context.Context, id string) (preflight.Number, error)
	}
	tellsNumbers interface {
		Numbers(ctx context.Context, account string) iter.Seq2[preflight.Number, error]
	}
	tellsTemplates interface {
		Templates(ctx context.Context, account string, f cloudapi.TemplateFilter) iter.Seq2[preflight.Template, error]
	}
)

// reader reads from one provider, each thing once a run: the platform counts calls, and nothing it tells changes by the second.
type reader struct {
	provider campaign.Provider
	account  string // of --waba-id; empty: the number's health tells it

	numbers   map[string]numberReading
	templates map[[2]string]templateReading // by account and name: the numbers of one token may be of several accounts
}

type numberReading struct {
	preflight.Number
	err error
}

type templateReading struct {
	all []preflight.Template
	err error
}

func newReader(p campaign.Provider, account string) *reader {
	return &reader{provider: p, account: account, numbers: map[string]numberReading{}, templates: map[[2]string]templateReading{}}
}

// untold is the refusal for what a provider cannot tell.
func untold(what string) error {
	return &preflight.Refusal{What: what, Details: "this provider does not tell it"}
}

// number is what the provider says about a number.
func (r *reader) number(ctx context.Context, id string) (preflight.Number, error) {
	if _, read := r.numbers[id]; !read {
		n := numberReading{err: untold("number " + id)}
		if api, can := r.provider.(tellsNumber); can {
			n.Number, n.err = api.Number(ctx, id)
		}
		r.numbers[id] = n
	}
	return r.numbers[id].Number, r.numbers[id].err
}

// accountOf is the id of the business account that a number belongs to.
func (r *reader) accountOf(ctx context.Context, number string) (string, error) {
	if r.account != "" {
		return r.account, nil
	}
	n, err := r.number(ctx, number)
	if err == nil && n.Account() == "" {
		err = &preflight.Refusal{What: "templates", Details: "the number's health does not name its business account; --waba-id ID does"}
	}
	return n.Account(), err
}

// named are the templates of an account with this name, in all languages; all of them for an empty name.
func (r *reader) named(ctx context.Context, account, name string) ([]preflight.Template, error) {
	key := [2]string{account, name}
	if _, read := r.templates[key]; !read {
		t := templateReading{err: untold("templates of account " + account)}
		if api, can := r.provider.(tellsTemplates); can {
			t.all, t.err = collect(api.Templates(ctx, account, cloudapi.TemplateFilter{Name: name}))
		}
		r.templates[key] = t
	}
	return r.templates[key].all, r.templates[key].err
}

func collect[T any](seq iter.Seq2[T, error]) (all []T, err error) {
	for one, err := range seq {
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

// mostNames is how many templates are asked for by name; more are read as one list.
const mostNames = 10

// read fills in what preflight judges about a number and the templates of some uses.
func (r *reader) read(ctx context.Context, number string, uses []preflight.Use) (x preflight.Readings, err error) {
	x.Number, x.NumberErr = r.number(ctx, number)
	if stop := context.Cause(ctx); stop != nil {
		return x, stop
	}
	names := map[string]bool{}
	for _, u := range uses {
		names[u.Message.Template] = true
	}
	if len(names) == 0 {
		return x, nil
	}
	if refused, ok := errors.AsType[*preflight.Refusal](x.NumberErr); ok && (refused.BadToken() || refused.Unreachable) {
		x.TemplatesErr = x.NumberErr // the next reading would end alike, and a minute later
		return x, nil
	}
	account, err := r.accountOf(ctx, number)
	if err != nil {
		x.TemplatesErr = err
		return x, nil
	}
	if len(names) > mostNames {
		names = map[string]bool{"": true}
	}
	for _, name := range sortedKeys(names) {
		var some []preflight.Template
		if some, x.TemplatesErr = r.named(ctx, account, name); x.TemplatesErr != nil {
			break
		}
		x.Templates = append(x.Templates, some...)
	}
	return x, context.Cause(ctx)
}

func sortedKeys(m map[string]bool) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// contents sums up what a plan sends: each template in each language once, and each medium once.
type contents struct {
	uses  []preflight.Use
	links []preflight.Link
}

// content is the plan's contents, summed up once: what was sent is forgotten while it is sent.
func (p *planned) content() (c contents, err error) {
	if p.summed == nil {
		if c, err = p.contents(); err != nil {
			return c, err
		}
		p.summed = &c
	}
	return *p.summed, nil
}

// contents reads the plan's messages. Where all of them are of one template and carry no medium, the first tells all.
func (p *planned) contents() (c contents, err error) {
	type key struct{ place, template, language, medium string }
	useAt, linkAt := map[key]int{}, map[key]int{}
	for step, err := range p.Steps([16]byte{}, p.options) {
		if err != nil {
			return c, err
		}
		m := step.Message
		if m.Type == template.TypeTemplate {
			k := key{template: m.Template, language: m.Language}
			at, seen := useAt[k]
			if !seen {
				at = len(c.uses)
				useAt[k] = at
				c.uses = append(c.uses, preflight.Use{Message: m, Line: step.Line, Category: p.options.Category})
			}
			c.uses[at].Messages++
		}
		place, medium := m.Medium()
		if medium == nil && p.uniform() {
			c.uses = manyTimes(c.uses, p.Messages())
			return c, nil
		}
		if medium == nil || medium.ID != "" {
			continue
		}
		k := key{place: place, medium: cmp.Or(medium.Link, medium.Path)}
		at, seen := linkAt[k]
		if !seen {
			at = len(c.links)
			linkAt[k] = at
			c.links = append(c.links, preflight.Link{URL: k.medium, Local: medium.Path != "", Place: place, Line: step.Line})
		}
		c.links[at].Messages++
	}
	return c, nil
}

func manyTimes(uses []preflight.Use, n int) []preflight.Use {
	for i := range uses {
		uses[i].Messages = n
	}
	return uses
}

// uniform says that no column and no country decides about template, language or medium.
func (p *planned) uniform() bool {
	return !slices.ContainsFunc(p.uses, func(u template.Use) bool {
		return u.From == template.FromColumn && slices.Contains(contentKinds, u.Key) || u.Key == "language" && (u.Column != "" || u.From == template.FromSet) ||
			len(u.Key) > len("header.") && u.Key[:len("header.")] == "header."
	})
}

// contentKinds are the columns that decide what a row's message is.
var contentKinds = []string{"template", "text", "image", "video", "document", "language"}
