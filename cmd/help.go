package cmd

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// topics are the help pages, one Markdown file a topic. The first line is the title.
//
//go:embed help/*.md
var topics embed.FS

// topicNames are the names of all help topics, sorted.
func topicNames() []string {
	files, err := fs.Glob(topics, "help/*.md")
	if err != nil {
		panic(err) // only for a bad pattern
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".md")
	}
	slices.Sort(files)
	return files
}

// topic is a help page, and its title without the mark of a heading.
func topic(name string) (page, title string, found bool) {
	text, err := topics.ReadFile("help/" + name + ".md")
	if err != nil {
		return "", "", false
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return string(text), strings.TrimPrefix(first, "# "), true
}

func newHelp(a *app) *cobra.Command {
	return &cobra.Command{
		Use:                   "help [COMMAND or TOPIC]",
		Short:                 "Show help for a command, or a page about a topic",
		Long:                  "Shows the help of a command, or a page about a topic. Alone it lists the topics.",
		Example:               "  wactl help\n  wactl help limits\n  wactl help emulate",
		GroupID:               groupSetup,
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return helpNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				a.listTopics()
				return nil
			}
			if page, _, found := topic(args[0]); found && len(args) == 1 {
				a.out.Markdown(page)
				return nil
			}
			if about, rest, err := c.Root().Find(args); err == nil && about != c.Root() && len(rest) == 0 {
				about.InitDefaultHelpFlag() // so that it says what --help would
				return about.Help()
			}
			name := strings.Join(args, " ")
			return unusable(cmp.Or(didYouMean(name, helpNames(c.Root())), "`wactl help` lists the topics"), "no help for %q", name)
		},
	}
}

// helpNames are the commands and the topics that help knows.
func helpNames(root *cobra.Command) []string {
	names := topicNames()
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && !slices.Contains(names, c.Name()) {
			names = append(names, c.Name())
		}
	}
	return names
}

func (a *app) listTopics() {
	a.out.Heading("Topics:")
	for _, name := range topicNames() {
		_, title, _ := topic(name)
		a.out.Line("  %-12s %s", name, title)
	}
	a.out.Line("")
	a.out.Line("`wactl help TOPIC` shows one. `wactl --help` lists the commands.")
}

// The columns that help is made for, and where the explanation of a flag and of a command begins.
const (
	helpWidth  = 80
	helpColumn = 26
	nameColumn = 18
)

// showCommand writes the help of one command: what it does, an example, its flags.
func (a *app) showCommand(c *cobra.Command) {
	out := a.out
	lines(out.Line, paragraphs(cmp.Or(c.Long, c.Short), helpWidth))
	section := func(title, text string) {
		if text = strings.TrimRight(text, " \n"); text != "" {
			out.Line("")
			out.Heading("%s", title)
			lines(out.Line, text)
		}
	}
	section("Usage:", "  "+usageLine(c))
	section("Examples:", c.Example)
	for _, g := range c.Groups() {
		section(g.Title, groupOf(c, g.ID))
	}
	section("Flags:", flagLines(c.LocalFlags()))
	section("Flags of every command:", flagLines(c.InheritedFlags()))
	out.Line("")
	if c.HasSubCommands() {
		lines(out.Line, paragraphs("Topics: "+strings.Join(topicNames(), ", ")+".", helpWidth))
		out.Line("`wactl help TOPIC` shows one, `wactl COMMAND --help` a command's flags.")
		return
	}
	out.Line("Flags can also be set by environment and file: see `wactl help config`.")
}

// flagLines lists flags with what they take and mean. A long name has its explanation below, so that all of them begin in one column.
func flagLines(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		takes, usage := pflag.UnquoteUsage(f)
		if !slices.Contains([]string{"", "[]", "false", "0", "0s"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		head := strings.TrimRight("  --"+f.Name+" "+takes, " ")
		if f.Shorthand != "" {
			head += ", -" + f.Shorthand
		}
		indent := "\n" + strings.Repeat(" ", helpColumn)
		if len(head) > helpColumn-2 {
			head += indent
		} else {
			head += strings.Repeat(" ", helpColumn-len(head))
		}
		b.WriteString(head + strings.Join(fold(usage, helpWidth-helpColumn), indent) + "\n")
	})
	return b.String()
}

// paragraphs folds running text; an empty line parts two paragraphs.
func paragraphs(text string, width int) string {
	var folded []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		folded = append(folded, strings.Join(fold(paragraph, width), "\n"))
	}
	return strings.Join(folded, "\n\n")
}

// fold breaks text at spaces into lines of at most width characters; a longer word stays whole.
func fold(text string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) > width:
			lines = append(lines, word)
		default:
			*last += " " + word
		}
	}
	return lines
}

func usageLine(c *cobra.Command) string {
	if c.HasSubCommands() {
		return c.CommandPath() + " COMMAND [flags]"
	}
	return c.UseLine()
}

// groupOf lists the commands of one group.
func groupOf(c *cobra.Command, id string) string {
	var b strings.Builder
	for _, sub := range c.Commands() {
		if sub.GroupID == id && (sub.IsAvailableCommand() || sub.Name() == "help") {
			indent := strings.Repeat(" ", nameColumn)
			head := (("  " + sub.Name()) + indent)[:nameColumn]
			b.WriteString(head + strings.Join(fold(sub.Short, helpWidth-nameColumn), "\n"+indent) + "\n")
		}
	}
	return b.String()
}

func lines(write func(string, ...any), text string) {
	for line := range strings.Lines(text) {
		write("%s", strings.TrimRight(line, "\n"))
	}
}
