package cmd

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sendTree is a root with one command that has the flags settings know most about.
func sendTree() (root, send *cobra.Command) {
	root = &cobra.Command{Use: "wactl"}
	root.PersistentFlags().Bool("quiet", false, "")
	send = &cobra.Command{Use: "send", Run: func(*cobra.Command, []string) {}}
	f := send.Flags()
	f.String("number", "", "")
	f.String("phone-number-id", "", "")
	f.String("token-file", "", "")
	f.Int("mps", 80, "")
	f.Bool("coexistence", false, "")
	f.Bool("yes", false, "")
	f.Duration("latency", time.Second, "")
	f.StringArray("param", []string{"default"}, "")
	f.StringSlice("only", nil, "")
	root.AddCommand(send)
	return root, send
}

// settled is each flag's value and origin as "value from origin", defaults left out.
func settled(t *testing.T, args []string, env map[string]string, folder, user string) (map[string]string, error) {
	t.Helper()
	root, send := sendTree()
	s := sources{env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	for _, file := range []struct {
		path, text string
		folder     bool
	}{{".wactl.toml", folder, true}, {"user.toml", user, false}} {
		f, err := parseSettings(file.path, []byte(file.text), catalogueOf(root), file.folder)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
	}
	send.InheritedFlags()
	if err := send.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	from := origins{}
	if err := s.apply(send, from); err != nil {
		return nil, err
	}
	got := map[string]string{}
	eachFlag(send, func(f *pflag.Flag) {
		if o := from.of(f); o.level != fromDefault {
			got[f.Name] = f.Value.String() + " from " + o.String()
			if !f.Changed {
				t.Errorf("%s is set but not marked as changed", f.Name)
			}
		}
	})
	return got, nil
}

func TestSettingsPrecedence(t *testing.T) {
	const number = "[numbers.shop]\nid = \"106\"\nmps = 950\ncoexistence = true\n"
	for name, c := range map[string]struct {
		args         []string
		env          map[string]string
		folder, user string
		want         map[string]string
	}{
		"nothing":        {want: map[string]string{}},
		"user":           {user: "mps = 10", want: map[string]string{"mps": "10 from user.toml:1"}},
		"folder":         {folder: "\nmps = 20", user: "mps = 10", want: map[string]string{"mps": "20 from .wactl.toml:2"}},
		"command table":  {folder: "mps = 20\n[send]\nmps = 21", want: map[string]string{"mps": "21 from .wactl.toml:3"}},
		"nearer file":    {folder: "mps = 20", user: "[send]\nmps = 11", want: map[string]string{"mps": "20 from .wactl.toml:1"}},
		"environment":    {env: map[string]string{"WACTL_MPS": "30"}, folder: "mps = 20", want: map[string]string{"mps": "30 from WACTL_MPS"}},
		"empty variable": {env: map[string]string{"WACTL_MPS": ""}, want: map[string]string{}},
		"flag": {args: []string{"--mps", "40"}, env: map[string]string{"WACTL_MPS": "30"}, folder: "mps = 20",
			want: map[string]string{"mps": "40 from --mps"}},
		"global flag":   {user: "quiet = true", want: map[string]string{"quiet": "true from user.toml:1"}},
		"list":          {folder: `param = ["body.1=a,b", "body.2=c"]`, want: map[string]string{"param": "[\"body.1=a,b\",body.2=c] from .wactl.toml:1"}},
		"one of list":   {folder: `only = "1,2"`, want: map[string]string{"only": "[1,2] from .wactl.toml:1"}},
		"types":         {folder: "latency = \"2s\"\ncoexistence = true", want: map[string]string{"latency": "2s from .wactl.toml:1", "coexistence": "true from .wactl.toml:2"}},
		"number unused": {folder: number, want: map[string]string{}},
		"number": {args: []string{"--number", "shop"}, folder: number, want: map[string]string{"number": "shop from --number",
			"phone-number-id": "106 from .wactl.toml:2", "mps": "950 from .wactl.toml:3", "coexistence": "true from .wactl.toml:4"}},
		"number over plain key": {folder: "number = \"shop\"\nmps = 20\nphone-number-id = \"1\"\n" + number,
			want: map[string]string{"number": "shop from .wactl.toml:1", "phone-number-id": "106 from .wactl.toml:5",
				"mps": "950 from .wactl.toml:6", "coexistence": "true from .wactl.toml:7"}},
		"environment over number": {args: []string{"--number", "shop"}, env: map[string]string{"WACTL_MPS": "30"}, folder: number,
			want: map[string]string{"number": "shop from --number", "phone-number-id": "106 from .wactl.toml:2", "mps": "30 from WACTL_MPS",
				"coexistence": "true from .wactl.toml:4"}},
		"folder's table hides the user's": {args: []string{"--number", "shop"}, folder: "[numbers.shop]\nid = \"1\"",
			user: "[numbers.shop]\nid = \"2\"\ntoken-file = \"secret\"",
			want: map[string]string{"number": "shop from --number", "phone-number-id": "1 from .wactl.toml:2"}},
		"user's token file": {user: "token-file = \"secret\"", want: map[string]string{"token-file": "secret from user.toml:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := settled(t, c.args, c.env, c.folder, c.user)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSettingsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		args         []string
		env          map[string]string
		folder, user string
		want         string
	}{
		"forbidden":          {folder: "mps = 1\ntoken-file = \"x\"", want: ".wactl.toml:2: token-file may not be set by"},
		"forbidden in table": {folder: "[send]\n\ntoken-file = \"x\"", want: ".wactl.toml:3: [send] token-file may not"},
		"forbidden number":   {folder: "[numbers.a]\nprovider = \"x\"", want: ".wactl.toml:2: [numbers.a] provider may not"},
		"forbidden unknown":  {folder: "metrics = \"x\"", want: ".wactl.toml:1: metrics may not"},
		"approval":           {user: "yes = true", want: "user.toml:1: yes is a flag only"},
		"approval in table":  {user: "[send]\nyes = true", want: "user.toml:2: [send] yes is a flag only"},
		"unknown":            {user: "mpss = 1", want: `user.toml:1: unknown key "mpss"`},
		"unknown table":      {user: "mps = 1\n[sned]\nmps = 1", want: "user.toml:2: unknown table [sned]"},
		"implied table":      {user: "\n[a.b]\nmps = 1", want: "user.toml:2: unknown table [a]"},
		"not a table":        {user: "send = 1", want: `user.toml:1: unknown key "send"`},
		"nested":             {user: "mps = {a = 1}", want: "user.toml:1: unknown table [mps]"},
		"list of tables":     {user: "[[send]]\nmps = 1", want: "user.toml:1: "},
		"nested list":        {user: "param = [[1]]", want: "user.toml:1: param is neither a text"},
		"bad value":          {user: "\nmps = \"many\"", want: `user.toml:2: mps cannot be "many": it is a whole number`},
		"bad number value":   {args: []string{"--number", "a"}, user: "[numbers.a]\nmps = \"many\"", want: `user.toml:2: mps cannot be "many"`},
		"bad variable":       {env: map[string]string{"WACTL_MPS": "x"}, want: `WACTL_MPS: mps cannot be "x"`},
		"no such number":     {args: []string{"--number", "shp"}, user: "[numbers.shop]", want: `no settings file has a number "shp"`},
		"two numbers": {args: []string{"--number", "a"}, env: map[string]string{"WACTL_PHONE_NUMBER_ID": "2"}, user: "[numbers.a]\nid = 1",
			want: "--number a is the number 1, but WACTL_PHONE_NUMBER_ID says 2"},
		"syntax": {user: "mps = 1\nmps = = 1", want: "user.toml:2: "},
		"twice":  {user: "mps = 1\nmps = 2", want: "user.toml:2: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := settled(t, c.args, c.env, c.folder, c.user)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Fatalf("error %v, want %s…", err, c.want)
			}
			if f, ok := errors.AsType[*Fail](err); !ok || f.Exit != exitUnusable {
				t.Errorf("%v does not end with %d", err, exitUnusable)
			}
		})
	}
}

func TestApprovalFromEnvironmentIsRefused(t *testing.T) {
	for key, rule := range keyRules {
		a := &app{env: func(name string) (string, bool) {
			if name == envName(key) {
				return "1", true
			}
			return "", false
		}}
		root, _ := sendTree()
		t.Chdir(t.TempDir())
		err := a.loadSources(root)
		if refused := err != nil && strings.HasPrefix(err.Error(), envName(key)+" is set"); refused != (rule == flagOnly) {
			t.Errorf("%s=1: %v", envName(key), err)
		}
	}
}

func FuzzParseSettings(f *testing.F) {
	for _, seed := range []string{"", "mps = 1", "[send]\nparam = [\"a\"]", "[numbers.a]\nid = 1", "a.b.c = 1", "[[x]]", "mps = 1979-05-27", "\x00", "numbers = 1"} {
		f.Add(seed, true)
	}
	root, _ := sendTree()
	known := catalogueOf(root)
	f.Fuzz(func(t *testing.T, text string, folder bool) {
		s, err := parseSettings("f", []byte(text), known, folder)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("error without its place: %v", err)
			}
			return
		}
		for key, e := range s.keys {
			if !known.flags()[key] || keyRules[key] == flagOnly || folder && keyRules[key] == notInFolder {
				t.Errorf("key %q was let through", key)
			}
			if e.line < 1 || e.line > 1+strings.Count(text, "\n") {
				t.Errorf("key %q on line %d", key, e.line)
			}
		}
	})
}
