package readlog

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

// manyLines is a log of several blocks with lines of all kinds.
func manyLines(lines int) []byte {
	w := webhooks{Rand: rand.New(rand.NewPCG(11, 5))}
	var text strings.Builder
	for i := range lines {
		line := w.line()
		if i%97 == 0 {
			line = strange[w.IntN(len(strange))](&w, line)
		}
		text.WriteString(line + "\n")
	}
	return []byte(text.String())
}

// TestSameReportFromEverySource holds that the report is that of the decoder, whether the log is a file, a stream or packed, and however it is read again.
func TestSameReportFromEverySource(t *testing.T) {
	text := manyLines(1500)
	const block = 16 << 10
	if len(text) < 20*block {
		t.Fatalf("%d bytes are too few blocks", len(text))
	}
	report := func(l analyze.Log) analyze.Report {
		r, err := analyze.Analyze(l, analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Sources {
			r.Sources[i].Path = ""
		}
		for i := range r.Failures {
			f := &r.Failures[i]
			if f.Source.Path = ""; f.Burst != nil {
				for k := range f.Burst.Sends {
					f.Burst.Sends[k].Path = ""
				}
			}
		}
		r.Notes = nil
		return r
	}
	want := report(&carefulLog{text: text})
	if len(want.Failures) < 20 {
		t.Fatalf("only %d failures: this test proves little", len(want.Failures))
	}
	half := len(text) / 2
	for name, c := range map[string]struct {
		text []byte
		file bool
	}{
		"file": {text, true}, "stream": {text, false}, "gzip": {gzipped(string(text)), true}, "packed stream": {gzipped(string(text)), false},
		"gzip, two members": {gzipped(string(text[:half]), string(text[half:])), true}, "zstd": {zstandard(t, string(text)), true},
		"UTF-16": {wide(string(text), "\xff\xfe", false), true},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "UTF-16" && strings.ContainsRune(string(text), 0xfffd) {
				t.Skip("it cannot say the same")
			}
			if diff := cmp.Diff(want, report(quickLog(t, c.text, block, c.file))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPackedIsUnpackedOnce holds that the second pass needs the packed file no more, and reads of a plain one only what is wanted.
func TestPackedIsUnpackedOnce(t *testing.T) {
	text := manyLines(600)
	path := filepath.Join(t.TempDir(), "log.gz")
	if err := os.WriteFile(path, gzipped(string(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(t.Context(), Options{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	first := drain(t, l, analyze.Want{Details: true})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	all := func(p analyze.Place) (analyze.Place, bool) { return p, true }
	sameEvents(t, "the second pass", first, drain(t, l, analyze.Want{Details: true, Next: all}))
}

// TestStreamLeftEarly holds that a stream can be read again when the first pass was not read to its end.
func TestStreamLeftEarly(t *testing.T) {
	text := manyLines(600)
	l := quickLog(t, text, 1000, false)
	for range l.Events(analyze.Want{Details: true}) {
		break
	}
	sameEvents(t, "all events", drain(t, &carefulLog{text: text}, analyze.Want{Details: true}), drain(t, l, analyze.Want{Details: true}))
}

// TestNowhereToKeep holds what happens when the temporary folder is gone: packed files are unpacked again, and a stream says what is wrong.
func TestNowhereToKeep(t *testing.T) {
	text := manyLines(300)
	packed := quickLog(t, gzipped(string(text)), leastBlock, true)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	first := drain(t, packed, analyze.Want{Details: true})
	all := func(p analyze.Place) (analyze.Place, bool) { return p, true }
	sameEvents(t, "a second pass without a place to keep blocks", first, drain(t, packed, analyze.Want{Details: true, Next: all}))
	_, err := Open(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader("{}")})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "keep what comes from -") {
		t.Errorf("%v", err)
	}
}

// TestSkipsWhatIsNotWanted holds that a second pass looks at no more than the neighbourhood of the lines that are wanted.
func TestSkipsWhatIsNotWanted(t *testing.T) {
	w := webhooks{Rand: rand.New(rand.NewPCG(3, 3))}
	line := w.line() + "\n"
	text := []byte(strings.Repeat(line, 20_000))
	l := quickLog(t, text, leastBlock, true)
	drain(t, l, analyze.Want{})
	read := int64(0)
	l.options.Progress = nil
	x := &l.sources[0].index
	f := planFeed{ctx: t.Context(), index: x, src: countingReader{text, &read}, want: func(line int) (int, bool) { return 15_000, line <= 15_000 }}
	b := &block{}
	for b.err == nil {
		f.fill(b)
	}
	if most := int64(len(line) * markLines); read == 0 || read > most+int64(x.blocks[0].size) {
		t.Errorf("%d of %d bytes were read", read, len(text))
	}
}

// countingReader counts what is read of a text.
type countingReader struct {
	text []byte
	read *int64
}

func (c countingReader) ReadAt(b []byte, at int64) (int, error) {
	*c.read += int64(len(b))
	return copy(b, c.text[at:]), nil
}
