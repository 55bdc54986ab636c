package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	housePath = "github.com/wactl/wactl"
	houseRoot = ".." // this test runs in cmd
)

// The sizes that keep a room readable in one sitting.
const (
	longestFunc   = 80 // lines
	longFunc      = 50 // at most one function in twenty is longer
	medianFunc    = 10
	longFile      = 400 // at most one file in twenty is longer
	exportedNames = 40  // in one package
	oneIn         = 20
)

// anyRoom stands for every room of the house.
const anyRoom = "*"

// room is what one package may import. A room that is not built yet may stand here.
type room struct {
	own   []string // rooms, "*" for every one
	third []string // modules
}

const (
	modCobra        = "github.com/spf13/cobra"
	modPflag        = "github.com/spf13/pflag"
	modTOML         = "github.com/BurntSushi/toml"
	modSys          = "golang.org/x/sys"
	modTerm         = "golang.org/x/term"
	modText         = "golang.org/x/text"
	modLipgloss     = "github.com/charmbracelet/lipgloss"
	modTablewriter  = "github.com/olekukonko/tablewriter"
	modProgressbar  = "github.com/schollz/progressbar/v3"
	modPhonenumbers = "github.com/nyaruka/phonenumbers"
	modExcelize     = "github.com/xuri/excelize/v2"
	modCompress     = "github.com/klauspost/compress"
	modSQLite       = "modernc.org/sqlite"
	modCmp          = "github.com/google/go-cmp"
)

// providerRoom is what each way to send a message may import.
var providerRoom = room{own: []string{"campaign", "campaign/wire", "campaign/outcome", "campaign/template"}}

// readerRoom is a provider that can also tell about numbers and templates.
var readerRoom = room{own: append([]string{"campaign/preflight"}, providerRoom.own...)}

// rooms is the plan of the house: imports go down only. CONTRIBUTING.md shows it to people; a change goes into both.
var rooms = map[string]room{
	"":                        {own: []string{"cmd"}},
	"cmd":                     {own: []string{anyRoom}, third: []string{modCobra, modPflag, modTOML, modSys, modTerm}},
	"cmd/help":                {},
	"cmd/output":              {own: []string{"analyze/report", "normalize/report"}, third: []string{modLipgloss, modTablewriter, modProgressbar, modTerm}},
	"campaign":                {own: []string{"normalize", "normalize/largepages", "ratelimit", "campaign/outcome", "campaign/quiet", "campaign/template"}, third: []string{modSys}},
	"campaign/forecast":       {own: []string{"campaign", "campaign/quiet", "ratelimit"}},
	"campaign/approval":       {},
	"campaign/cost":           {},
	"campaign/quiet":          {own: []string{"ratelimit"}},
	"campaign/cloudapi":       readerRoom,
	"campaign/preflight":      {own: []string{"campaign/outcome", "campaign/template", "ratelimit"}},
	"campaign/media":          {},
	"campaign/vectalk":        {own: append([]string{"campaign/cloudapi", "campaign/preflight"}, providerRoom.own...)}, // one HTTP client for all who pass on to the platform
	"campaign/genuka":         {own: append([]string{"campaign/cloudapi"}, providerRoom.own...)},
	"campaign/providertest":   {own: providerRoom.own, third: []string{modCmp}}, // a suite: only tests import it
	"campaign/webhook":        {own: []string{"campaign", "campaign/wire", "campaign/outcome", "campaign/feedback", "ratelimit"}},
	"campaign/feedback":       {own: []string{"campaign", "campaign/outcome", "ratelimit"}},
	"campaign/journal":        {own: []string{"campaign", "campaign/outcome", "campaign/feedback", "campaign/template", "ratelimit"}, third: []string{modSQLite, modSys}},
	"campaign/report":         {own: []string{"campaign", "campaign/outcome", "campaign/template", "ratelimit", "analyze/report/look"}},
	"campaign/emulator":       {own: []string{"campaign/wire", "campaign/template"}},
	"campaign/wire":           {},
	"campaign/outcome":        {},
	"campaign/template":       {},
	"analyze":                 {own: []string{"ratelimit", "campaign/outcome", "normalize"}},
	"analyze/readlog":         {own: []string{"analyze", "campaign/wire", "campaign/outcome", "normalize/lines"}, third: []string{modCompress}},
	"analyze/report/pagetest": {}, // looks at pages in a browser: only tests import it
	"analyze/report/look":     {}, // the style of all pages
	"analyze/report":          {own: []string{"analyze", "analyze/report/look", "campaign/wire", "campaign/outcome", "normalize/lines"}, third: []string{modCompress}},
	"normalize":               {own: []string{"normalize/largepages", "normalize/lines", "normalize/numplan", "ratelimit", "campaign/template"}},
	"normalize/largepages":    {},
	"normalize/numplan":       {}, // only its generator and tests read the phonenumbers library
	"normalize/lines":         {third: []string{modExcelize, modText, modCompress}},
	"normalize/report":        {own: []string{"normalize"}},
	"normalize/clean":         {own: []string{"normalize"}},
	"ratelimit":               {},
}

