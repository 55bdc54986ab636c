package journal

import "testing"

func TestParseStat(t *testing.T) {
	tail := " 1 1 1 0 -1 4194304 101 0 0 0 0 0 0 0 20 0 1 0 101802 3133440"
	tests := []struct {
		line, started string
		lives         bool
	}{
		{"11851 (cat) R" + tail, "101802", true},
		{"11851 (a ) Z (b) S" + tail, "101802", true},
		{"11851 (cat) Z" + tail, "101802", false},
		{"11851 (cat) X" + tail, "101802", false},
		{"", "", false},
		{"11851 (cat) R 1", "", false},
	}
	for _, tt := range tests {
		if started, lives := parseStat(tt.line); started != tt.started || lives != tt.lives {
			t.Errorf("parseStat(%q) = %q, %v; want %q, %v", tt.line, started, lives, tt.started, tt.lives)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("11851 (cat) R 1 1 1 0 -1 4194304 101 0 0 0 0 0 0 0 20 0 1 0 101802 3133440")
	f.Add(")")
	f.Fuzz(func(t *testing.T, line string) {
		if started, lives := parseStat(line); lives && started == "" {
			t.Errorf("parseStat(%q) lives without a start", line)
		}
	})
}
