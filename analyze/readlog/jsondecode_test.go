package readlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzDecode checks that the plain decoder reads what encoding/json reads, and nothing else.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-2.5e+3,null,true,false,"x\u00e9\ud83d\ude00\n"],"a":{}}`, `[]`, ` { } `, `01`, `1.`, `-`, `1e`, `"\ud83d"`, `"\ud83dx\u0041"`, `"\q"`, "\"\xff\"", "\"\t\"", `{"a":1,}`, `[1,]`, `{"a"}`, `{1:2}`,
		`tru`, `nullx`, `1 2`, `"a`, `{"a":"b`, `"\u12"`, `"\ud83d\u0041"`, "\"\\", "\ufeff{}", "\"\u2028\"", `-0`, `1E9`, "{\"\\u0061\":1}", "{\"\xff\":1}", strings.Repeat("[", 300) + strings.Repeat("]", 300),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := decodeSlow([]byte(s))
		got, ok, unsure := decodePlain(s)
		if unsure {
			return
		}
		if ok != (err == nil) {
			t.Fatalf("%q: read %v, want error %v", s, ok, err)
		}
		if diff := cmp.Diff(want, got); ok && diff != "" {
			t.Fatalf("%q:\n%s", s, diff)
		}
	})
}

// TestDecodeUnsure checks that the plain decoder leaves to encoding/json what it is not sure of, and that both together read it.
func TestDecodeUnsure(t *testing.T) {
	for _, s := range []string{"{\"a\":\"\xff\"}", strings.Repeat("[", 300) + strings.Repeat("]", 300)} {
		if _, _, unsure := decodePlain(s); !unsure {
			t.Errorf("%.20q was sure", s)
		}
		if _, err := decodeText(s); err != nil {
			t.Errorf("%.20q: %v", s, err)
		}
	}
}

// TestKeyNames checks that names are kept within bounds, whatever a log makes of them.
func TestKeyNames(t *testing.T) {
	if k := keyOf("phone_number_id"); k.bare != "phonenumberid" || !k.ranked || k.rank.meaning != meansNumber {
		t.Errorf("%+v", k)
	}
	if long := strings.Repeat("x", maxKeyLen+1); knownKey(long) != nil || keyOf(long).bare != long {
		t.Error("a long name was kept")
	}
	if keyOf("metaErrorCode").code != 0 || keyOf("wamid").code != -1 {
		t.Error("the place of a code is wrong")
	}
}
