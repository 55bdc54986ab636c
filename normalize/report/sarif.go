package report

import (
	"bufio"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/wactl/wactl/normalize"
)

// mostResults is how many results code scanning services take from one run.
const mostResults = 5000

const (
	homePage  = "https://github.com/wactl/wactl"
	rulePages = homePage + "/blob/main/normalize/report/rules/" // each rule's page stands there as RULE.md
	schemaURI = "https://json.schemastore.org/sarif-2.1.0.json"
)

// sarifLevels are the words of SARIF for our severities.
var sarifLevels = map[normalize.Severity]string{normalize.Error: "error", normalize.Warning: "warning", normalize.Info: "note"}

// The parts of SARIF 2.1.0 that this face uses, by the names of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Short   sarifText `json:"shortDescription"`
		Help    sarifText `json:"help"`
		HelpURI string    `json:"helpUri"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
		Properties   *sarifCell        `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact sarifArtifact `json:"artifactLocation"`
			Region   *sarifRegion  `json:"region,omitempty"`
		} `json:"physicalLocation"`
		Message *sarifText `json:"message,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
	// sarifCell is what SARIF has no name for.
	sarifCell struct {
		Column int    `json:"column"`
		Header string `json:"header"`
		Value  string `json:"value"`
	}
)

// writeSARIF writes one run with the worst results, and a notification where there were more.
func writeSARIF(w *bufio.Writer, r Report, o Options) error {
	found, counts, err := worst(r.each(), mostResults)
	if err != nil {
		return err
	}
	driver := sarifDriver{Name: "wactl", Version: o.Version, InformationURI: homePage, Rules: []sarifRule{}}
	results := []sarifResult{}
	index := map[string]int{}
	next := fingerprints()
	withheld := 0
	for _, p := range found {
		i, ok := index[p.Rule]
		if !ok {
			i = len(driver.Rules)
			index[p.Rule] = i
			driver.Rules = append(driver.Rules, ruleSARIF(p))
		}
		shown := o.shown(p)
		if p.Fix != nil && p.Fix.Old != "" && shown.Fix.Old == "" {
			withheld++
		}
		result := resultSARIF(shown, i)
		result.Fingerprints = map[string]string{"wactl/v1": next(p)}
		results = append(results, result)
	}
	run := sarifRun{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: results,
		Invocations: []sarifInvocation{{Successful: true, Notifications: notices(len(found), counts, withheld)}}}
	return newJSONWriter(w).putLine(sarifLog{schemaURI, "2.1.0", []sarifRun{run}})
}

// notices say what the run leaves out.
func notices(have int, counts [3]int, withheld int) (all []sarifNotification) {
	if total := counts[0] + counts[1] + counts[2]; total > have {
		all = append(all, sarifNotification{"warning", sarifText{Text: fmt.Sprintf(
			"not all problems are here: these are the worst %d of %d (%d errors, %d warnings, %d notes)", have, total, counts[0], counts[1], counts[2])}})
	}
	if withheld > 0 {
		all = append(all, sarifNotification{"note", sarifText{Text: fmt.Sprintf(
			"%d fixes are left out because they would show phone numbers; --no-mask puts them in", withheld)}})
	}
	return all
}

// ruleSARIF describes the rule of a problem, with its page as help.
func ruleSARIF(p Problem) sarifRule {
	page, _ := Page(p.Rule)
	if page == "" {
		page = p.Rule
	}
	s := sarifRule{ID: p.Rule, HelpURI: rulePages + url.PathEscape(p.Rule) + ".md", Short: sarifText{Text: plainSARIF(Meaning(p.Rule))},
		Help: sarifText{Text: plainSARIF(page), Markdown: page}}
	usual := p.Severity
	if r, ok := normalize.RuleNamed(p.Rule); ok {
		usual = r.Severity
	}
	s.Default.Level = sarifLevels[severities[rank(usual)]]
	return s
}

func resultSARIF(p Problem, rule int) sarifResult {
	s := sarifResult{RuleID: p.Rule, RuleIndex: rule, Level: sarifLevels[severities[rank(p.Severity)]], Message: sarifText{Text: plainSARIF(sentence(p))},
		Locations: []sarifLocation{locationSARIF(p.Path, regionSARIF(p))}}
	if p.FirstLine > 0 {
		first := locationSARIF(p.Path, &sarifRegion{StartLine: p.FirstLine})
		first.Message = &sarifText{Text: "the row that this one repeats"}
		s.Related = []sarifLocation{first}
	}
	if p.Column > 0 {
		s.Properties = &sarifCell{p.Column, visible(p.Header), visible(p.Value)}
	}
	if region, ok := repairSARIF(p.Fix); ok {
		s.Fixes = []sarifFix{{sarifText{Text: fixSays(p.Fix)}, []sarifChange{{sarifArtifact{uri(p.Path)}, []sarifReplacement{{region, sarifText{Text: p.Fix.New}}}}}}}
	}
	return s
}

// fixSays is what a repair does, for people.
func fixSays(r *normalize.Repair) string {
	if r.Row {
		return "delete the row"
	}
	return "write the cell without this problem"
}

func locationSARIF(path string, region *sarifRegion) (l sarifLocation) {
	l.Physical.Artifact.URI = uri(path)
	l.Physical.Region = region
	return l
}

// regionSARIF is the problem's place as far as it is known.
func regionSARIF(p Problem) *sarifRegion {
	if p.Line == 0 {
		return nil
	}
	return &sarifRegion{StartLine: p.Line, StartColumn: p.Char}
}

// repairSARIF is the text that a repair replaces; false where its place is not known.
func repairSARIF(r *normalize.Repair) (sarifRegion, bool) {
	if r == nil || r.Old == "" || r.Line == 0 || r.Char == 0 {
		return sarifRegion{}, false
	}
	region := sarifRegion{StartLine: r.Line, StartColumn: r.Char}
	region.EndLine, region.EndColumn = endOf(r, r.Char, utf8.RuneCountInString)
	return region, true
}

// endOf is the place behind a repair's old text that starts at column; count measures text in the unit of the columns.
func endOf(r *normalize.Repair, column int, count func(string) int) (endLine, endColumn int) {
	last := strings.LastIndexByte(r.Old, '\n')
	switch {
	case r.Row: // with its line ending, so that no blank line stays
		return r.Line + 1 + strings.Count(r.Old, "\n"), 1
	case last < 0:
		return r.Line, column + count(r.Old)
	}
	return r.Line + strings.Count(r.Old, "\n"), 1 + count(r.Old[last+1:])
}

// uri is a path as a URI, relative paths as they are, whatever bytes it holds.
func uri(path string) string {
	u := url.URL{Path: path}
	if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

// sarifSyntax are the characters that mean a link or a placeholder in the plain text of SARIF.
var sarifSyntax = strings.NewReplacer(`[`, `\[`, `]`, `\]`, `{`, `{{`, `}`, `}}`)

// plainSARIF is text that no viewer takes for a link or fills in.
func plainSARIF(text string) string { return sarifSyntax.Replace(text) }
