package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/analyze"
)

var update = flag.Bool("update", false, "write the golden files anew")

const golden = "../../testdata/golden/explain"

// west is a zone with a name and an hour of its own, so that a time told in UTC shows.
var west = time.FixedZone("WST", -3*3600)

// storm is the report of the golden files: a burst, retries after another one, and a refusal that nothing explains.
func storm(t testing.TB) analyze.Report {
	t.Helper()
	file, err := os.Open(filepath.Join(golden, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compare holds got against a golden file, or writes it.
func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join(golden, name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func joined(lines []Line) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.Bytes()
}

func TestTextGolden(t *testing.T) {
	now := time.Date(2020, 3, 2, 15, 3, 0, 0, time.UTC)
	for name, o := range map[string]Options{
		"text80.txt":  {Zone: west, Now: now, ASCII: true},
		"text120.txt": {Zone: west, Now: now, Width: 120},
		"top1.txt":    {Zone: west, Top: 1, ASCII: true},
	} {
		compare(t, name, joined(Text(storm(t), o)))
	}
}

func TestHTMLGolden(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, storm(t), Options{Zone: west, Now: time.Date(2020, 3, 2, 15, 3, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	compare(t, "page.html", b.Bytes())
}
