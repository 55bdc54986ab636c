package wire

import (
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWamidRecipientOfTheirs reads ids from the platform's own documentation.
func TestWamidRecipientOfTheirs(t *testing.T) {
	for _, id := range []string{
		"wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBJDQjZCMzlEQUE4OTJBMTE4RTUA",
		"wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
		"wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA",
	} {
		if got, ok := WamidRecipient(id); !ok || got != "16503879439" {
			t.Errorf("%s: %q, %t", id, got, ok)
		}
	}
}

func TestNewWamidLooksLikeTheirs(t *testing.T) {
	got := NewWamid("16503879439", []byte("seed 1"))
	theirs := "wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBJDQjZCMzlEQUE4OTJBMTE4RTUA"
	if len(got) != len(theirs) || !strings.HasPrefix(got, theirs[:32]) {
		t.Errorf("%s\nis not of the form\n%s", got, theirs)
	}
}

func TestWamidRecipientOfOthers(t *testing.T) {
	raw := func(s string) string { return "wamid." + base64.StdEncoding.EncodeToString([]byte(s)) }
	for name, id := range map[string]string{
		"empty":             "",
		"other kind":        "msg_0123",
		"no base64":         "wamid.%%%",
		"nothing in it":     "wamid.",
		"other bytes":       raw("\x1c\x19\x0b16503879439"),
		"head only":         raw("\x1c\x18"),
		"length too long":   raw("\x1c\x18\x0b1650387943"),
		"endless length":    raw("\x1c\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		"unfinished length": raw("\x1c\x18\xff"),
		"user id":           NewWamid("BR.13491208655302741918", nil),
		"too few digits":    NewWamid("1234", nil),
		"too many digits":   NewWamid("1234567890123456", nil),
	} {
		if got, ok := WamidRecipient(id); ok || got != "" {
			t.Errorf("%s: %q, %t", name, got, ok)
		}
	}
}

func TestWamidCarriesItsRecipient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[1-9][0-9]{4,14}`).Draw(t, "digits")
		a := rapid.SliceOf(rapid.Byte()).Draw(t, "entropy")
		id := NewWamid(digits, a)
		if got, ok := WamidRecipient(id); !ok || got != digits {
			t.Fatalf("%s: %q, %t; want %q", id, got, ok, digits)
		}
		if other := NewWamid(digits, append(a, 1)); other == id {
			t.Fatalf("two entropies give the same id %s", id)
		}
	})
}

func FuzzWamidRecipient(f *testing.F) {
	f.Add("wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBJDQjZCMzlEQUE4OTJBMTE4RTUA")
	f.Add("wamid.HBj/////DwA=")
	f.Add(NewWamid("BR.13491208655302741918", []byte{1}))
	f.Fuzz(func(t *testing.T, id string) {
		digits, ok := WamidRecipient(id)
		if ok != isWaID(digits) {
			t.Errorf("%q gives %q, %t", id, digits, ok)
		}
	})
}
