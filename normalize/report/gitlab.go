package report

import (
	"bufio"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// gitlabSeverities are the words of GitLab's code quality reports for our severities.
var gitlabSeverities = map[normalize.Severity]string{normalize.Error: "major", normalize.Warning: "minor", normalize.Info: "info"}

// gitlabIssue is one entry of a code quality report, by the names of GitLab.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// writeGitLab writes all problems as one array, an issue a line.
func writeGitLab(w *bufio.Writer, r Report, o Options) error {
	next := fingerprints()
	if err := array(newJSONWriter(w), r, func(p Problem) any { return issue(o.shown(p), next(p)) }); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

func issue(p Problem, fingerprint string) gitlabIssue {
	i := gitlabIssue{Description: sentence(p), CheckName: p.Rule, Fingerprint: fingerprint, Severity: gitlabSeverities[severities[rank(p.Severity)]],
		Location: gitlabLocation{Path: strings.TrimPrefix(p.Path, "./")}} // GitLab does not find a path that starts with ./
	i.Location.Lines.Begin = max(p.Line, 1) // an issue without a line is refused; one of the whole file stands at its top
	return i
}
