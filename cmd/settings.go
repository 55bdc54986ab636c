package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// level is how near to the user a value was set. The levels in order of precedence: flag, environment, number, file, default.
type level string

const (
	fromFlag    level = "flag"
	fromEnv     level = "environment"
	fromNumber  level = "number" // a [numbers.NAME] table that --number chose
	fromFile    level = "file"
	fromDefault level = "default"
)

// origin is where a value came from: its level, and the flag, the variable, or file and line.
type origin struct {
	level level
	where string // empty for a default
}

func (o origin) String() string { return cmp.Or(o.where, string(o.level)) }

// origins says where the flags of a run have their values from.
type origins map[*pflag.Flag]origin

// of is where f's value is from; what nobody set is a default.
func (o origins) of(f *pflag.Flag) origin {
	return cmp.Or(o[f], origin{level: fromDefault})
}

// sources are the environment and the settings files, the current folder's before the user's.
type sources struct {
	env   func(name string) (string, bool)
	files []*settingsFile
}

// fromFolder says that f has its value from the settings file of the current folder, which may have come from anyone.
func (a *app) fromFolder(f *pflag.Flag) bool {
	o := a.origins.of(f)
	return o.level == fromFile && strings.HasPrefix(o.where, settingsFileName+":")
}

// envName is the environment variable of a flag: WACTL_PHONE_NUMBER_ID for phone-number-id.
func envName(flag string) string {
	return "WACTL_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// variable is an environment variable's value; one that is set to nothing counts as not set.
func (s sources) variable(name string) (string, bool) {
	value, _ := s.env(name)
	return value, value != ""
}

// settingsPaths are where settings files are looked for. The second is empty where the user has no configuration folder.
func settingsPaths() (folder, user string) {
	folder = settingsFileName
	dir, err := os.UserConfigDir()
	if err != nil {
		return folder, ""
	}
	return folder, filepath.Join(dir, "wactl", settingsFileName)
}

// loadSources reads both settings files. It refuses variables that stand for an approval.
func (a *app) loadSources(root *cobra.Command) error {
	a.sources = sources{env: a.env}
	for _, key := range slices.Sorted(maps.Keys(keyRules)) {
		if _, set := a.sources.variable(envName(key)); set && keyRules[key] == flagOnly {
			return unusable("unset it, and say --"+key+" when you run the command", "%s is set, but %s is a flag only", envName(key), key)
		}
	}
	known := catalogueOf(root)
	folder, user := settingsPaths()
	if !sameFile(folder, user) {
		if err := a.sources.read(folder, known, true); err != nil {
			return err
		}
	}
	return a.sources.read(user, known, false)
}

// sameFile tells whether the current folder is the user's configuration folder.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// largestSettings is far more than anybody writes by hand, in bytes.
const largestSettings = 1 << 20

// read adds the settings file at path, where there is one.
func (s *sources) read(path string, known catalogue, folder bool) error {
	if path == "" {
		return nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unusable("make it readable, or remove it", "settings file: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestSettings+1))
	if err == nil && len(text) > largestSettings {
		err = errors.New("larger than 1 MiB")
	}
	if err != nil {
		return unusable("", "settings file %s: %w", path, err)
	}
	parsed, err := parseSettings(path, text, known, folder)
	if err != nil {
		return err
	}
	s.files = append(s.files, parsed)
	return nil
}

// catalogueOf are all commands under root that can be run, and the flags of each that settings can reach.
func catalogueOf(root *cobra.Command) catalogue {
	known := catalogue{}
	for _, c := range root.Commands() {
		if !readsSettings(c) {
			continue
		}
		known[c.Name()] = map[string]bool{}
		eachFlag(c, func(f *pflag.Flag) { known[c.Name()][f.Name] = true })
	}
	return known
}

// eachFlag visits the flags of c, the global ones too, that settings can reach.
func eachFlag(c *cobra.Command, visit func(*pflag.Flag)) {
	c.InheritedFlags() // merges the global flags into c.Flags
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "version" {
			visit(f)
		}
	})
}

// apply fills every flag of c that the command line left open from the environment and the files, and notes where each value is from.
func (s sources) apply(c *cobra.Command, from origins) error {
	var failed error
	fill := func(f *pflag.Flag, number map[string]entry, table string) {
		if failed != nil || from[f] != (origin{}) {
			return
		}
		if f.Changed {
			from[f] = origin{fromFlag, "--" + f.Name}
			return
		}
		if e, o := s.lookup(c.Name(), f.Name, number, table); o.level != "" {
			failed = set(f, e, o)
			from[f] = o
		}
	}
	var number map[string]entry
	var table string
	if f := c.Flags().Lookup("number"); f != nil {
		fill(f, nil, "")
		if failed == nil {
			number, table, failed = s.number(f.Value.String())
		}
	}
	eachFlag(c, func(f *pflag.Flag) { fill(f, number, table) })
	if failed == nil {
		failed = s.oneNumber(c, from)
	}
	return failed
}

// lookup finds the value of a flag outside the command line. The origin is empty where none is set.
func (s sources) lookup(command, flag string, number map[string]entry, table string) (entry, origin) {
	if keyRules[flag] == flagOnly {
		return entry{}, origin{}
	}
	if value, ok := s.variable(envName(flag)); ok {
		return entry{values: []string{value}}, origin{fromEnv, envName(flag)}
	}
	if e, ok := number[flag]; ok {
		return e, origin{fromNumber, fmt.Sprintf("%s:%d", table, e.line)}
	}
	for _, f := range s.files {
		for _, keys := range []map[string]entry{f.commands[command], f.keys} {
			if e, ok := keys[flag]; ok {
				return e, origin{fromFile, fmt.Sprintf("%s:%d", f.path, e.line)}
			}
		}
	}
	return entry{}, origin{}
}

// number is the [numbers.NAME] table called name and its file's path. A table of the current folder hides the user's of that name.
func (s sources) number(name string) (map[string]entry, string, error) {
	if name == "" || strings.Contains(name, ",") { // a command that takes several numbers looks each of them up
		return nil, "", nil
	}
	var names []string
	for _, f := range s.files {
		if keys, ok := f.numbers[name]; ok {
			return keys, f.path, nil
		}
		names = append(names, slices.Collect(maps.Keys(f.numbers))...)
	}
	slices.Sort(names)
	return nil, "", unusable(cmp.Or(didYouMean(name, names), "write a table [numbers."+name+"] into "+settingsFileName),
		"no settings file has a number %q", name)
}

// oneNumber refuses a typed --number beside a variable that names another number: the wrong business would write to people.
func (s sources) oneNumber(c *cobra.Command, from origins) error {
	number, id := c.Flags().Lookup("number"), c.Flags().Lookup("phone-number-id")
	if number == nil || id == nil || from.of(number).level != fromFlag || from.of(id).level != fromEnv {
		return nil
	}
	table, _, err := s.number(number.Value.String())
	if err != nil || table["phone-number-id"].values == nil || slices.Equal(table["phone-number-id"].values, []string{id.Value.String()}) {
		return err
	}
	return unusable("unset "+envName(id.Name)+", or leave out --number",
		"--number %s is the number %s, but %s says %s", number.Value, table[id.Name].values[0], envName(id.Name), id.Value)
}

// set gives a flag a value from outside the command line, as if it had been typed.
func set(f *pflag.Flag, e entry, o origin) error {
	var err error
	if list, ok := f.Value.(pflag.SliceValue); ok && len(e.values) != 1 {
		err = list.Replace(e.values)
	} else {
		err = f.Value.Set(strings.Join(e.values, ","))
	}
	if err != nil {
		return valueError(o.where+": "+f.Name, f, strings.Join(e.values, ","), err, "see `wactl help config`")
	}
	f.Changed = true
	return nil
}
