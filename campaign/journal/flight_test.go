package journal

import (
	"os"
	"testing"

	"github.com/wactl/wactl/campaign"
)

// A message whose request left is in flight while its sender lives and uncertain once it is gone. Nobody may export it as pending: sent from
// the export, its person would get it twice.
func TestOpenRequests(t *testing.T) {
	w := newScene(t, 3)
	w.send(0, campaign.Sent, accepted)
	w.intend(1, 1)
	lines := func(state campaign.State) (list []int) {
		for r, err := range w.Rows(t.Context(), w.c, Filter{State: state}) {
			if err != nil {
				t.Fatal(err)
			}
			if state != "" && r.State != state {
				t.Errorf("asked for %s, line %d is %s", state, r.Line, r.State)
			}
			list = append(list, r.Seq)
		}
		return list
	}
	parent, _ := startOf(os.Getppid())
	for name, c := range map[string]struct {
		pid                int
		started            string
		pending, uncertain int
		exported           []int
	}{
		"sent by another process": {os.Getppid(), parent, 2, 0, nil},
		"its sender was killed":   {deadPID(t), "1", 1, 1, []int{1}},
		"its sender is done":      {os.Getpid(), ThisProcess().Started, 1, 1, []int{1}},
	} {
		w.exec("UPDATE leases SET pid = ?, started = ?", c.pid, c.started)
		if n := w.counts(); n.Pending != c.pending || n.Uncertain != c.uncertain {
			t.Errorf("%s: %d pending and %d uncertain, want %d and %d", name, n.Pending, n.Uncertain, c.pending, c.uncertain)
		}
		wantDiff(t, name+": pending rows", []int{2}, lines(campaign.Pending))
		wantDiff(t, name+": uncertain rows", c.exported, lines(campaign.Uncertain))
		wantDiff(t, name+": all rows", []int{0, 1, 2}, lines(""))
	}
	w.exec("DELETE FROM leases")
	wantDiff(t, "without a lease", []int{1}, lines(campaign.Uncertain))
}
