package campaign

import (
	"regexp"
	"testing"
)

func TestStepID(t *testing.T) {
	uid := [16]byte{1, 2, 3}
	id := StepID(uid, "+5511987654321", 0)
	if want := "xp4jctpqg6zfn8bssvd3n20h2c"; id != want {
		t.Errorf("StepID = %s, want %s: ids that are in states and in statuses must not change", id, want)
	}
	if !regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{26}$`).MatchString(id) {
		t.Errorf("StepID = %s, want 26 characters that nobody confuses", id)
	}
	others := map[string]string{
		"other campaign":  StepID([16]byte{1, 2, 4}, "+5511987654321", 0),
		"other recipient": StepID(uid, "+5511987654322", 0),
		"second message":  StepID(uid, "+5511987654321", 1),
	}
	for name, other := range others {
		if other == id {
			t.Errorf("%s: the id is the same", name)
		}
	}
}

func TestPair(t *testing.T) {
	if got := (Recipient{Phone: "+5511987654321", BSUID: "BR.1"}).Pair(); got != 5511987654321 {
		t.Errorf("Pair by phone = %d, want its digits", got)
	}
	a, b := Recipient{BSUID: "BR.1"}.Pair(), Recipient{BSUID: "BR.2"}.Pair()
	if a == b || a>>63 == 0 || b>>63 == 0 {
		t.Errorf("Pair by BSUID = %x and %x, want two keys that no phone number has", a, b)
	}
}
