package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
)

// barOf reads a list whose rows take their time, and is what stands on stderr then.
func barOf(t *testing.T, path string, terminal bool, o output.Options) string {
	t.Helper()
	var shown bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		out := output.New(nil, nil, &shown, o)
		out.ErrTTY = terminal
		s, err := (&app{out: out}).openSource(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		open := func() (*normalize.List, error) { return (&listFlags{}).open(s) }
		options := func(*normalize.List) (o normalize.CheckOptions, err error) { return o, nil }
		if _, _, err = s.check(open, options, slow{}); err != nil {
			t.Error(err)
		}
	})
	return shown.String()
}

// slow takes its time over every row.
type slow struct{ nowhere }

func (slow) write(b *normalize.Batch) error {
	time.Sleep(time.Duration(len(b.Verdicts)) * 100 * time.Microsecond) // of the bubble
	return nil
}

// A reading of more than a second shows how far it is, on terminals only, and takes its bar away.
func TestReadingBar(t *testing.T) {
	const rows = 30_000
	dir := t.TempDir()
	var text strings.Builder
	book := excelize.NewFile()
	sheet, err := book.NewStreamWriter("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	text.WriteString("phone\n")
	for i := range rows {
		number := strconv.Itoa(5511961000000 + i)
		text.WriteString("+" + number + "\n")
		cell := "phone"
		if i > 0 {
			cell = "+" + number
		}
		if err := sheet.SetRow("A"+strconv.Itoa(i+1), []any{cell}); err != nil {
			t.Fatal(err)
		}
	}
	if err := sheet.Flush(); err != nil {
		t.Fatal(err)
	}
	csv, xlsx := filepath.Join(dir, "list.csv"), filepath.Join(dir, "list.xlsx")
	if err := os.WriteFile(csv, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := book.SaveAs(xlsx); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{csv, xlsx} {
		got := barOf(t, path, true, output.Options{})
		for _, want := range []string{"\x1b[2Kread ", " kB of ", "kB/s · ", " s left"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %.300q lacks %q", path, got, want)
			}
		}
		if !strings.HasSuffix(got, "\r\x1b[2K") {
			t.Errorf("%s: the bar stays: %q", path, got[max(0, len(got)-80):])
		}
		for name, silent := range map[string]string{"no terminal": barOf(t, path, false, output.Options{}), "quiet": barOf(t, path, true, output.Options{Quiet: true})} {
			if silent != "" {
				t.Errorf("%s, %s: %.300q", path, name, silent)
			}
		}
	}
}
