package outcome

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// wantClasses is the table read the other way round: which codes the sender treats alike. Ranges stand as first and last code.
var wantClasses = map[Class][][2]int{
	PairWait:   {{131056, 131056}},
	NumberSlow: {{130429, 130429}},
	NumberHold: {{131057, 131057}, {134101, 134101}, {2494100, 2494100}},
	CallsWait:  {{4, 4}, {613, 613}, {80007, 80007}, {80008, 80008}},
	RetryFew:   {{1, 1}, {2, 2}, {131000, 131000}, {131016, 131016}, {133004, 133004}},
	RecipientFailed: {
		{130403, 130403}, {130472, 130472}, {130497, 130497}, {131020, 131020}, {131021, 131021}, {131026, 131026}, {131030, 131030},
		{131041, 131041}, {131043, 131043}, {131047, 131047}, {131049, 131049}, {131050, 131050}, {131062, 131062}, {137000, 137000},
	},
	RequestWrong: {
		{100, 100}, {131008, 131008}, {131009, 131009}, {131051, 131051}, {131052, 131052}, {131053, 131053}, {131055, 131055},
		{131059, 131059}, {131060, 131060}, {131201, 131215}, {132000, 132000}, {132001, 132001}, {132005, 132005}, {132007, 132007},
		{132008, 132008}, {132012, 132012}, {132018, 132018}, {132021, 132021}, {134100, 134100}, {135000, 135000}, {138000, 138025},
		{139000, 139004}, {139100, 139103}, {141000, 141999}, {147001, 147005}, {200005, 200007}, {1752041, 1752041},
		{2388001, 2388299}, {2593079, 2593108},
	},
	Stop: {
		{0, 0}, {3, 3}, {10, 10}, {33, 33}, {104, 104}, {190, 190}, {200, 299}, {368, 368}, {131005, 131005}, {131031, 131031},
		{131037, 131037}, {131042, 131042}, {131044, 131044}, {131045, 131045}, {131048, 131048}, {131063, 131063}, {131064, 131064},
		{132015, 132015}, {132016, 132016}, {132068, 132068}, {132069, 132069}, {133000, 133000}, {133005, 133005}, {133006, 133006},
		{133008, 133008}, {133009, 133009}, {133010, 133010}, {133015, 133015}, {133016, 133016}, {134011, 134011}, {134102, 134102},
	},
}

func TestClassOfEachCode(t *testing.T) {
	got := map[Class][][2]int{}
	for e := range All() {
		got[e.Class] = append(got[e.Class], [2]int{e.Code, e.Last})
	}
	if diff := cmp.Diff(wantClasses, got); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}

func TestNoCodeStandsTwice(t *testing.T) {
	last := -1
	for e := range All() {
		if e.Code <= last {
			t.Errorf("%d overlaps the row that ends with %d", e.Code, last)
		}
		last = e.Last
	}
	if last < 0 {
		t.Fatal("no rows")
	}
}

func TestEveryRowIsComplete(t *testing.T) {
	for e := range All() {
		missing := map[string]bool{
			"title": e.Title == "", "meaning": e.Means == "", "advice": e.Advice == "", "scope": e.Scope == "", "class": e.Class == "",
			"known": !e.Known, "last": e.Last < e.Code,
			"full stop":            !strings.HasSuffix(e.Means, ".") || !strings.HasSuffix(e.Advice, ".") || e.Not != "" && !strings.HasSuffix(e.Not, "."),
			"tries of retry-few":   (e.Class == RetryFew) != (e.Tries > 1),
			"wait of number-hold":  (e.Class == NumberHold) != (e.Wait > 0),
			"reason of stop":       (e.Class == Stop) != (e.Why != ""),
			"scope of an answer":   e.Class == Stop && (e.Scope == ScopeRecipient || e.Scope == ScopeRequest || e.Scope == ScopeElsewhere),
			"scope of a recipient": e.Class == RecipientFailed && e.Scope != ScopeRecipient && e.Scope != ScopePair,
		}
		for what, bad := range missing {
			if bad {
				t.Errorf("%d: %s", e.Code, what)
			}
		}
	}
}

// TestSlowerHelpsOnlyAgainstPace holds the list of codes for which a slower pace is the cure, and of those that people slow down for in vain.
func TestSlowerHelpsOnlyAgainstPace(t *testing.T) {
	var got []int
	for e := range All() {
		if e.Slower {
			got = append(got, e.Code)
		}
	}
	if diff := cmp.Diff([]int{4, 613, 80007, 80008, 130429, 131056}, got); diff != "" {
		t.Errorf("codes that a slower pace cures (-want +got):\n%s", diff)
	}
	for _, code := range []int{131048, 131049, 131056, 131057, 130429, 80007, 4, 131047, 132012} {
		if ForCode(code).Not == "" {
			t.Errorf("%d is often mistaken for something else, and the row does not say so", code)
		}
	}
}

func TestEveryClassIsUsed(t *testing.T) {
	used := map[Class]bool{}
	for e := range All() {
		used[e.Class] = true
	}
	for _, r := range bare {
		used[r.Class] = true
	}
	all := []Class{Accepted, Held, PairWait, NumberSlow, NumberHold, CallsWait, RetryFew, RecipientFailed, RequestWrong, Stop, Uncertain}
	for _, c := range all {
		if !used[c] {
			t.Errorf("no row has class %s", c)
		}
	}
	for c := range used {
		if !slices.Contains(all, c) {
			t.Errorf("class %q is not one of the published ones", c)
		}
	}
}

func TestForCodeAnswersEveryNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.OneOf(rapid.Int(), rapid.IntRange(0, 400), rapid.IntRange(130000, 142000), rapid.IntRange(199990, 200020)).Draw(t, "code")
		got := ForCode(code)
		known := false
		for e := range All() {
			if e.Code <= code && code <= e.Last {
				known = true
				if diff := cmp.Diff(e, got); diff != "" {
					t.Fatalf("%d (-row +got):\n%s", code, diff)
				}
			}
		}
		if known != got.Known {
			t.Fatalf("ForCode(%d).Known = %t", code, got.Known)
		}
		if !known && (got.Class != RetryFew || got.Tries != 3 || got.Code != code || got.Title == "" || got.Means == "" || got.Advice == "") {
			t.Fatalf("ForCode(%d) = %+v; an unknown code is tried three times", code, got)
		}
	})
}

// TestTemplateInsightsAreNoPermission guards a look-alike: 200005 begins like 200 and is another family.
func TestTemplateInsightsAreNoPermission(t *testing.T) {
	for code, want := range map[int]Class{199: RetryFew, 200: Stop, 294: Stop, 299: Stop, 300: RetryFew, 200005: RequestWrong, 200008: RetryFew} {
		if got := ForCode(code).Class; got != want {
			t.Errorf("ForCode(%d).Class = %s, want %s", code, got, want)
		}
	}
}

func TestStopReasonReadsAsAClause(t *testing.T) {
	if got, want := ForCode(132015).Why, "the template is paused because people reacted badly to it"; got != want {
		t.Errorf("Why = %q, want %q", got, want)
	}
	if got := stopReason(Entry{Why: "own words", Means: "Other."}); got != "own words" {
		t.Errorf("a row's own reason is lost: %q", got)
	}
}
