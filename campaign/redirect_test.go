package campaign

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign/template"
)

func TestRedirect(t *testing.T) {
	for _, n := range []int{1, 2, 3, 9} {
		p := mustPlan(t, "phone,last_inbound_at\n+5511961234567,2026-12-01T08:00:00Z\n+5511961234568,\n12,\n+5511961234569,\n", template.Spec{Text: "Oi"}, RefuseDuplicates)
		want := min(n, p.Messages())
		p.Redirect(447900900123, n)
		if p.Messages() != want || p.Rows != want || p.Recipients != 1 || len(p.LeftOut)+len(p.Skipped) != 0 || p.Unsure != want {
			t.Errorf("%d: %+v", n, p)
		}
		var got []string
		ids := map[string]bool{}
		for s, err := range p.Steps([16]byte{1}, PlanOptions{NumberID: "106"}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, s.Recipient.Phone+" "+s.Message.Text)
			ids[s.ID] = true
		}
		if diff := cmp.Diff([]string{"+447900900123 Oi", "+447900900123 Oi", "+447900900123 Oi"}[:want], got); diff != "" || len(ids) != want {
			t.Errorf("%d: %d ids, (-want +got):\n%s", n, len(ids), diff)
		}
	}
}
