package readlog

import (
	"slices"
	"testing"
)

func TestAfterLike(t *testing.T) {
	for _, tt := range []struct {
		s, prefix, want string
		ok              bool
	}{
		{"2026-11-18T14:04:01.5Z   \"a\": 1", "2026-11-18T14:04:00.123Z ", "  \"a\": 1", true},
		{"Nov 18 14:04:01 srv node[812]: }", "Nov 18 14:04:00 srv node[812]: ", "}", true},
		{"Nov 18 14:04:01 srv cron[9]: x", "Nov 18 14:04:00 srv node[812]: ", "", false},
		{"14:04", "14:04:00 ", "", false},
		{"anything", "", "anything", true},
	} {
		got, ok := afterLike(tt.s, tt.prefix)
		if got != tt.want || ok != tt.ok {
			t.Errorf("afterLike(%q, %q) = %q, %v", tt.s, tt.prefix, got, ok)
		}
	}
}

func TestPhonesIn(t *testing.T) {
	for words, want := range map[string][]string{
		"104857600000001 5511987654321 sent":    {"104857600000001", "5511987654321"},
		"to 5511987654321, again 5511987654321": {"5511987654321"},
		"order 12 of 34":                        nil,
	} {
		if got := phonesIn(words); !slices.Equal(got, want) {
			t.Errorf("phonesIn(%q) = %q, want %q", words, got, want)
		}
	}
}

func TestArrows(t *testing.T) {
	for words, want := range map[string][2]string{
		"104857600000001 -> 5511987654321: failed":  {"104857600000001", "5511987654321"},
		"WhatsApp 104857600000001 to 5511987654321": {"104857600000001", "5511987654321"},
		"step 3 -> 4": {},
	} {
		if got := [2]string{beforeArrow(words), toNumber.find(words)}; got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
