package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/wire"
)

func TestParseAge(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{"90d": 90 * day, "1d": day, "12w": 84 * day, "36h": 36 * time.Hour, "1440m": day,
		"": 0, "d": 0, "0d": 0, "-3d": 0, "23h": 0, "1.5d": 0, "36": 0, "5000w": 5000 * 7 * day, "5300w": 0, "99999999999999999999d": 0} {
		got, err := parseAge(text)
		if got != want && err == nil || (err == nil) != (want > 0) {
			t.Errorf("parseAge(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestCopiesOfAStateAreFound(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a[1]*b")
	path := filepath.Join(folder, "state.db")
	s, err := journal.Open(t.Context(), path, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, end := range []string{".v1.bak", ".v2.2.bak", ".backup"} {
		if err := os.WriteFile(path+end, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := copiesOf(path)
	if want := []string{path + ".v1.bak", path + ".v2.2.bak"}; !slices.Equal(got, want) {
		t.Errorf("copiesOf = %s, want %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

func TestAMessageIDCarriesANumber(t *testing.T) {
	theirs := carries(5541999990000)
	for id, want := range map[string]bool{
		wire.NewWamid("5541999990000", []byte("a")): true,
		wire.NewWamid("554199990000", []byte("a")):  true, // the platform often leaves the ninth digit out
		wire.NewWamid("5541999990001", []byte("a")): false,
		"wamid.IN1": false,
		"":          false,
	} {
		if got := theirs(id); got != want {
			t.Errorf("%q: %v, want %v", id, got, want)
		}
	}
}
