package analyze

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

func TestRecipients(t *testing.T) {
	for _, tt := range []struct{ id, region, want string }{
		{"12025550111", "", "+12025550111"},
		{"+12025550111", "", "+12025550111"},
		{"+1 202-555.0111", "", "+12025550111"},
		{"0012025550111", "", "+12025550111"},
		{"12025550111@c.us", "", "+12025550111"},
		{"12025550111.0:3@s.whatsapp.net", "", "+12025550111"},
		{" whatsapp:+12025550111 ", "", "+12025550111"},
		{"120363000000000000@g.us", "", "120363000000000000@g.us"},
		{"9f86d081884c7d65", "", "9f86d081884c7d65"},
		{"US.13491208000000000001", "", "US.13491208000000000001"},
		{"12025550***", "", ""},
		{"1202555xxxx", "", ""},
		{"+1 202 555 ••11", "", ""},
		{"", "", ""},
		{"911", "", "911"},
		{"011 98765-4321", "", "011 98765-4321"}, // no country: not a number that could be told
		{"011 98765-4321", "BR", "+5511987654321"},
		{"11987654321", "BR", "+5511987654321"},
		{"5511987654321", "BR", "+5511987654321"},
		{"+12025550111", "BR", "+12025550111"},
		{"12025550111", "BR", "+12025550111"},
	} {
		l := Ledger{Region: tt.region}
		if got := l.recipientText(l.Recipient([]byte(tt.id))); got != tt.want {
			t.Errorf("%q in %q is %q, want %q", tt.id, tt.region, got, tt.want)
		}
	}
}

// TestLinksHaveNoOrder holds that who stands for a person does not depend on the order of the events.
func TestLinksHaveNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := []string{"12025550111", "447700900123", "h:1", "h:2", "US.1", "552080000101", "5520980000101"}
		link := rapid.Custom(func(t *rapid.T) [2]string {
			return [2]string{rapid.SampledFrom(ids).Draw(t, "a"), rapid.SampledFrom(ids).Draw(t, "b")}
		})
		links := rapid.SliceOfN(link, 0, 8).Draw(t, "links")
		other := rapid.Permutation(links).Draw(t, "order")
		names := func(links [][2]string) (all []string) {
			var l Ledger
			for _, id := range ids {
				l.Recipient([]byte(id))
			}
			for _, p := range links {
				l.Link(l.Recipient([]byte(p[0])), l.Recipient([]byte(p[1])))
			}
			for _, id := range ids {
				all = append(all, l.recipientText(l.users.find(l.Recipient([]byte(id)))))
			}
			return all
		}
		a, b := names(links), names(other)
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("%s is %s or %s", ids[i], a[i], b[i])
			}
		}
	})
}

func TestFactsAreSmall(t *testing.T) {
	if size := unsafe.Sizeof(fact{}); size != 40 {
		t.Errorf("a fact takes %d bytes", size)
	}
}

func TestFactsKeepWhatTheyAreGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Fact{
			Kind: Kind(rapid.IntRange(0, int(Echo)).Draw(t, "kind")), Naive: rapid.Bool().Draw(t, "naive"), Number: rapid.Uint16().Draw(t, "number"),
			Recipient: rapid.Uint64Range(0, whoMask).Draw(t, "recipient"), Message: rapid.Uint64().Draw(t, "message"),
			At: rapid.Int64Range(0, maxMillis).Draw(t, "at"), Until: rapid.SampledFrom(resolutions[:]).Draw(t, "until"),
			Place: Place{rapid.IntRange(0, fileMask).Draw(t, "file"), rapid.IntRange(0, 1<<32-1).Draw(t, "line")},
		}
		code := rapid.IntRange(0, maxCodes).Draw(t, "code")
		p := f.pack(code)
		r := role(rapid.IntRange(0, int(incoming)).Draw(t, "role"))
		p.setRole(r)
		got := Fact{Kind: p.kind(), Naive: p.naive(), Number: p.number, Recipient: p.recipient(), Message: p.message, At: p.at(), Until: p.grain(), Place: p.place()}
		if got != f || p.code() != code || p.role() != r || p.fresh() {
			t.Fatalf("%+v became %+v, code %d role %d", f, got, p.code(), p.role())
		}
	})
}
