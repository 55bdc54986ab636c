package readlog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

// TestApart reads every sample twice, the second time only some of its lines, and checks that these say what they said at first.
func TestApart(t *testing.T) {
	wanted, err := filepath.Glob(samples + "/*.events")
	if err != nil || len(wanted) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	apart := 0
	for _, want := range wanted {
		path := strings.TrimSuffix(want, ".events")
		t.Run(filepath.Base(path), func(t *testing.T) {
			l, err := Open(t.Context(), Options{Paths: []string{path}})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			all := eventTexts(t, l, analyze.Want{Details: true})
			found := fmt.Sprintf("%+v", l.Sources())
			if l.sources[0].apart {
				apart++
			}
			for _, every := range []int{1, 2, 3, 5} {
				place := func(p analyze.Place) bool { return p.Line%every == 0 }
				var some []string
				for _, e := range all {
					if place(e.Place) {
						some = append(some, eventText(e))
					}
				}
				var got []string
				for _, e := range eventTexts(t, l, analyze.Want{Details: true, Place: place}) {
					got = append(got, eventText(e))
				}
				if diff := cmp.Diff(some, got); diff != "" {
					t.Errorf("every %d. line:\n%s", every, diff)
				}
			}
			if again := fmt.Sprintf("%+v", l.Sources()); again != found {
				t.Errorf("what was found changed from %s to %s", found, again)
			}
		})
	}
	if apart < len(wanted)/2 {
		t.Errorf("only %d of %d samples can be read in part", apart, len(wanted))
	}
}

func eventTexts(t *testing.T, l *Log, w analyze.Want) (events []analyze.Event) {
	t.Helper()
	for e, err := range l.Events(w) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// TestNotApart checks that records which need others are read with them.
func TestNotApart(t *testing.T) {
	request := `{"time":"2026-11-20T10:00:00.000Z","msg":"sending","reqid":"r1","pnid":"990000000000001","to":"12025550111"}` + "\n"
	answer := `{"time":"2026-11-20T10:00:00.300Z","msg":"answer","reqid":"r1","status":400,"error":{"code":131056}}` + "\n"
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(request+answer), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(t.Context(), Options{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all := eventTexts(t, l, analyze.Want{})
	if len(all) != 1 || l.sources[0].apart {
		t.Fatalf("%d events, apart %v", len(all), l.sources[0].apart)
	}
	got := eventTexts(t, l, analyze.Want{Place: func(p analyze.Place) bool { return p.Line == 2 }})
	if diff := cmp.Diff(all, got); diff != "" {
		t.Error(diff)
	}
}
