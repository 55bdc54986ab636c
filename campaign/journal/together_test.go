package journal

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// written are all words and opt-outs of a state, without what differs from one writing to the next.
func written(t *testing.T, s *Store) (rows []string) {
	t.Helper()
	for _, query := range []string{
		"SELECT 'word ' || coalesce(step, 'of nobody') || ' ' || message_id || ' ' || status || ' ' || at || ' ' || code || ' ' || raw FROM statuses ORDER BY message_id, status",
		"SELECT 'step ' || step || ' ' || state || ' ' || code FROM steps ORDER BY step",
		"SELECT 'rest ' || coalesce(phone, bsuid) || ' ' || scope || ' ' || reason || ' ' || coalesce(until_at, 'for good') FROM suppressions ORDER BY phone, bsuid, scope",
	} {
		err := s.read(context.Background(), "look", func(ctx context.Context, q *session) error {
			return q.each(ctx, query, nil, func(scan func(...any) error) error {
				var row string
				err := scan(&row)
				rows = append(rows, row)
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// Many words that are written together leave the same behind as each by itself.
func TestTogetherOrOneByOne(t *testing.T) {
	together, single := openTest(t, filepath.Join(t.TempDir(), "together.db")), openTest(t, filepath.Join(t.TempDir(), "single.db"))
	campaigns, orphans := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		campaigns++
		const people = 30
		type told struct {
			who, kind, code int
			callback        bool
			details         string
			at              ratelimit.Instant
		}
		kinds := []string{"sent", "delivered", "read", "failed", "", "odd"}
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) told {
			x := told{who: rapid.IntRange(0, people+3).Draw(t, "who"), kind: rapid.IntRange(0, len(kinds)-1).Draw(t, "kind"), callback: rapid.IntRange(0, 3).Draw(t, "callback") > 0,
				at: when + ratelimit.Instant(rapid.IntRange(0, 2).Draw(t, "at"))*second}
			if kinds[x.kind] == "failed" {
				x.code = rapid.SampledFrom([]int{0, 131026, 131049, 131050, 131056, 132015}).Draw(t, "code")
				x.details = rapid.SampledFrom([]string{"", "why", `"`}).Draw(t, "details")
			}
			return x
		}), 1, 3*batchRows).Draw(rt, "words")
		answers := rapid.SliceOfN(rapid.IntRange(0, 4), people, people).Draw(rt, "answers")
		play := func(s *Store, each bool) map[string]int {
			w := sceneIn(t, s, fmt.Sprint("c", campaigns), people)
			defer w.l.Release(context.Background())
			unique := func(i int) string { return fmt.Sprint("wamid.", campaigns, ".", i) }
			for i, kind := range answers {
				switch a := takenBy(i); kind {
				case 0:
					w.intend(i, 1) // on its way
				case 1:
					w.send(i, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
				case 2:
					a.Class, a.MessageID = outcome.Held, unique(i)
					w.send(i, campaign.Held, a)
				default:
					a.MessageID = unique(i)
					w.send(i, campaign.Sent, a)
				}
			}
			var words []feedback.Status
			for _, x := range list {
				f := feedback.Status{MessageID: unique(x.who), Kind: kinds[x.kind], Code: x.code, Details: x.details, At: x.at}
				if x.callback && x.who < people {
					f.Step = w.plan[x.who].ID
				}
				words = append(words, f)
			}
			if !each {
				return w.tell(words...)
			}
			sum := map[string]int{}
			for _, f := range words {
				for name, n := range w.tell(f) {
					sum[name] += n
				}
			}
			return sum
		}
		all, one := play(together, false), play(single, true)
		if orphans += all[feedback.CountOrphan]; all[feedback.CountNew] != one[feedback.CountNew] || all[feedback.CountOrphan] != one[feedback.CountOrphan] {
			rt.Fatalf("counted %v together and %v one by one", all, one)
		}
		if a, b := strings.Join(written(t, together), "\n"), strings.Join(written(t, single), "\n"); a != b {
			wantDiff(t, "written one by one and together", strings.Split(b, "\n"), strings.Split(a, "\n"))
			rt.FailNow()
		}
	})
	if orphans == 0 {
		t.Error("no word was about nobody: the check has looked at half of it")
	}
}
