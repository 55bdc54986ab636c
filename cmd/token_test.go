package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/cmd/output"
)

const secretWord = "EAAsecretEAA"

// tokenCommand is a command with --token-file and an app with an environment of its own.
func tokenCommand(env map[string]string, stdin string) (*app, *cobra.Command, *bytes.Buffer) {
	var told bytes.Buffer
	a := &app{origins: origins{}, out: output.New(strings.NewReader(stdin), &told, &told, output.Options{})}
	a.sources = sources{env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	c := &cobra.Command{Use: "send"}
	c.Flags().String("token-file", "", "")
	return a, c, &told
}

func TestTokenSources(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("\n from-file \r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"WACTL_TOKEN": "own", "WHATSAPP_TOKEN": "other", "GENUKA_WA_API_KEY": "genuka"}
	for name, c := range map[string]struct {
		file        string
		level       level
		env         map[string]string
		token, from string
	}{
		"flag over all":             {file, fromFlag, all, "from-file", file},
		"file's variable over all":  {file, fromEnv, all, "from-file", file},
		"own variable over setting": {file, fromFile, all, "own", "WACTL_TOKEN"},
		"number's file":             {file, fromNumber, map[string]string{"WHATSAPP_TOKEN": "other"}, "from-file", file},
		"setting over others":       {file, fromFile, map[string]string{"WHATSAPP_TOKEN": "other"}, "from-file", file},
		"other tool":                {"", "", map[string]string{"WHATSAPP_TOKEN": "other", "GENUKA_WA_API_KEY": "genuka"}, "other", "WHATSAPP_TOKEN"},
		"last":                      {"", "", map[string]string{"GENUKA_WA_API_KEY": "genuka\n"}, "genuka", "GENUKA_WA_API_KEY"},
		"stdin":                     {"-", fromFlag, all, "from-stdin", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			a, command, _ := tokenCommand(c.env, "from-stdin\n")
			if c.file != "" {
				f := command.Flags().Lookup("token-file")
				if err := f.Value.Set(c.file); err != nil {
					t.Fatal(err)
				}
				a.origins[f] = origin{level: c.level, where: "x"}
			}
			token, from, err := a.token(command)
			if err != nil || token != c.token || from != c.from {
				t.Errorf("token %q from %q, %v; want %q from %q", token, from, err, c.token, c.from)
			}
		})
	}
}

func TestTokenErrorsKeepTheSecret(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"none":        {},
		"only spaces": {"WACTL_TOKEN": "  "},
		"two lines":   {"WACTL_TOKEN": secretWord + "\n" + secretWord},
		"control":     {"WACTL_TOKEN": secretWord + "\x1b"},
	} {
		a, command, told := tokenCommand(env, "")
		token, _, err := a.token(command)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if v := judge(err); v.exit != exitUnusable || len(v.hints) == 0 {
			t.Errorf("%s: exit %d, hints %v", name, v.exit, v.hints)
		}
		if strings.Contains(err.Error()+told.String()+token, "secret") {
			t.Errorf("%s: the secret is in %q", name, err)
		}
	}
}
