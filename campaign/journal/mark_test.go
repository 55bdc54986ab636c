package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wactl/wactl/campaign"
)

// TestStateThatLostItsEnd: a state that is older than what was promised of it sends nothing, until somebody says that this is known.
func TestStateThatLostItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	w := sceneIn(t, openTest(t, path), "spring", 5)
	w.intend(0, 1)
	closeScene(t, w)
	older := must[[]byte](t)(os.ReadFile(path))

	s := openTest(t, path)
	claim := Claim{Target: home, Campaign: "spring"}
	l := must[*Lease](t)(s.Acquire(t.Context(), ThisProcess(), claim)) // nothing is missing
	run := must[*Run](t)(l.Run(t.Context(), w.c, false))
	if err := run.Commit(t.Context(), []campaign.Intent{{Seq: 1, Attempt: 1, At: 5}, {Seq: 2, Attempt: 1, At: 6}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Release(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	newer := must[[]byte](t)(os.ReadFile(path))

	claimed := func(file []byte) error {
		t.Helper()
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openTest(t, path)
		defer s.Close()
		_, err := s.Acquire(t.Context(), ThisProcess(), claim)
		return err
	}
	err := claimed(older)
	known, ok := errors.AsType[*StateError](err)
	if !errors.Is(err, errCutOff) || !ok || known.Path != path || !strings.Contains(known.Hint(), "-mark") {
		t.Fatalf("an older state: %v", err)
	}
	if err := claimed(newer); err != nil {
		t.Errorf("the state is back: %v", err)
	}
	if err := os.Remove(path + "-mark"); err != nil {
		t.Fatal(err)
	}
	if err := claimed(older); err != nil {
		t.Errorf("without a mark: %v", err)
	}
}

func closeScene(t *testing.T, w *scene) {
	t.Helper()
	if err := errors.Join(w.l.Release(t.Context()), w.Store.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestMarkThatNamesNothing: a mark that is broken or of a state before this one stops nobody.
func TestMarkThatNamesNothing(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "short": "abc", "blank": strings.Repeat("\x00", markSize), "wrong sum": strings.Repeat("x", markSize)} {
		path := filepath.Join(t.TempDir(), "state.db")
		s := openTest(t, path)
		if err := os.WriteFile(path+"-mark", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: "c"}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "state.db")
	w := sceneIn(t, openTest(t, path), "spring", 1)
	w.intend(0, 1)
	closeScene(t, w)
	if err := os.Remove(path); err != nil { // on purpose: the state begins anew
		t.Fatal(err)
	}
	if _, err := openTest(t, path).Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: "spring"}); err != nil {
		t.Errorf("a new state in the place of one that was removed: %v", err)
	}
}

// TestErasingTakesTheMarkAway: what the mark names may be erased on purpose.
func TestErasingTakesTheMarkAway(t *testing.T) {
	w := newScene(t, 2)
	w.intend(0, 1)
	if _, _, ok := w.readMark(); !ok {
		t.Fatal("an intent left no mark")
	}
	if err := w.l.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), 5511900000000, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := w.readMark(); ok {
		t.Error("the mark is still there")
	}
	if _, err := w.Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: "spring"}); err != nil {
		t.Error(err)
	}
}
