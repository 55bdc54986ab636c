package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	listlines "github.com/wactl/wactl/normalize/lines"
)

// listFlags are the flags of the commands that look at a list: how to read it, who opted out, what it is to say.
type listFlags struct {
	region         string
	phoneColumns   []string
	consentColumns []string
	suppress       []string
	templateFile   string
	params         []string
}

func (f *listFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.region, "region", "", "country of numbers written without one, such as `BR`; several with commas; \"international\": bare digits carry theirs")
	flags.StringArrayVar(&f.phoneColumns, "phone-column", nil, "`NAME` of the column with the phone numbers, or #N for the Nth column; may be repeated")
	flags.StringArrayVar(&f.consentColumns, "consent-column", nil, "`NAME` of a column that says who has opted out; may be repeated")
	addSuppressFlag(c, &f.suppress)
	flags.StringVar(&f.templateFile, "template-file", "", "the template's JSON in `FILE`, as the API returns it")
	flags.StringArrayVar(&f.params, "param", nil, "`KEY=COLUMN`: a parameter from a column; may be repeated")
}

func addSuppressFlag(c *cobra.Command, files *[]string) {
	c.Flags().StringArrayVar(files, "suppress", nil, "list of people who opted out, in `FILE`; may be repeated")
}

func (f *listFlags) options() normalize.Options {
	return normalize.Options{Region: f.region, PhoneColumns: f.phoneColumns, ConsentColumns: f.consentColumns}
}

// open reads the list's header.
func (f *listFlags) open(s *source) (*normalize.List, error) {
	o := f.options()
	o.Size = s.size()
	return normalize.Open(s.path, s.text(), o)
}

// suppressed reads the lists of opt-outs. Everybody who can be read is in the set, also where the error says that somebody cannot.
// They are added to those of known, where there are some.
func (a *app) suppressed(ctx context.Context, known *normalize.Suppressions, files []string, o normalize.Options) (*normalize.Suppressions, error) {
	s := known
	if s == nil {
		s = &normalize.Suppressions{}
	}
	var unread error
	for _, path := range files {
		err := a.readOptOuts(ctx, s, path, o)
		if err != nil && !errors.Is(err, normalize.ErrUnreadableOptOut) {
			return nil, err
		}
		unread = errors.Join(unread, err)
	}
	if s.Empty > 0 {
		a.out.Warn("%s without any number in the lists of opt-outs", plural(s.Empty, "row stands", "rows stand"))
	}
	return s, unread
}

// readOptOuts adds one file. Its phone column is found by its header, unless it has the one that is named for the list.
func (a *app) readOptOuts(ctx context.Context, s *normalize.Suppressions, path string, o normalize.Options) error {
	from, err := a.openSource(ctx, path)
	if err != nil {
		return err
	}
	defer from.close()
	o.ConsentColumns = nil
	list, err := normalize.Open(path, from.text(), o)
	if errors.Is(err, normalize.ErrUnknownColumn) {
		o.PhoneColumns = nil
		list, err = normalize.Open(path, from.text(), o)
	}
	if err != nil {
		return listError(err)
	}
	defer list.Close()
	return listError(s.Read(list))
}

// anyTemplate and anyLanguage stand for a template that is not named: its values can be judged all the same.
const (
	anyTemplate = "template"
	anyLanguage = "en"
)

// spec is what the flags say about content, and whether they say anything.
func (f *listFlags) spec() (s template.Spec, asked bool, err error) {
	s.Defaults = map[string]string{"language": anyLanguage}
	if s.Params, err = pairs("param", f.params); err != nil {
		return s, false, err
	}
	if f.templateFile == "" {
		if len(s.Params) > 0 {
			s.Template = anyTemplate
		}
		return s, len(s.Params) > 0, nil
	}
	s.Defaults = map[string]string{}
	text, err := os.ReadFile(f.templateFile)
	if err != nil {
		return s, true, unusable("name the template's JSON file", "template file: %w", err)
	}
	t, err := template.Parse(text)
	if err != nil {
		return s, true, unusable("", "template file %s: %w", f.templateFile, err)
	}
	s.File = &t
	return s, true, nil
}

// content binds the flags, or the list's own content columns, to its header. Missing are the values that nothing gives; nil content: the
// list says nothing.
func (f *listFlags) content(header []string, fileSize func(string) (int64, bool), files func(flag, path string) (template.File, error)) (c *template.Content, missing []string, err error) {
	spec, asked, err := f.spec()
	spec.FileSize, spec.Files = fileSize, files
	if err != nil {
		return nil, nil, err
	}
	c, err = template.NewContent(spec, header)
	if e, ok := errors.AsType[*template.Error](err); ok && len(e.Missing) > 0 {
		for _, key := range e.Missing {
			spec.Defaults[key] = placeholderFor(key)
		}
		missing = e.Missing
		c, err = template.NewContent(spec, header)
	}
	if err != nil && !asked {
		return nil, nil, nil // columns that only look like content
	}
	return c, missing, err
}

// placeholderFor is a value that no rule minds, for a key that nothing gives.
func placeholderFor(key string) string {
	switch key {
	case "header.image", "header.video", "header.document":
		return "id:0"
	}
	return "0"
}

// fileSizes looks at the files below a list's folder and no others, whatever path or link a cell holds. A list from stdin has no folder.
func fileSizes(list string) func(path string) (int64, bool) {
	folder, err := filepath.Abs(filepath.Dir(list))
	if list == stdio || err != nil {
		return nil
	}
	return func(path string) (int64, bool) {
		if below, err := filepath.Rel(folder, path); err == nil && filepath.IsAbs(path) {
			path = below // the root takes no other
		}
		root, err := os.OpenRoot(folder)
		if err != nil {
			return 0, false
		}
		defer root.Close()
		info, err := root.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return 0, false
		}
		return info.Size(), true
	}
}

// checkOptions are what the list is held against.
func (f *listFlags) checkOptions(c *template.Content, s *normalize.Suppressions) normalize.CheckOptions {
	return normalize.CheckOptions{Content: c, Suppressed: s, Now: time.Now()}
}

// placed is a failure at a place of a list that a rule names, or nil.
func placed(err error) *listlines.FileError {
	e, ok := errors.AsType[*listlines.FileError](err)
	if !ok || e.Rule == "" {
		return nil
	}
	return e
}
