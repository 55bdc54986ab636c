package cmd

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	listlines "github.com/wactl/wactl/normalize/lines"
	faces "github.com/wactl/wactl/normalize/report"
)

// checking is one list on its way through lint.
type checking struct {
	*lint
	*source
	plain   bool // its text can be repaired
	rounds  int
	list    *normalize.List
	pool    sync.Pool // of []faces.Problem
	content *template.Content
	missing []string // values that the template wants and nothing gives
}

// check reads one list and keeps its problems. A list that cannot be used is a problem where a rule says so, else an error.
func (l *lint) check(ctx context.Context, path string) error {
	s, err := l.openSource(ctx, path)
	if err != nil {
		return err
	}
	defer s.close()
	c := &checking{lint: l, source: s, plain: s.plainText()}
	l.problems.begin(path, false)
	list, found, err := c.rows(c)
	file := faces.File{Path: path, Unread: true}
	if list != nil {
		file = faces.File{Path: path, Encoding: list.Encoding, Delimiter: list.Delimiter, HeaderLine: list.HeaderLine, PhoneColumn: list.PhoneColumn}
	}
	if list != nil {
		for _, f := range list.Notes() {
			if err := c.keep(faces.FromNote(list, f)); err != nil {
				return err
			}
		}
	}
	if found != nil {
		file.Rows, file.Recipients, file.Countries = found.In, found.Recipients, found.Countries
		if err := c.tell(found.Ended()...); err != nil {
			return err
		}
	}
	if bad := placed(err); bad != nil {
		err = c.spoilt(bad)
	}
	if err != nil {
		return listError(err)
	}
	l.files = append(l.files, file)
	return l.problems.end()
}

// rows checks the list's rows, with all that the flags hold them against.
func (c *checking) rows(to taker) (*normalize.List, *normalize.Check, error) {
	open := func() (*normalize.List, error) { return c.flags.open(c.source) }
	options := func(list *normalize.List) (o normalize.CheckOptions, err error) {
		if c.content, c.missing, err = c.flags.content(list.Header, fileSizes(c.path), localFiles(c.path)); err != nil {
			return o, err
		}
		o = c.flags.checkOptions(c.content, c.suppressed)
		o.Several = c.content != nil && c.content.HasColumns()
		o.Limits, o.Tier = c.limits, c.tier
		return o, nil
	}
	return c.source.check(open, options, to)
}

// begin forgets the round before, if there was one, and tells what concerns the list as a whole.
func (c *checking) begin(list *normalize.List) error {
	c.list = list
	if c.rounds++; c.rounds > 1 {
		c.problems.begin(c.path, true)
	}
	if len(c.missing) == 0 {
		return nil
	}
	f := normalize.Found("param-missing")
	f.Line, f.Message = list.HeaderLine, "no flag and no column gives "+strings.Join(c.missing, ", ")
	return c.tell(f)
}

// text is the problems of a row, as the policy grades them and as they are kept.
func (c *checking) text(text []byte, v *normalize.Verdict) []byte {
	if len(v.Findings) == 0 {
		return text
	}
	row, _ := c.pool.Get().(*[]faces.Problem)
	if row == nil {
		row = new([]faces.Problem)
	}
	*row = faces.AppendRow((*row)[:0], c.list, v)
	for _, p := range *row {
		if !c.plain {
			p.Fix = nil
		}
		if p, counts := c.policy.Apply(p); counts {
			text = appendProblem(text, &p)
		}
	}
	c.pool.Put(row)
	return text
}

// brief is the face of rows about which nothing is to be said.
func (c *checking) brief() briefFace {
	return func(text []byte, v *normalize.Verdict) ([]byte, bool) {
		return text, v.Kept && len(v.Number.Problems) == 0
	}
}

// write keeps the problems of a batch's rows.
func (c *checking) write(b *normalize.Batch) error {
	all := func(int) bool { return true }
	for i := 0; i < b.Rows(); {
		var text []byte
		if text, i = b.Joined(i, all); len(text) > 0 {
			if err := c.problems.write(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell keeps findings about the list as a whole.
func (c *checking) tell(found ...normalize.Finding) error {
	for _, f := range found {
		if err := c.keep(faces.From(c.path, f)); err != nil {
			return err
		}
	}
	return nil
}

// keep keeps a problem as the policy grades it.
func (c *checking) keep(p faces.Problem) error {
	p, counts := c.policy.Apply(p)
	if !counts {
		return nil
	}
	return c.problems.add(p)
}

// spoilt keeps the reason why a list, or the rest of it, cannot be read.
func (c *checking) spoilt(e *listlines.FileError) error {
	f := normalize.Finding{Rule: e.Rule, Severity: normalize.Error, Line: e.Line, Column: e.Column, Char: e.Char, Message: e.Msg}
	if e.Line > 0 && !errors.Is(e, normalize.ErrNoPhoneColumn) && !errors.Is(e, normalize.ErrAmbiguousPhoneColumn) {
		c.out.Warn("%s: nothing after line %d was read", c.path, e.Line)
	}
	if e.Hint != "" {
		c.out.Hint("%s", e.Hint)
	}
	return c.tell(f)
}
