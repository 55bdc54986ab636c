package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/wactl/wactl/normalize"
)

// mostAnnotations is how many annotations of one kind GitHub shows of a step.
const mostAnnotations = 10

// writeGitHub writes the worst errors and warnings as workflow commands. WriteStepSummary counts the rest.
func writeGitHub(w *bufio.Writer, r Report, o Options) error {
	all, err := groups(r.each(), mostAnnotations, func(p Problem) int { return rank(p.Severity) })
	if err != nil {
		return err
	}
	for level, severity := range severities {
		for _, g := range all {
			if g.key != level || severity == normalize.Info {
				continue
			}
			for _, p := range g.first {
				annotate(w, string(severity), o.shown(p))
			}
		}
	}
	return nil
}

// annotate writes one workflow command; the writer keeps an error until it is flushed.
func annotate(w *bufio.Writer, command string, p Problem) {
	fmt.Fprintf(w, "::%s ", command)
	if p.Path != "-" {
		fmt.Fprintf(w, "file=%s,", property.Replace(visible(p.Path)))
	}
	if p.Line > 0 {
		fmt.Fprintf(w, "line=%d,", p.Line)
	}
	if p.Line > 0 && p.Char > 0 {
		fmt.Fprintf(w, "col=%d,", p.Char)
	}
	message := sentence(p)
	if h := hint(p.Rule); h != "" {
		message += "\n" + h
	}
	fmt.Fprintf(w, "title=%s::%s\n", property.Replace(visible(p.Rule)), messageText.Replace(message))
}

// What the runner unescapes in the message of a command and in its properties.
var (
	messageText = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property    = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// WriteStepSummary writes what the GitHub face leaves out, as Markdown for the summary of the step: all counts.
func WriteStepSummary(w io.Writer, r Report) error {
	b := bufio.NewWriter(w)
	all, err := groups(r.each(), 0, func(p Problem) ruleLevel { return ruleLevel{p.Rule, rank(p.Severity)} })
	if err != nil {
		return fmt.Errorf("write step summary: %w", err)
	}
	s := r.Summary
	fmt.Fprintf(b, "### wactl lint\n\n%d errors, %d warnings and %d notes", s.Errors, s.Warnings, s.Infos)
	if s.Unread == 0 {
		fmt.Fprintf(b, " in %d rows with %d recipients", s.Rows, s.Recipients)
	}
	b.WriteString(".\n")
	if s.Errors > mostAnnotations || s.Warnings > mostAnnotations {
		fmt.Fprintf(b, "The annotations show the first %d errors and %d warnings only.\n", min(s.Errors, mostAnnotations), min(s.Warnings, mostAnnotations))
	}
	if len(all) > 0 {
		b.WriteString("\n| rule | severity | problems | what it means |\n| --- | --- | ---: | --- |\n")
	}
	sortGroups(all)
	for _, g := range all {
		fmt.Fprintf(b, "| [%s](%s%s.md) | %s | %d | %s |\n", markdown(g.key.rule), rulePages, slug(g.key.rule), severities[g.key.rank], g.count, markdown(Meaning(g.key.rule)))
	}
	writeFiles(b, r.Files)
	return b.Flush()
}

// writeFiles names the lists of the summary.
func writeFiles(b *bufio.Writer, files []File) {
	if len(files) > 0 {
		b.WriteString("\n")
	}
	for _, f := range files {
		if f.Unread {
			fmt.Fprintf(b, "- %s: no row could be read\n", markdown(f.Path))
			continue
		}
		fmt.Fprintf(b, "- %s: %d rows, %d recipients\n", markdown(f.Path), f.Rows, f.Recipients)
	}
}

// slug is what may stand in the address of a rule's page.
func slug(rule string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, rule)
}

// markdown is text that neither Markdown nor HTML reads as anything but text.
func markdown(text string) string {
	var b strings.Builder
	for _, r := range visible(text) {
		switch {
		case r < unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .-/", r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
