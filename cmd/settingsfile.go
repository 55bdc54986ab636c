package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/BurntSushi/toml"
)

// settingsFileName is the name of both settings files.
const settingsFileName = ".wactl.toml"

// keyRule says where a key may not be set.
type keyRule int

const (
	notInFolder keyRule = iota + 1 // not by the file of the current folder: a folder may come from a stranger
	flagOnly                       // on the command line only: approval is given once, not for ever
)

// keyRules are the keys that not every source may set.
var keyRules = map[string]keyRule{
	"base-url":          notInFolder,
	"provider":          notInFolder,
	"api-path":          notInFolder, // where the token goes
	"token-file":        notInFolder,
	"app-secret-file":   notInFolder, // whose webhooks are believed
	"verify-token-file": notInFolder,
	"media-root":        notInFolder, // which files may leave this machine
	"fetch-media":       notInFolder, // which addresses are called from it
	"forward":           notInFolder, // where people's messages go
	"test-to":           notInFolder, // as does this
	"webhook":           notInFolder,
	"update":            notInFolder, // what changed is for the user to look at
	"state":             notInFolder,
	"log":               notInFolder,
	"metrics":           notInFolder,
	"listen":            notInFolder,
	"journal":           notInFolder, // a file that is written to
	"report":            notInFolder, // as are these
	"rejects":           notInFolder,
	"output":            notInFolder,
	"write-baseline":    notInFolder,
	"plan":              notInFolder, // dry-run writes it
	"html":              notInFolder,

	"yes":              flagOnly,
	"force":            flagOnly,
	"resend-uncertain": flagOnly,
	"allow-skipped":    flagOnly,
	"take-over":        flagOnly,
	"fix":              flagOnly, // it writes into the user's list
}

// numberKeys are the keys of a [numbers.NAME] table and the flag that each stands for.
var numberKeys = map[string]string{
	"id":          "phone-number-id",
	"provider":    "provider",
	"mps":         "mps",
	"portfolio":   "portfolio",
	"token-file":  "token-file",
	"coexistence": "coexistence",
}

// entry is one value of a settings file and the line it stands on, from 1.
type entry struct {
	values []string // more than one only for a list
	line   int
}

// settingsFile is what one .wactl.toml says.
type settingsFile struct {
	path     string
	keys     map[string]entry            // for every command
	commands map[string]map[string]entry // for one command, by its name
	numbers  map[string]map[string]entry // by number name, then by flag name
}

// catalogue is what a settings file may speak of: the commands, and the flags of each.
type catalogue map[string]map[string]bool

// flags are the flags of all commands.
func (k catalogue) flags() map[string]bool {
	all := map[string]bool{}
	for _, of := range k {
		maps.Copy(all, of)
	}
	return all
}

// fileReader reads one settings file into f.
type fileReader struct {
	f      *settingsFile
	folder bool // it is the current folder's file
	md     toml.MetaData
	known  catalogue
}

// parseSettings reads the text of a settings file; folder says that it is the current folder's. Every error names path, line and key.
func parseSettings(path string, text []byte, known catalogue, folder bool) (*settingsFile, error) {
	f := &settingsFile{path: path, keys: map[string]entry{}, commands: map[string]map[string]entry{}, numbers: map[string]map[string]entry{}}
	var top map[string]toml.Primitive
	md, err := toml.Decode(string(text), &top)
	if e, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, unusable("see `wactl help config`", "%s:%d: %s", path, e.Position.Line, e.Message)
	}
	if err != nil {
		return nil, unusable("see `wactl help config`", "%s: %w", path, err)
	}
	r := &fileReader{f: f, folder: folder, md: md, known: known}
	for _, name := range slices.Sorted(maps.Keys(top)) {
		if err := r.top(name, top[name]); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// top reads one key or table of the file's top level.
func (r *fileReader) top(name string, p toml.Primitive) error {
	switch _, isTable := r.tableOf(p); {
	case !isTable:
		return r.keysInto(r.f.keys, map[string]toml.Primitive{name: p}, r.known.flags(), "")
	case name == "numbers":
		return r.numbers(p)
	case r.known[name] != nil:
		r.f.commands[name] = map[string]entry{}
		return r.table(r.f.commands[name], p, r.known[name], "["+name+"] ")
	}
	tables := append(slices.Collect(maps.Keys(r.known)), "numbers")
	slices.Sort(tables)
	return unusable(cmp.Or(didYouMean(name, tables), "a table is a command's name, or numbers.NAME"),
		"%s:%d: unknown table [%s]", r.f.path, r.line(p), name)
}

func (r *fileReader) table(into map[string]entry, p toml.Primitive, known map[string]bool, where string) error {
	keys, ok := r.tableOf(p)
	if !ok {
		return unusable("see `wactl help config`", "%s:%d: %sis no table", r.f.path, r.line(p), where)
	}
	return r.keysInto(into, keys, known, where)
}

func (r *fileReader) keysInto(into map[string]entry, keys map[string]toml.Primitive, known map[string]bool, where string) error {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		place := fmt.Sprintf("%s:%d: %s", r.f.path, r.line(keys[key]), where)
		if err := r.allowed(place, key); err != nil {
			return err
		}
		if !known[key] {
			names := slices.Sorted(maps.Keys(known))
			return unusable(cmp.Or(didYouMean(key, names), "keys are the long names of flags; `wactl config` lists them"), "%sunknown key %q", place, key)
		}
		values, err := r.values(keys[key])
		if err != nil {
			return unusable("", "%s%s %w", place, key, err)
		}
		into[key] = entry{values: values, line: r.line(keys[key])}
	}
	return nil
}

