package journal

import (
	"testing"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// An upload belongs to its number and its content, and is not used again in the last week of its life.
func TestMedia(t *testing.T) {
	ctx := t.Context()
	s, err := Open(ctx, t.TempDir()+"/state.db", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	start := ratelimit.At(time.Date(2026, 10, 28, 14, 0, 0, 0, time.UTC))
	one, two := Target{"cloud", "https://x.example", "1"}, Target{"cloud", "https://x.example", "2"}
	if err := s.KeepMedia(ctx, one, "aa", "100", start); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		n     Target
		sum   string
		after time.Duration
		want  string
	}{
		{one, "aa", 0, "100"},
		{one, "aa", 23 * 24 * time.Hour, "100"},
		{one, "aa", 23*24*time.Hour + 1, ""},
		{one, "aa", -time.Hour, ""}, // a clock that was set back proves nothing
		{one, "bb", 0, ""},
		{two, "aa", 0, ""},
	}
	for _, tt := range tests {
		if got, err := s.UploadedMedia(ctx, tt.n, tt.sum, start.Add(tt.after)); got != tt.want || err != nil {
			t.Errorf("%v %s after %s: %q, %v; want %q", tt.n, tt.sum, tt.after, got, err, tt.want)
		}
	}
	later := start.Add(24 * 24 * time.Hour)
	if err := s.KeepMedia(ctx, one, "aa", "101", later); err != nil {
		t.Fatal(err)
	}
	if got, err := s.UploadedMedia(ctx, one, "aa", later); got != "101" || err != nil {
		t.Errorf("after the second upload: %q, %v", got, err)
	}
}
