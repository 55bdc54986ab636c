package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// tokenVariable is where wactl's own access token may stand.
const tokenVariable = "WACTL_TOKEN"

// otherTokenVariables are variables of other tools that are read when wactl's own settings name no token.
//
// A command with a provider reads that provider's alone: a key of one must not be shown to another.
func otherTokenVariables(c *cobra.Command) []string {
	if f := c.Flags().Lookup("provider"); f != nil {
		return slices.DeleteFunc([]string{providerOf(f.Value.String()).token}, func(name string) bool { return name == "" })
	}
	return []string{"WHATSAPP_TOKEN", "GENUKA_WA_API_KEY"}
}

// tokenSource is where the access token is to be taken from: a file, or a variable; neither when none is set.
type tokenSource struct {
	file     string
	variable string
	from     origin
}

func (t tokenSource) set() bool { return t.file != "" || t.variable != "" }

// tokenFrom finds the access token's source without reading it: --token-file of the command line or environment, WACTL_TOKEN,
// token-file of a settings file, then the variables of other tools.
func (a *app) tokenFrom(c *cobra.Command) tokenSource { return a.tokenOf(c, "") }

// tokenOf is tokenFrom for one of several numbers, whose table of the settings may name a file of its own.
func (a *app) tokenOf(c *cobra.Command, own string) tokenSource {
	var file tokenSource
	if f := c.Flags().Lookup("token-file"); f != nil && f.Value.String() != "" {
		file = tokenSource{file: f.Value.String(), from: a.origins.of(f)}
	}
	if own != "" && file.from.level != fromFlag && file.from.level != fromEnv {
		file = tokenSource{file: own, from: origin{level: fromNumber}}
	}
	if file.from.level == fromFlag || file.from.level == fromEnv {
		return file
	}
	if _, ok := a.sources.variable(tokenVariable); ok {
		return tokenSource{variable: tokenVariable, from: origin{fromEnv, tokenVariable}}
	}
	if file.set() {
		return file
	}
	for _, name := range otherTokenVariables(c) {
		if _, ok := a.sources.variable(name); ok {
			return tokenSource{variable: name, from: origin{fromEnv, name}}
		}
	}
	return tokenSource{}
}

// token is the access token for c and where it is from, in words. No error, note or report ever holds its text.
func (a *app) token(c *cobra.Command) (token, from string, err error) {
	return a.tokenIn(c, a.tokenFrom(c))
}

// tokenIn is the text of a token's source.
func (a *app) tokenIn(c *cobra.Command, source tokenSource) (token, from string, err error) {
	text := ""
	switch {
	case !source.set():
		return "", "", unusable(a.tokenHint(c), "there is no access token")
	case source.variable != "":
		text, _ = a.sources.variable(source.variable)
		from = source.variable
	default:
		from = source.file
		if text, err = a.secret(source.file); err != nil {
			return "", "", err
		}
	}
	token = strings.TrimSpace(text)
	switch {
	case token == "":
		return "", "", unusable("put the token there, or unset it", "the access token from %s is empty", from)
	case strings.ContainsFunc(token, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return "", "", unusable("it must hold the token and nothing else", "the access token from %s has a space or a control character inside", from)
	}
	return token, from, nil
}

// tokenHint says how to give a token, and whose variable is set but is not for this provider.
func (a *app) tokenHint(c *cobra.Command) string {
	hint := "set " + tokenVariable + ", or name a file with --token-file FILE (- is stdin)"
	for _, p := range providers {
		if _, set := a.sources.variable(p.token); p.token != "" && set && !slices.Contains(otherTokenVariables(c), p.token) {
			return hint + "; " + p.token + " is read with --provider " + p.name + " only"
		}
	}
	return hint
}

// largestSecret is far more than any token has, in bytes.
const largestSecret = 64 << 10

// secret is the text of a file that holds a token; "-" is stdin. It warns where others can read the file.
func (a *app) secret(path string) (string, error) {
	return a.secretFile(path, "token file", "--token-file")
}

// secretFile is the text of a file that holds a secret, called what and named by a flag; "-" is stdin. It warns where others can read the file.
func (a *app) secretFile(path, what, flag string) (string, error) {
	in := a.out.In
	name := "stdin"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", unusable("name a readable file with "+flag, "%s: %w", what, err)
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			a.out.Warn("other users of this machine can read %s (mode %04o)", path, info.Mode().Perm())
			a.out.Hint("chmod 600 %s", path)
		}
		in, name = file, path
	}
	text, err := io.ReadAll(io.LimitReader(in, largestSecret+1))
	if err == nil && len(text) > largestSecret {
		err = errors.New("larger than 64 KiB; that is no token")
	}
	if err != nil {
		return "", &Fail{Exit: exitUnusable, Err: fmt.Errorf("%s %s: %w", what, name, err)}
	}
	return string(text), nil
}
