package report

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/normalize/lines"
)

// block is a fenced block of a page: the words after its fence and its text.
type block struct {
	words []string
	text  string
}

var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

func blocksOf(page string) (all []block) {
	for _, m := range fence.FindAllStringSubmatch(page, -1) {
		all = append(all, block{strings.Fields(m[1]), m[2]})
	}
	return all
}

// flag is the value of a word NAME=VALUE, or NAME itself for one without a value.
func (b block) flag(name string) string {
	for _, w := range b.words {
		if n, value, ok := strings.Cut(w, "="); n == name && ok {
			return value
		} else if w == name {
			return name
		}
	}
	return ""
}

// list is the bytes that a block stands for. Its words say what plain text can't show.
func (b block) list(t *testing.T) []byte {
	t.Helper()
	text := strings.TrimSuffix(b.text, "\n")
	if n, err := strconv.Atoi(b.flag("fill")); err == nil {
		text = strings.ReplaceAll(text, "…", strings.Repeat("a", n))
	}
	if b.flag("escaped") != "" {
		text = unescape(t, text)
	}
	if b.flag("eol") == "cr" {
		text = strings.ReplaceAll(text, "\n", "\r")
	}
	if b.flag("bytes") == "windows-1252" {
		var narrow []byte
		for _, r := range text {
			narrow = append(narrow, byte(r)) // the same for the letters of the examples
		}
		return narrow
	}
	if b.flag("xlsx") != "" {
		return b.workbook(t)
	}
	return []byte(text)
}

