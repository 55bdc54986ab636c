package clean

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// diffOf is the diff of two texts.
func diffOf(t interface{ Fatal(...any) }, path, old, mended string, gone []int) string {
	var b strings.Builder
	if err := Diff(&b, path, strings.NewReader(old), strings.NewReader(mended), gone); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	tests := []struct {
		name, old, mended string
		gone              []int
		want              string
	}{
		{"nothing", ten, ten, nil, ""},
		{"in the middle", ten, strings.Replace(ten, "5", "five", 1), nil, "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"first and last", ten, strings.Replace(strings.Replace(ten, "10", "ten", 1), "1\n", "one\n", 1), nil,
			"@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+ten\n"},
		{"two near each other", ten, strings.Replace(strings.Replace(ten, "2", "two", 1), "9", "nine", 1), nil,
			"@@ -1,10 +1,10 @@\n 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+nine\n 10\n"},
		{"a run, old lines first", "a\nb\nc\n", "A\nC\n", []int{2}, "@@ -1,3 +1,2 @@\n-a\n-b\n-c\n+A\n+C\n"},
		{"gone lines move what follows", ten, "1\n3\n4\n5\n6\n7\n8\nnine\n10\n", []int{2}, "@@ -1,10 +1,9 @@\n 1\n-2\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+nine\n 10\n"},
		{"gone in a hunk of its own", ten + ten, "1\n3\n4\n5\n6\n7\n8\n9\n10\n1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n", []int{2},
			"@@ -1,5 +1,4 @@\n 1\n-2\n 3\n 4\n 5\n@@ -17,4 +16,4 @@\n 7\n 8\n 9\n-10\n+ten\n"},
		{"all gone", "a\nb\n", "", []int{1, 2}, "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"no newline at the end", "a\nb", "a\nc", nil, "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		{"the last line goes", "a\nb", "a\n", []int{2}, "@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n"},
		{"old Mac lines are one line to patch", "a\rb\rc", "a\rB", []int{3}, "@@ -1 +1 @@\n-a\rb\rc\n\\ No newline at end of file\n+a\rB\n\\ No newline at end of file\n"},
		{"CRLF", "a\r\nb\r\n", "a\r\nc\r\n", nil, "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "--- l.csv\n+++ l.csv\n" + want
			}
			if d := cmp.Diff(want, diffOf(t, "l.csv", tt.old, tt.mended, tt.gone)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestPatchName(t *testing.T) {
	for path, want := range map[string]string{"a.csv": "a.csv", "a b.csv": "a b.csv\t", "ação.csv": "ação.csv", "a\nb\".csv": `"a\012b\".csv"`, `a\b`: `"a\\b"`} {
		if got := patchName(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// edit is an old text, what becomes of it, and which lines are gone.
type edit struct {
	old, mended string
	gone        []int
}

// edits are any changes of lines, clustered enough to make hunks meet.
func edits(t *rapid.T) (e edit) {
	n := rapid.IntRange(1, 60).Draw(t, "lines")
	last := rapid.Bool().Draw(t, "newline at the end")
	for i := 1; i <= n; i++ {
		ending := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "ending")
		if i == n && !last {
			ending = ""
		}
		line := "row " + strconv.Itoa(i) + rapid.SampledFrom([]string{"", "", " -", " @@ -1 +1 @@", " \\ No newline"}).Draw(t, "text")
		e.old += line + ending
		switch rapid.SampledFrom([]string{"keep", "keep", "keep", "keep", "keep", "change", "gone"}).Draw(t, "fate") {
		case "keep":
			e.mended += line + ending
		case "change":
			e.mended += "new " + line + ending
		case "gone":
			e.gone = append(e.gone, i)
		}
	}
	return e
}

// A diff, applied by the book, makes the mended text out of the old one: context and removed lines must be those that stand there.
func TestDiffApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := edits(t)
		got, err := apply(e.old, diffOf(t, "l.csv", e.old, e.mended, e.gone))
		if err != nil || got != e.mended {
			t.Fatalf("%v: %q, want %q", err, got, e.mended)
		}
	})
}

// apply is a plain patch: it knows nothing of how the diff was made.
func apply(old, diff string) (string, error) {
	from := slices.Collect(strings.Lines(old))
	var out []string
	at := 0
	left, right := 0, 0 // lines of the hunk still to come
	lines := slices.Collect(strings.Lines(diff))
	for i, line := range lines {
		if left == 0 && right == 0 {
			if strings.HasPrefix(line, "@@ ") {
				start, to := 0, 0
				var err error
				if start, left, err = sides(line, '-'); err != nil {
					return "", err
				}
				if to, right, err = sides(line, '+'); err != nil {
					return "", err
				}
				for ; at < start-1; at++ {
					out = append(out, from[at])
				}
				if right > 0 && to != len(out)+1 || right == 0 && to != len(out) {
					return "", fmt.Errorf("hunk %q comes after %d lines", line, len(out))
				}
			}
			continue
		}
		if line[0] == '\\' {
			continue
		}
		text := line[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\\ No newline") {
			text = strings.TrimSuffix(text, "\n")
		}
		if line[0] != '+' {
			if at >= len(from) || from[at] != text {
				return "", fmt.Errorf("line %d is not %q", at+1, text)
			}
			at, left = at+1, left-1
		}
		if line[0] != '-' {
			out, right = append(out, text), right-1
		}
	}
	if left != 0 || right != 0 {
		return "", fmt.Errorf("a hunk lacks %d and %d lines", left, right)
	}
	return strings.Join(append(out, from[at:]...), ""), nil
}

// sides reads one side of a hunk's head.
func sides(head string, sign byte) (start, length int, err error) {
	for _, f := range strings.Fields(head) {
		if f[0] != sign || len(f) < 2 {
			continue
		}
		a, b, ok := strings.Cut(f[1:], ",")
		if start, err = strconv.Atoi(a); err != nil {
			return 0, 0, err
		}
		if !ok {
			return start, 1, nil
		}
		length, err = strconv.Atoi(b)
		return start, length, err
	}
	return 0, 0, fmt.Errorf("no %c in %q", sign, head)
}

// The program patch takes the diffs too, where it is installed.
func TestPatchTakesDiffs(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("patch is not installed: the diffs were applied by this test's own rules only")
	}
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		e := edits(r)
		if n++; n > 30 || e.old == e.mended {
			return // a process each
		}
		path := filepath.Join(dir, "a list.csv")
		if err := os.WriteFile(path, []byte(e.old), 0o600); err != nil {
			r.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), patch, "--binary", "-p0", "--fuzz=0", "--no-backup-if-mismatch")
		c.Dir, c.Stdin = dir, strings.NewReader(diffOf(r, "a list.csv", e.old, e.mended, e.gone))
		if said, err := c.CombinedOutput(); err != nil {
			r.Fatalf("%v: %s", err, said)
		}
		got, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			err = nil // patch removes a file that becomes empty
		}
		if err != nil || string(got) != e.mended {
			r.Fatalf("%v: %q, want %q", err, got, e.mended)
		}
		os.Remove(path)
	})
}

// Many changed lines in a row are written in pieces; the diff stays one that applies.
func TestDiffOfManyLines(t *testing.T) {
	var old, mended strings.Builder
	for i := range 3*mostHeld + 7 {
		fmt.Fprintf(&old, "a%d\n", i)
		fmt.Fprintf(&mended, "b%d\n", i)
	}
	got, err := apply(old.String(), diffOf(t, "l.csv", old.String(), mended.String(), nil))
	if err != nil || got != mended.String() {
		t.Error(err)
	}
}
