package cmd

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/cmd/output"
)

func TestEveryCommandIsExplained(t *testing.T) {
	a := &app{env: func(string) (string, bool) { return "", false }, origins: origins{}}
	var page bytes.Buffer
	a.out = output.New(strings.NewReader(""), &page, &page, output.Options{})
	root := newRoot(a)
	commands := append([]*cobra.Command{root}, root.Commands()...)
	if len(commands) < 5 {
		t.Fatalf("only %d commands", len(commands))
	}
	for _, c := range commands {
		if c.Short == "" || c.Long == "" || !strings.Contains(c.Example, "wactl") || c != root && c.GroupID == "" {
			t.Errorf("%s lacks a text, an example or a group", c.CommandPath())
		}
		page.Reset()
		if err := c.Help(); err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(page.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth && !strings.Contains(c.Example, strings.TrimRight(line, "\n")) {
				t.Errorf("%s --help has a line of %d characters: %s", c.CommandPath(), n, line)
			}
		}
	}
}

func TestTopicsReadAsTheyStand(t *testing.T) {
	names := topicNames()
	if len(names) < 6 {
		t.Fatalf("only %d topics", len(names))
	}
	for _, name := range names {
		page, title, found := topic(name)
		if !found || title == "" || !strings.HasPrefix(page, "# "+title+"\n\n") {
			t.Errorf("%s has no title", name)
		}
		fenced := false
		for line := range strings.Lines(page) {
			fenced = fenced != strings.HasPrefix(line, "```")
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth && !fenced {
				t.Errorf("%s has a line of %d characters: %s", name, n, line)
			}
		}
		if fenced {
			t.Errorf("%s has a fence that never closes", name)
		}
	}
}

func TestFold(t *testing.T) {
	got := strings.Join(fold("one two three-and-more é  five", 9), "|")
	if want := "one two|three-and-more|é five"; got != want {
		t.Errorf("fold: %q, want %q", got, want)
	}
}

// TestErrorsTopicAgreesWithTheTable holds each code of the page against the class that the sender goes by.
func TestErrorsTopicAgreesWithTheTable(t *testing.T) {
	classes := map[string][]outcome.Class{
		"## It is about speed":       {outcome.PairWait, outcome.NumberSlow, outcome.NumberHold, outcome.CallsWait},
		"## It is about one person":  {outcome.RecipientFailed},
		"## It is about the message": {outcome.RequestWrong},
		"## It stops the campaign":   {outcome.Stop},
	}
	page, _, _ := topic("errors")
	codes := regexp.MustCompile(`\*\*(\d+)\*\*`)
	section, found := "", 0
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "## ") {
			section = strings.TrimSpace(line)
		}
		for _, m := range codes.FindAllStringSubmatch(line, -1) {
			code, err := strconv.Atoi(m[1])
			if got := outcome.ForCode(code).Class; err != nil || !slices.Contains(classes[section], got) {
				t.Errorf("%d stands under %q, but is %s", code, section, got)
			}
			found++
		}
	}
	if found < 20 {
		t.Errorf("only %d codes found", found)
	}
}
