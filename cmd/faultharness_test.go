//go:build linux

package cmd_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	faultScale = flag.Int("faults", 1, "how many times as many people TestFaults writes to as in the short form; from 2 on the faults that take minutes come too")
	faultSeed  = flag.Uint64("fault-seed", 0, "seed of TestFaults; 0 draws one")
	faultsOnly = flag.String("fault", "", "of TestFaults only rows whose name contains `TEXT`")
)

// faultsAtOnce is how many rows of the table run side by side. They wait most of the time.
const faultsAtOnce = 10

// faultRow is one way in which a send can go wrong.
type faultRow struct {
	name   string
	people int  // in the short form
	long   bool // takes minutes
	run    func(c *faultCase)
}

// faultCase is one row under way, in a folder, with a list and an emulator of its own.
type faultCase struct {
	program
	random *rand.Rand
	seed   uint64
	list   *list
	path   string
	server *server
	ended  []string // how each run ended
	open   bool     // something may stay pending: nobody can be reached
}

// faultTally is what a row came to, by the emulator's own record and by the state, read apart from wactl.
type faultTally struct {
	name                             string
	people, accepted                 int
	struck                           int // requests that were refused, or whose answer did not come whole
	twice, lost, throttled           []string
	sent, failed, uncertain, pending int
	ended                            string
}

const faultHeader = "fault                                                  recipients  accepted  struck  accepted twice  lost  failed for throttling  failed  uncertain  pending  ended"

func (f faultTally) row() string {
	return fmt.Sprintf("%-54s %10d %9d %7d %15d %5d %22d %7d %10d %8d  %s", f.name, f.people, f.accepted, f.struck, len(f.twice), len(f.lost), len(f.throttled),
		f.failed, f.uncertain, f.pending, f.ended)
}

// TestFaults sends through every fault of the table, against an emulator in a process of its own, and prints what became of everybody. Nobody may be
// accepted twice or be lost, and nobody may fail for being throttled.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes real time")
	}
	seed := *faultSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("the same faults again: -fault-seed %d", seed)
	if *faultScale > 1 {
		patience = 15 * time.Minute
		defer func() { patience = time.Minute }()
	}
	path := build(t)
	rows := chosenFaults(faultRows())
	tallies := make([]faultTally, len(rows))
	var work sync.WaitGroup
	next := make(chan int, len(rows))
	for i := range rows {
		next <- i
	}
	close(next)
	for range faultsAtOnce { // and not t.Parallel: as many rows as there are cores would take an hour of waiting
		work.Go(func() {
			for i := range next {
				t.Run(rows[i].name, func(t *testing.T) { tallies[i] = rows[i].test(t, path, seed) })
			}
		})
	}
	work.Wait()
	printFaults(t, tallies)
}

// chosenFaults leaves out what was not asked for.
func chosenFaults(all []faultRow) (rows []faultRow) {
	for _, r := range all {
		if strings.Contains(r.name, *faultsOnly) && (!r.long || *faultScale > 1) {
			rows = append(rows, r)
		}
	}
	return rows
}

func printFaults(t *testing.T, tallies []faultTally) {
	t.Helper()
	table, all := []string{faultHeader}, faultTally{name: "all"}
	for _, f := range tallies {
		if f.name == "" {
			continue // skipped
		}
		table = append(table, f.row())
		all.people, all.accepted, all.struck = all.people+f.people, all.accepted+f.accepted, all.struck+f.struck
		all.twice, all.lost, all.throttled = append(all.twice, f.twice...), append(all.lost, f.lost...), append(all.throttled, f.throttled...)
		all.failed, all.uncertain, all.pending = all.failed+f.failed, all.uncertain+f.uncertain, all.pending+f.pending
	}
	t.Logf("\n%s\n%s", strings.Join(table, "\n"), all.row())
	if all.people == 0 || all.accepted == 0 {
		t.Error("nobody was written to")
	}
}