// keptApart is what the emulator must not reach by any path: it judges the rest and so must not share their arithmetic.
var keptApart = map[string][]string{"campaign/emulator": {"ratelimit", "normalize", "campaign"}}

// topLevelNames is all that may stand beside dot files.
var topLevelNames = []string{"main.go", "cmd", "campaign", "analyze", "normalize", "ratelimit", "testdata", "README.md", "go.mod", "go.sum", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}

// listedPackage is what go list says about one package.
type listedPackage struct {
	ImportPath string
	Imports    []string // without those of tests
	Deps       []string // all of them, through others too
}

// roomOf is an import path as a room of the house, and whether it is one.
func roomOf(path string) (string, bool) {
	if path == housePath {
		return "", true
	}
	return strings.CutPrefix(path, housePath+"/")
}

// brokenImports lists what a package imports against the plan.
func brokenImports(p listedPackage, plan map[string]room, never map[string][]string) (faults []string) {
	name, _ := roomOf(p.ImportPath)
	may, known := plan[name]
	if !known {
		return []string{fmt.Sprintf("%s: no such room; rooms and what they may import stand in house_test.go and CONTRIBUTING.md", p.ImportPath)}
	}
	for _, path := range p.Imports {
		to, ours := roomOf(path)
		first, _, _ := strings.Cut(path, "/")
		switch {
		case ours && !slices.Contains(may.own, to) && !slices.Contains(may.own, anyRoom):
			faults = append(faults, fmt.Sprintf("%q may not import %q: imports go down only", name, to))
		case !ours && strings.Contains(first, ".") && !slices.ContainsFunc(may.third, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") }):
			faults = append(faults, fmt.Sprintf("%q may not import %s", name, path))
		}
	}
	for _, path := range p.Deps {
		if to, ours := roomOf(path); ours && slices.Contains(never[name], to) {
			faults = append(faults, fmt.Sprintf("%q reaches %q through another room", name, to))
		}
	}
	return faults
}

func TestImportsGoDownOnly(t *testing.T) {
	packages := goList(t)
	for _, p := range packages {
		for _, fault := range brokenImports(p, rooms, keptApart) {
			t.Error(fault)
		}
	}
	if len(packages) < 3 {
		t.Errorf("go list shows %d packages; the test looks at the wrong place", len(packages))
	}
}

// The check itself must find what it is there for.
func TestBrokenImportsAreFound(t *testing.T) {
	tests := []struct {
		name string
		p    listedPackage
		want string
	}{
		{"fine", listedPackage{ImportPath: housePath + "/campaign", Imports: []string{"time", housePath + "/ratelimit"}}, ""},
		{"a module's own folder", listedPackage{ImportPath: housePath + "/cmd/output", Imports: []string{modTablewriter + "/tw"}}, ""},
		{"unknown room", listedPackage{ImportPath: housePath + "/internal"}, "no such room"},
		{"upwards", listedPackage{ImportPath: housePath + "/ratelimit", Imports: []string{housePath + "/campaign"}}, `"ratelimit" may not import "campaign"`},
		{"stranger", listedPackage{ImportPath: housePath + "/ratelimit", Imports: []string{"golang.org/x/time/rate"}}, "may not import golang.org/x/time/rate"},
		{"numbering plans come from tables", listedPackage{ImportPath: housePath + "/normalize/numplan", Imports: []string{modPhonenumbers}}, "may not import"},
		{"look-alike", listedPackage{ImportPath: housePath + "/cmd", Imports: []string{modCobra + "ra/x"}}, "may not import"},
		{"by another room", listedPackage{ImportPath: housePath + "/campaign/emulator", Deps: []string{housePath + "/ratelimit"}}, `"campaign/emulator" reaches "ratelimit"`},
	}
	for _, tt := range tests {
		got := strings.Join(brokenImports(tt.p, rooms, keptApart), "; ")
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func goList(t *testing.T) (all []listedPackage) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports,Deps", "./...")
	c.Dir = houseRoot
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("the go command is not in PATH")
	}
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestTopLevelIsFixed(t *testing.T) {
	c := exec.CommandContext(t.Context(), "git", "ls-files")
	c.Dir = houseRoot
	out, err := c.Output()
	if err != nil {
		t.Skipf("not a git checkout: %v", err)
	}
	if len(out) == 0 {
		t.Skip("git tracks nothing yet")
	}
	for name := range strings.Lines(string(out)) {
		top, _, _ := strings.Cut(strings.TrimSpace(name), "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(topLevelNames, top) {
			t.Errorf("%s: the top level holds %s and dot files only", top, strings.Join(topLevelNames, ", "))
		}
	}
}

// sourceFile is what one file of Go adds to the sizes.
type sourceFile struct {
	path    string
	lines   int
	funcs   map[string]int // lines by name; none of a test's, whose tables may be long
	exports []string       // top-level names without methods
}

func TestSizes(t *testing.T) {
	sources := readSources(t)
	var lengths []int
	exports := map[string]int{}
	longFiles := 0
	for _, s := range sources {
		for name, n := range s.funcs {
			if lengths = append(lengths, n); n > longestFunc {
				t.Errorf("%s: %s has %d lines; at most %d are allowed: look for the second idea", s.path, name, n, longestFunc)
			}
		}
		if s.lines > longFile {
			longFiles++
			t.Logf("%s has %d lines", s.path, s.lines)
		}
		exports[filepath.Dir(s.path)] += len(s.exports)
	}
	if longFiles*oneIn > len(sources) {
		t.Errorf("%d of %d files have over %d lines; one in %d may", longFiles, len(sources), longFile, oneIn)
	}
	for _, name := range slices.Sorted(maps.Keys(exports)) {
		if exports[name] > exportedNames {
			t.Errorf("%s exports %d names; at most %d are allowed", name, exports[name], exportedNames)
		}
	}
	checkLengths(t, lengths)
}

func checkLengths(t *testing.T, lengths []int) {
	t.Helper()
	if len(lengths) == 0 {
		t.Fatal("no functions found; the test looks at the wrong place")
	}
	slices.Sort(lengths)
	if median := lengths[len(lengths)/2]; median > medianFunc {
		t.Errorf("the median function has %d lines; %d are wanted", median, medianFunc)
	}
	if n := lengths[len(lengths)*(oneIn-1)/oneIn]; n > longFunc {
		t.Errorf("one function in %d has %d lines or more; %d are wanted", oneIn, n, longFunc)
	}
}

// readSources reads all Go files that people wrote.
func readSources(t *testing.T) (all []sourceFile) {
	t.Helper()
	err := filepath.WalkDir(houseRoot, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if !ast.IsGenerated(f) {
			all = append(all, measureFile(files, path, f))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func measureFile(files *token.FileSet, path string, f *ast.File) sourceFile {
	s := sourceFile{path: path, lines: files.File(f.FileStart).LineCount(), funcs: map[string]int{}}
	if strings.HasSuffix(path, "_test.go") {
		return s
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			at := files.Position(d.Pos())
			s.funcs[fmt.Sprintf("%s (line %d)", d.Name.Name, at.Line)] = files.Position(d.End()).Line - at.Line + 1
			if d.Recv == nil {
				s.export(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.export(spec.Name)
				case *ast.ValueSpec:
					s.export(spec.Names...)
				}
			}
		}
	}
	return s
}

// export counts those of names that other packages see.
func (s *sourceFile) export(names ...*ast.Ident) {
	for _, name := range names {
		if name.IsExported() {
			s.exports = append(s.exports, name.Name)
		}
	}
}
