package cmd

import (
	"os"
	"path/filepath"
	"testing"
)

// Files outside of the list's folder are not looked at, by whatever way a cell leads there.
func TestFileSizes(t *testing.T) {
	dir := t.TempDir()
	lists := filepath.Join(dir, "lists")
	if err := os.MkdirAll(filepath.Join(lists, "photos"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "outside.png"), filepath.Join(lists, "photos", "a.png")} {
		if err := os.WriteFile(path, make([]byte, 77), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"in.png": "photos/a.png", "out.png": "../outside.png", "up": ".."} {
		if err := os.Symlink(target, filepath.Join(lists, name)); err != nil {
			t.Fatal(err)
		}
	}
	size := fileSizes(filepath.Join(lists, "list.csv"))
	for path, want := range map[string]bool{
		"photos/a.png": true, "./photos/../photos/a.png": true, "in.png": true, filepath.Join(lists, "photos/a.png"): true,
		"../outside.png": false, "out.png": false, "up/outside.png": false, filepath.Join(dir, "outside.png"): false, "photos": false, "none.png": false, "": false, "https://a.example/b.png": false,
	} {
		if n, ok := size(path); ok != want || ok && n != 77 {
			t.Errorf("%q: %d, %t", path, n, ok)
		}
	}
	if fileSizes(stdio) != nil {
		t.Error("a list from stdin has a folder")
	}
}