// allowed refuses keys that this file may not set.
func (r *fileReader) allowed(place, key string) error {
	switch rule := keyRules[key]; {
	case rule == flagOnly:
		return unusable("say --"+key+" when you run the command", "%s%s is a flag only; no file may set it", place, key)
	case rule == notInFolder && r.folder:
		return unusable(fmt.Sprintf("a folder may come from anyone: use --%s, %s, or the %s of your configuration folder", key, envName(key), settingsFileName),
			"%s%s may not be set by the current folder's file", place, key)
	}
	return nil
}

// numbers reads the [numbers.NAME] tables; their keys become the names of the flags they stand for.
func (r *fileReader) numbers(p toml.Primitive) error {
	tables, _ := r.tableOf(p)
	known := map[string]bool{}
	for key := range numberKeys {
		known[key] = true
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		keys := map[string]entry{}
		if err := r.table(keys, tables[name], known, "[numbers."+name+"] "); err != nil {
			return err
		}
		r.f.numbers[name] = map[string]entry{}
		for key, e := range keys {
			r.f.numbers[name][numberKeys[key]] = e
		}
	}
	return nil
}

// tableOf is a table's keys; ok is false for any other value. The decoder alone would take a number for an empty table.
func (r *fileReader) tableOf(p toml.Primitive) (keys map[string]toml.Primitive, ok bool) {
	var v any
	if err := r.md.PrimitiveDecode(p, &v); err != nil {
		return nil, false
	}
	if _, ok = v.(map[string]any); !ok {
		return nil, false
	}
	err := r.md.PrimitiveDecode(p, &keys)
	return keys, err == nil
}

// unreadable is a value that no text can become: the decoder's refusal tells the line of a key, which nothing else does.
type unreadable struct{}

func (*unreadable) UnmarshalTOML(any) error { return errors.New("only its place is wanted") }

// line is where p stands, from 1. A table that only its sub-tables imply stands where the first of them does.
func (r *fileReader) line(p toml.Primitive) int {
	e, ok := errors.AsType[toml.ParseError](r.md.PrimitiveDecode(p, &unreadable{}))
	if ok && e.Position.Line > 0 {
		return e.Position.Line
	}
	first := 0
	inner, _ := r.tableOf(p)
	for _, sub := range inner {
		if line := r.line(sub); first == 0 || line < first {
			first = line
		}
	}
	return max(1, first)
}

// values is a TOML value as the texts that a flag takes.
func (r *fileReader) values(p toml.Primitive) ([]string, error) {
	var v any
	if err := r.md.PrimitiveDecode(p, &v); err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	texts := make([]string, len(list))
	for i, one := range list {
		switch one := one.(type) {
		case string:
			texts[i] = one
		case int64:
			texts[i] = strconv.FormatInt(one, 10)
		case float64:
			texts[i] = strconv.FormatFloat(one, 'g', -1, 64)
		case bool:
			texts[i] = strconv.FormatBool(one)
		case time.Time:
			texts[i] = one.Format(time.RFC3339)
		default:
			return nil, errors.New("is neither a text, a number, true, false nor a list of them")
		}
	}
	return texts, nil
}
