package approval

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sent is messages to these people, each with the content of this number.
func sent(people ...uint64) []Message {
	all := make([]Message, len(people))
	for i, p := range people {
		all[i] = Message{Recipient: p, Content: [16]byte{byte(p), byte(p >> 8)}}
	}
	return all
}

func plan(hash string, messages []Message) Plan {
	return New(Plan{List: List{Hash: hash, Rows: len(messages), Messages: len(messages), Recipients: len(messages)}, Content: Content{Mapping: "m"},
		Limits: map[string]string{"mps": "76"}}, slices.Values(messages))
}

func TestDrift(t *testing.T) {
	base := sent(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	other := func(change func(m []Message)) []Message {
		m := slices.Clone(base)
		change(m)
		return m
	}
	slower := plan("a", base)
	slower.Limits = map[string]string{"mps": "10", "tier": "250"}
	for _, tc := range []struct {
		name string
		now  Plan
		want []Drift
	}{
		{"the same", plan("a", base), nil},
		{"another file", plan("b", base), []Drift{{"list", "the file is another one, with the same people"}}},
		{"one content", plan("b", other(func(m []Message) { m[3].Content[5] = 9 })),
			[]Drift{{"list", "the file is another one, with the same people"}, {"content", "1 message of 10 with another content"}}},
		{"one more", plan("b", append(slices.Clone(base), sent(11)...)),
			[]Drift{{"list", "rows 10, now 11; messages 10, now 11; people 10, now 11; 1 recipient is new or gone"}}},
		{"somebody else", plan("b", other(func(m []Message) { m[9] = sent(99)[0] })), []Drift{{"list", "2 recipients are new or gone"}}},
		{"the same person twice", plan("b", other(func(m []Message) { m[9] = m[8] })), []Drift{{"list", "2 recipients are new or gone"}}},
		{"two places", plan("a", other(func(m []Message) { m[0], m[1] = m[1], m[0] })), []Drift{{"order", "2 places are another person's"}}},
		{"another number", plan("a", other(func(m []Message) { m[0].Number = "12" })), []Drift{{"order", "the same people, from other numbers"}}},
		{"limits", slower, []Drift{{"limits", "mps 76, now 10; tier none, now 250"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, plan("a", base).Drift(tc.now)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAnyChangeIsSeen changes one thing at random: no change goes unseen, and how much differs is told within a factor of two, or two of it.
func TestAnyChangeIsSeen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(rt, "messages")
		base := make([]Message, n)
		for i := range base {
			base[i] = sent(mix(uint64(i)) % 1e13)[0]
		}
		changed := slices.Clone(base)
		k := rapid.IntRange(1, min(n, 50)).Draw(rt, "changes")
		for i := range k {
			changed[i].Content[15]++
		}
		was, is := plan("a", base), plan("a", changed)
		drift := was.Drift(is)
		if len(drift) == 0 || drift[0].Part != "content" {
			rt.Fatalf("%d changed contents of %d give %v", k, n, drift)
		}
		if got := differ(was.Content.Sketch, is.Content.Sketch, n); got > 2*k+2 || 2*got+2 < k {
			rt.Fatalf("%d changes are told as %d", k, got)
		}
	})
}

func TestReadAndWrite(t *testing.T) {
	var b bytes.Buffer
	p := plan("a", sent(5511961231001, 5511961231002))
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "96123") {
		t.Errorf("a phone number stands in the plan:\n%s", b.String())
	}
	again, err := Read(bytes.NewReader(b.Bytes()))
	if diff := cmp.Diff(p, again); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, text := range []string{"", "{}", "phone\n+55", `{"version":2}`, `{"version":1,"list":{"sha256":"x"}}`, "[]"} {
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, ErrPlan) {
			t.Errorf("Read(%q) = %v, want ErrPlan", text, err)
		}
	}
}

// FuzzRead wants an error or a plan for any bytes; whatever was read can be held against another plan.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := plan("a", sent(1, 2)).Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"version":1,"list":{"sha256":"a","sketch":"??"},"content":{"sha256":"b"},"order":{"sha256":"c"},"limits":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		if drift := p.Drift(p); len(drift) != 0 {
			t.Errorf("a plan differs from itself: %v", drift)
		}
		p.Drift(plan("a", sent(1)))
	})
}