// test runs a row and judges it.
func (r faultRow) test(t *testing.T, path string, seed uint64) faultTally {
	random := rand.New(rand.NewPCG(seed, uint64(len(r.name))<<32|uint64(r.people)))
	c := &faultCase{program: newProgram(t, path), random: random, seed: seed}
	c.list, c.path = c.campaign(r.people * *faultScale)
	r.run(c)
	f := c.judge()
	f.name = r.name
	if bad := len(f.twice) + len(f.lost) + len(f.throttled); bad > 0 {
		t.Errorf("accepted twice: %v\nlost: %v\nfailed for throttling: %v", f.twice, f.lost, f.throttled)
	}
	if f.people == 0 || f.sent+f.failed+f.uncertain+f.pending == 0 {
		t.Error("nobody was to be written to")
	}
	if f.pending > 0 && !c.open {
		t.Errorf("%d are still pending after the last run", f.pending)
	}
	return f
}

// serve starts the emulator of this case, or the next one at the same address.
func (c *faultCase) serve(args ...string) {
	c.Helper()
	args = append([]string{"--mps", "1000", "--seed", strconv.FormatUint(c.seed, 10)}, args...)
	if c.server != nil {
		args = append(args, "--listen", c.server.address())
	}
	c.server = c.emulate(args...)
}

// begin starts a send of the case's list.
func (c *faultCase) begin(args ...string) *process {
	c.Helper()
	return c.send(c.server.url, c.path, args...)
}

// end waits for a run, which must end with one of these exit codes; -1 is a signal.
func (c *faultCase) end(r *process, codes ...int) *process {
	c.Helper()
	got := r.wait()
	c.ended = append(c.ended, strconv.Itoa(got))
	for _, code := range codes {
		if got == code {
			return r
		}
	}
	c.Fatalf("exit code %d, want one of %v\nstdout: %s\nstderr: %s", got, codes, &r.out, &r.err)
	return r
}

// rest runs the campaign to its end, undisturbed. It may end with 1, where something was left uncertain or had failed for good.
func (c *faultCase) rest(args ...string) *process {
	c.Helper()
	return c.end(c.begin(args...), 0, 1)
}

// throttles are the codes that tell to slow down. Nobody fails for them.
var throttles = map[int]bool{130429: true, 131056: true, 131057: true, 4: true, 80007: true, 80008: true}

// judge holds what the state says of everybody against what the emulator recorded.
func (c *faultCase) judge() (f faultTally) {
	c.Helper()
	var record []request
	if c.server != nil {
		record = c.server.readAll()
	}
	state := c.steps()
	f = faultTally{people: len(c.list.messages), ended: strings.Join(c.ended, ", ")}
	f.twice = c.list.acceptedTwice(record)
	accepted, refusedFor := map[string]bool{}, map[string]map[int]bool{}
	for _, r := range record {
		if r.MessageID != "" {
			accepted[r.Step] = true
			f.accepted++
		}
		if r.struck() {
			f.struck++
		}
		if refusedFor[r.Step] == nil {
			refusedFor[r.Step] = map[int]bool{}
		}
		refusedFor[r.Step][r.Code] = true
	}
	had := map[string]int{}
	for id, s := range state {
		had[s.recipient]++
		if wrong := f.count(s, accepted[id], refusedFor[id]); wrong != "" {
			f.lost = append(f.lost, s.recipient+" "+wrong)
		}
		if s.state == "failed" && throttles[s.code] {
			f.throttled = append(f.throttled, fmt.Sprintf("%s: %d", s.recipient, s.code))
		}
	}
	for who, n := range c.list.messages {
		if len(state) > 0 && had[who] < n {
			f.lost = append(f.lost, who+" is not in the state")
		}
	}
	if len(state) == 0 {
		f.pending = f.people // nothing was begun: the list is all there is
	}
	for id := range accepted {
		if _, known := state[id]; !known {
			f.lost = append(f.lost, "step "+id+" was accepted and is not in the state")
		}
	}
	return f
}

// struck says that a request was refused, or that its answer did not come whole.
func (r request) struck() bool { return r.MessageID == "" || !r.Answered }

// count counts one message, and says what is wrong where the state knows better or less than the record.
func (f *faultTally) count(s step, accepted bool, refusedFor map[int]bool) string {
	switch s.state {
	case "sent", "held":
		if f.sent++; !accepted {
			return "is sent in the state alone"
		}
	case "failed":
		if f.failed++; !refusedFor[s.code] {
			return fmt.Sprintf("failed with %d, which nobody said", s.code)
		}
	case "uncertain":
		f.uncertain++
	default:
		if f.pending++; accepted {
			return "was accepted and is still pending: it would get it twice"
		}
	}
	return ""
}
