package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// tokenVariable is where wactl's own access token may stand.
const tokenVariable = "WACTL_TOKEN"

// otherTokenVariables are variables of other tools that are read when wactl's own settings name no token.
var otherTokenVariables = []string{"WHATSAPP_TOKEN", "GENUKA_WA_API_KEY"}

// tokenSource is where the access token is to be taken from: a file, or a variable; neither when none is set.
type tokenSource struct {
	file     string
	variable string
	from     origin
}

func (t tokenSource) set() bool { return t.file != "" || t.variable != "" }

// tokenFrom finds the access token's source without reading it: --token-file of the command line or environment, WACTL_TOKEN,
// token-file of a settings file, then the variables of other tools.
func (a *app) tokenFrom(c *cobra.Command) tokenSource {
	var file tokenSource
	if f := c.Flags().Lookup("token-file"); f != nil && f.Value.String() != "" {
		file = tokenSource{file: f.Value.String(), from: a.origins.of(f)}
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
	for _, name := range otherTokenVariables {
		if _, ok := a.sources.variable(name); ok {
			return tokenSource{variable: name, from: origin{fromEnv, name}}
		}
	}
	return tokenSource{}
}

// token is the access token for c and where it is from, in words. No error, note or report ever holds its text.
func (a *app) token(c *cobra.Command) (token, from string, err error) {
	source := a.tokenFrom(c)
	text := ""
	switch {
	case !source.set():
		return "", "", unusable("set "+tokenVariable+", or name a file with --token-file FILE (- is stdin)", "there is no access token")
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

// largestSecret is far more than any token has, in bytes.
const largestSecret = 64 << 10

// secret is the text of a file that holds a secret; "-" is stdin. It warns where others can read the file.
func (a *app) secret(path string) (string, error) {
	in := a.out.In
	name := "stdin"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", unusable("name a readable file with --token-file", "token file: %w", err)
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
		return "", &Fail{Exit: exitUnusable, Err: fmt.Errorf("token file %s: %w", name, err)}
	}
	return string(text), nil
}