// unescape reads \x00, \u202a and \t as Go does.
func unescape(t *testing.T, text string) string {
	t.Helper()
	s, err := strconv.Unquote(`"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// workbook makes sheets of a block: [name] begins one, a cell that starts with = is a formula, one like 2012-11-06 a date.
func (b block) workbook(t *testing.T) []byte {
	t.Helper()
	x := excelize.NewFile()
	style, err := x.NewStyle(&excelize.Style{NumFmt: 14})
	if err != nil {
		t.Fatal(err)
	}
	sheet, row := "", 0
	for line := range strings.Lines(b.text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			sheet, row = strings.Trim(line, "[]"), 0
			if _, err := x.NewSheet(sheet); err != nil {
				t.Fatal(err)
			}
			continue
		}
		row++
		for i, cell := range strings.Split(line, ",") {
			setCell(t, x, style, sheet, i+1, row, cell)
		}
	}
	if err := x.DeleteSheet("Sheet1"); err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.Atoi(b.flag("hidden")); err == nil {
		if err := x.SetRowVisible(sheet, n, false); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := x.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func setCell(t *testing.T, x *excelize.File, dateStyle int, sheet string, column, row int, cell string) {
	t.Helper()
	at, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		t.Fatal(err)
	}
	day, notDay := time.Parse(time.DateOnly, cell)
	switch {
	case strings.HasPrefix(cell, "="):
		err = x.SetCellFormula(sheet, at, cell[1:])
	case notDay == nil:
		err = errors.Join(x.SetCellValue(sheet, at, day), x.SetCellStyle(sheet, at, at, dateStyle))
	default:
		err = x.SetCellStr(sheet, at, cell)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// found are the rules that lint finds in a block's list. templateText is the page's template, if it has one.
func (b block) found(t *testing.T, templateText string) (rules []string) {
	t.Helper()
	list := b.list(t)
	l, err := normalize.Open("list.csv", bytes.NewReader(list), normalize.Options{Region: b.flag("region")})
	if rule, refused := refusal(err); refused {
		return []string{rule}
	}
	if err != nil {
		t.Fatal(err)
	}
	o, rule := b.checks(t, l, templateText)
	if rule != "" {
		return []string{rule}
	}
	c := l.Check(o)
	for v, err := range c.Rows() {
		if rule, refused := refusal(err); refused {
			rules = append(rules, rule)
		} else if err != nil {
			t.Fatal(err)
		}
		for _, p := range FromRow(l, v) {
			rules = append(rules, p.Rule)
		}
	}
	for _, f := range slices.Concat(c.Ended(), l.Notes()) {
		rules = append(rules, f.Rule)
	}
	return rules
}

// refusal is the rule by which a whole list was refused.
func refusal(err error) (rule string, refused bool) {
	if e, ok := errors.AsType[*lines.FileError](err); ok && e.Rule != "" {
		return e.Rule, true
	}
	return "", false
}

// exampleNow is the instant of the examples.
var exampleNow = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// checks are the options that a block's words stand for, or the rule by which its content is refused.
func (b block) checks(t *testing.T, l *normalize.List, templateText string) (o normalize.CheckOptions, rule string) {
	t.Helper()
	o = normalize.CheckOptions{Several: b.flag("several") != "", Now: exampleNow}
	if n, err := strconv.Atoi(b.flag("tier")); err == nil {
		o.Tier, o.Limits = n, true
	}
	if n := b.flag("suppress"); n != "" {
		digits, err := strconv.ParseUint(n, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		o.Suppressed = &normalize.Suppressions{}
		o.Suppressed.Add(digits, "optouts.csv", 2)
	}
	spec := template.Spec{FileSize: b.fileSize}
	if templateText != "" {
		parsed, err := template.Parse([]byte(templateText))
		if err != nil {
			t.Fatal(err)
		}
		spec.Template, spec.File, spec.Language = parsed.Name, &parsed, parsed.Language
	}
	if key, column, ok := strings.Cut(b.flag("param"), "="); ok {
		spec.Params = map[string]string{key: strings.ReplaceAll(column, "_", " ")}
	}
	if key, value, ok := strings.Cut(b.flag("default"), "="); ok {
		spec.Defaults = map[string]string{key: unescape(t, value)}
	}
	if templateText != "" || b.flag("content") != "" {
		content, err := template.NewContent(spec, l.Header)
		if rule := refusedContent(err); rule != "" {
			return o, rule
		}
		if err != nil {
			t.Fatal(err)
		}
		o.Content = content
	}
	return o, ""
}

// fileSize knows the one file of a block, which its word file=NAME:BYTES describes.
func (b block) fileSize(path string) (int64, bool) {
	name, bytes, _ := strings.Cut(b.flag("file"), ":")
	size, err := strconv.ParseInt(bytes, 10, 64)
	return size, err == nil && name == path
}

// refusedContent is the rule by which the content of a whole campaign was refused, empty for none: it speaks the rule's words.
func refusedContent(err error) string {
	e, ok := errors.AsType[*template.Error](err)
	if !ok {
		return ""
	}
	if len(e.Missing) > 0 {
		return "param-missing"
	}
	for _, r := range normalize.Rules() {
		if r.Says == e.Message {
			return r.Name
		}
	}
	return ""
}

// TestPages runs the examples of every page: the bad one is reported by its rule, the good one is not.
func TestPages(t *testing.T) {
	used := map[string]bool{}
	for _, r := range normalize.Rules() {
		used[r.Name] = true
		if _, ok := Page(r.Name); !ok {
			t.Errorf("%s has no page in rules", r.Name)
		}
	}
	if len(Pages()) < len(used) || len(used) == 0 {
		t.Errorf("%d pages for %d rules", len(Pages()), len(used))
	}
	for _, rule := range Pages() {
		t.Run(rule, func(t *testing.T) {
			page, _ := Page(rule)
			checkPage(t, rule, page)
			if !used[rule] {
				t.Skip("no rule in use has this name yet")
			}
			templateText := ""
			for _, b := range blocksOf(page) {
				switch {
				case slices.Contains(b.words, "template"):
					templateText = b.text
				case slices.Contains(b.words, "bad"):
					if found := b.found(t, templateText); !slices.Contains(found, rule) {
						t.Errorf("the bad example gives %v", found)
					}
				case slices.Contains(b.words, "good"):
					if found := b.found(t, templateText); slices.Contains(found, rule) {
						t.Errorf("the good example gives %v", found)
					}
				}
			}
		})
	}
}

// checkPage holds a page against the form that all pages have.
func checkPage(t *testing.T, rule, page string) {
	t.Helper()
	if !strings.HasPrefix(page, "# "+rule+"\n\n") || !strings.Contains(page, "\n\nWhy it matters: ") {
		t.Error("a page starts with its rule as title, says what it means, and then why it matters")
	}
	if m := Meaning(rule); m == "" || len(m) > 200 || strings.Contains(m, "`") {
		t.Errorf("meaning %q", m)
	}
	kinds := map[string]int{}
	for _, b := range blocksOf(page) {
		for _, kind := range []string{"bad", "good"} {
			if slices.Contains(b.words, kind) {
				kinds[kind]++
			}
		}
	}
	if kinds["bad"] != 1 || kinds["good"] != 1 {
		t.Errorf("examples %s: one bad and one good are wanted", fmt.Sprint(kinds))
	}
}
