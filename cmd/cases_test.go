package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// expectedRow is what a list's expect file says about one of its rows.
type expectedRow struct {
	Line     int     `json:"line"`
	Input    string  `json:"input"`
	E164     *string `json:"e164"`
	Problem  string  `json:"problem"`
	Severity string  `json:"severity"`
}

// namedRule is how a left-out row's reason begins in a report.
var namedRule = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*: .`)

// TestNeverAStranger sends every list of testdata/lists/cases to the sandbox. A recipient is exactly whom the expect file names for that line,
// a row that is left out says by which rule, and a file that cannot be read is refused as a whole.
func TestNeverAStranger(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("TZ", "UTC")
	lists, err := filepath.Glob("../testdata/lists/cases/*.csv")
	if err != nil || len(lists) == 0 {
		t.Fatalf("no case was found: %v", err)
	}
	sent, refused := 0, 0
	for _, list := range lists {
		t.Run(filepath.Base(list), func(t *testing.T) {
			rows := sendCase(t, list)
			if rows == nil {
				refused++
				return
			}
			sent += checkCase(t, list, rows)
		})
	}
	t.Logf("%d lists, %d of them refused, %d messages sent", len(lists), refused, sent)
	if sent < 2*len(lists) || refused > len(lists)/2 {
		t.Errorf("%d of %d lists are refused and %d messages go: so little proves nothing", refused, len(lists), sent)
	}
}

// sendCase sends a list to the sandbox and is the report's rows; nil where the list was refused.
func sendCase(t *testing.T, list string) [][]string {
	t.Helper()
	folder := t.TempDir()
	report := filepath.Join(folder, "report.csv")
	args := []string{"send", list, "--sandbox", "--latency", "0s", "--mps", "950", "--duplicates", "first", "--allow-skipped",
		"--state", filepath.Join(folder, "state.db"), "--report", report}
	args = append(args, expected(t, list).args()...)
	var out, told bytes.Buffer
	code := Main(args, strings.NewReader(""), &out, &told)
	text, err := os.ReadFile(report)
	if err != nil {
		if code != exitUnusable || out.Len() > 0 || !strings.Contains(told.String(), "error: ") {
			t.Fatalf("no report, exit code %d, stdout %q, stderr:\n%s", code, out.String(), told.String())
		}
		return nil
	}
	if code != exitDone {
		t.Fatalf("exit code %d, stderr:\n%s", code, told.String())
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

type expectation struct {
	Region  string        `json:"default_region"`
	Rows    []expectedRow `json:"rows"`
	Options struct {
		Param map[string]string `json:"param"`
	} `json:"options"`
}

// args are the flags that the list is meant to be sent with.
func (e expectation) args() (args []string) {
	if e.Region != "" {
		args = append(args, "--region", e.Region)
	}
	if len(e.Options.Param) == 0 {
		return append(args, "--text", "Oi")
	}
	for key, column := range e.Options.Param {
		args = append(args, "--param", key+"="+column)
	}
	return append(args, "--template", "welcome", "--language", "en")
}

func expected(t *testing.T, list string) (want expectation) {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(list, ".csv") + ".expect.json")
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// checkCase holds a report against the expect file and is how many messages were sent.
func checkCase(t *testing.T, list string, rows [][]string) (sent int) {
	t.Helper()
	want := map[int]expectedRow{}
	for _, r := range expected(t, list).Rows {
		want[r.Line] = r
	}
	seen := map[int]bool{}
	for _, row := range rows {
		line, err := strconv.Atoi(row[0])
		if err != nil {
			t.Fatalf("row %q has no line", row)
		}
		recipient, status, meaning := row[1], row[2], row[4]
		seen[line] = true
		w, ok := want[line]
		switch {
		case status == "skipped" && namedRule.MatchString(meaning):
		case status != "sent":
			t.Errorf("line %d is %s: %q", line, status, meaning)
		case !ok:
			t.Errorf("line %d: %s gets a message, and the line is no row", line, recipient)
		case w.Problem == "suppressed": // by a file of opt-outs, which is not given here
			if !strings.HasSuffix(recipient, digits(w.Input)) {
				t.Errorf("line %d: %q became %s", line, w.Input, recipient)
			}
		case w.E164 == nil || *w.E164 != recipient:
			t.Errorf("line %d: a stranger gets a message: %s", line, recipient)
		case w.Severity == "error":
			t.Errorf("line %d: %s gets a message, and the row has an error", line, recipient)
		default:
			sent++
		}
	}
	for line := range want {
		if !seen[line] {
			t.Errorf("line %d is neither sent nor left out", line)
		}
	}
	return sent
}

func digits(cell string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, cell)
}
