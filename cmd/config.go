package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// configReport is the result of `wactl config`.
type configReport struct {
	Version int           `json:"version"`
	Files   []configFile  `json:"files"`
	Values  []configValue `json:"values"`
	Token   configToken   `json:"token"`
	Numbers []string      `json:"numbers"`
	Unknown []string      `json:"unknown_variables"` // WACTL_… variables that are nothing's
}

type configFile struct {
	Path string `json:"path"`
	Read bool   `json:"read"` // false where there is none
}

// configValue is one flag's value for the commands that have the flag.
type configValue struct {
	Key      string   `json:"key"`
	Value    any      `json:"value"` // null where nothing is set
	Level    level    `json:"level"`
	From     *string  `json:"from"` // flag, variable, or file and line; null for a default
	Commands []string `json:"commands"`
	text     string
}

// configToken says where the access token is from, never what it is.
type configToken struct {
	Set  bool    `json:"set"`
	From *string `json:"from"`
}

func newConfig(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Show each setting's value and where it came from",
		Long: "Shows the value that each flag would have, and where it came from: the command\n" +
			"line, the environment, a settings file or the default. Secrets are never shown.",
		Example: "  wactl config\n  WACTL_MPS=20 wactl config --format json",
		GroupID: groupSetup,
		Args:    noArgs,
	}
	format := formatFlag(c)
	c.Flags().String("number", "", "show the settings as this number of a [numbers.`NAME`] table would have them")
	c.RunE = func(c *cobra.Command, _ []string) error {
		r, err := a.config(c)
		if err != nil {
			return err
		}
		return a.show(format, r, func() { a.showConfig(r) })
	}
	return c
}

// config collects the settings of every command, as they would be if it ran now.
func (a *app) config(c *cobra.Command) (configReport, error) {
	r := configReport{Version: 1, Files: a.configFiles(), Values: []configValue{}, Numbers: []string{}, Unknown: a.unknownVariables(c.Root())}
	for _, f := range a.sources.files {
		for name := range f.numbers {
			r.Numbers = append(r.Numbers, name)
		}
	}
	slices.Sort(r.Numbers)
	r.Numbers = slices.Compact(r.Numbers)
	number := c.Flags().Lookup("number")
	for _, sub := range c.Root().Commands() {
		if !readsSettings(sub) {
			continue
		}
		if f := sub.Flags().Lookup("number"); f != nil && f != number && number.Changed {
			f.Changed = true
			a.origins[f] = a.origins.of(number)
			_ = f.Value.Set(number.Value.String()) // a text takes any text
		}
		if err := a.sources.apply(sub, a.origins); err != nil {
			return r, err
		}
		eachFlag(sub, func(f *pflag.Flag) { r.add(sub, f, a.origins.of(f)) })
		if source := a.tokenFrom(sub); source.set() && !r.Token.Set {
			r.Token = configToken{Set: true, From: new(tokenPlace(source))}
		}
	}
	slices.SortStableFunc(r.Values, func(x, y configValue) int { return strings.Compare(x.Key, y.Key) })
	return r, nil
}

func tokenPlace(t tokenSource) string {
	if t.file == "" {
		return t.variable
	}
	return t.file + ", named by " + t.from.String()
}

// add notes a flag's value; commands for which it is the same share one row.
func (r *configReport) add(c *cobra.Command, f *pflag.Flag, o origin) {
	v := configValue{Key: f.Name, Value: valueOf(f), Level: o.level, text: f.Value.String(), Commands: []string{c.Name()}}
	if o.where != "" {
		v.From = new(o.where)
	}
	for i, other := range r.Values {
		if other.Key == v.Key && other.text == v.text && other.Level == v.Level && sameKind(other.Value, v.Value) {
			r.Values[i].Commands = append(other.Commands, c.Name())
			return
		}
	}
	r.Values = append(r.Values, v)
}

// sameKind tells whether two values have one type in JSON: a flag may be a number for one command and a text for another.
func sameKind(a, b any) bool { return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b) }

// valueOf is a flag's value in the type that JSON has for it. An empty text is null: nothing is set.
func valueOf(f *pflag.Flag) any {
	text := f.Value.String()
	switch list, isList := f.Value.(pflag.SliceValue); {
	case isList:
		return append([]string{}, list.GetSlice()...)
	case text == "":
		return nil
	case slices.Contains([]string{"bool", "int", "int64", "uint", "uint64", "float64"}, f.Value.Type()):
		return json.RawMessage(text)
	}
	return text
}

func (a *app) configFiles() []configFile {
	folder, user := settingsPaths()
	files := []configFile{{Path: folder}}
	if user != "" {
		files = append(files, configFile{Path: user})
	}
	for i := range files {
		files[i].Read = slices.ContainsFunc(a.sources.files, func(f *settingsFile) bool { return f.path == files[i].Path })
	}
	return files
}

// unknownVariables are variables that look like settings and are none: most likely misspelt.
func (a *app) unknownVariables(root *cobra.Command) []string {
	known := map[string]bool{tokenVariable: true, appSecretVariable: true, verifyTokenVariable: true}
	for flag := range catalogueOf(root).flags() {
		known[envName(flag)] = true
	}
	unknown := []string{}
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "WACTL_") && value != "" && !known[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}

func (a *app) showConfig(r configReport) {
	var rows [][]string
	for _, v := range r.Values {
		from := string(v.Level)
		if v.From != nil {
			from = *v.From
		}
		rows = append(rows, []string{v.Key, firstLine(v.text), from, strings.Join(v.Commands, " ")})
	}
	token := []string{"token", "-", "not set", ""}
	if r.Token.Set {
		token = []string{"token", "set", *r.Token.From, ""}
	}
	a.out.Table([]string{"key", "value", "from", "used by"}, append(rows, token))
	a.out.Line("")
	for _, f := range r.Files {
		state := "not there"
		if f.Read {
			state = "read"
		}
		a.out.Line("file %s: %s", f.Path, state)
	}
	if len(r.Numbers) > 0 {
		a.out.Line("numbers: %s", strings.Join(r.Numbers, ", "))
	}
	for _, name := range r.Unknown {
		a.out.Warn("%s is set, but no flag has that name", name)
	}
}

// firstLine is a value as a table cell; a dash stands for nothing.
func firstLine(text string) string {
	if text == "" || text == "[]" {
		return "-"
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}
