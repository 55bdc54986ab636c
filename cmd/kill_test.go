//go:build linux

package cmd_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	kills    = flag.Int("kills", 50, "how often TestKill kills a sender")
	killSeed = flag.Uint64("kill-seed", 0, "seed of TestKill's instants; 0 draws one")
)

// shape is a kind of campaign that is killed.
type shape struct {
	people  int
	several []int     // whom the last rows are for, who have a message already
	kills   int       // so many times; then it may end
	moments []instant // when it is killed, in turn
}

// instant is when a sender is killed: at random within a time after it got so far.
type instant struct {
	after  progress
	within time.Duration
}

// progress is how far a sender got.
type progress string

const (
	started progress = "it started"
	first   progress = "its first request"
	last    progress = "its last request"
)

// shapes take turns. The large ones are killed while they read, plan, send and wait for pairs, the small ones while they end.
var shapes = []shape{
	{people: 2200, several: []int{0, 1, 2, 3, 4}, kills: 20, moments: large},
	{people: 40, kills: 4, moments: []instant{{first, 40 * time.Millisecond}, {last, 20 * time.Millisecond}, {started, 150 * time.Millisecond}}},
	{people: 40, kills: 4, moments: []instant{{started, 150 * time.Millisecond}, {last, 200 * time.Millisecond}}},
	{people: 2500, kills: 24, moments: large},
}

var large = []instant{{first, 250 * time.Millisecond}, {started, 250 * time.Millisecond}, {first, 400 * time.Millisecond}}

const (
	killPace = 950 // messages a second, of a number with the level 1,000

	// tenMillis is 10 ms of the pace. All bounds are counted in it and not in time, so that a disk that stands still for a while breaks none.
	tenMillis = killPace/100 + 1
	// mostNotArrived is the intents that may be on disk without a request that arrived: 10 ms of the pace ahead of their instants, and 20 ms
	// on the way out of the process, for want of a core or a connection on a busy machine.
	mostNotArrived = 3 * tenMillis
)

// mostUncertain is what one kill may leave at a latency: the requests in flight, which are the latency's share of the pace, 10 ms of the pace
// ahead of them, 20 ms for the way out of the process, and 10 ms each for the emulator's own lateness and the way back to the disk.
func mostUncertain(latency time.Duration) int {
	return int(killPace*latency/time.Second) + 5*tenMillis
}

// TestKill kills senders with kill -9 at random instants and resumes them, until every campaign is finished. What was accepted is read from
// the record of an emulator in another process.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes real time")
	}
	seed := *killSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("the same instants again: -kill-seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	path := build(t)
	table := []string{tableHeader}
	var all toll
	for i := 0; all.kills < *kills && !t.Failed(); i++ {
		s := shapes[i%len(shapes)]
		s.kills = min(s.kills, *kills-all.kills)
		t.Run(strconv.Itoa(i+1), func(t *testing.T) {
			v := newVictim(t, path, s, random)
			v.run()
			table = append(table, v.row(strconv.Itoa(i+1)))
			all.add(v.toll)
		})
	}
	t.Logf("\n%s\n%s", strings.Join(table, "\n"), all.row("all"))
	if all.kills == 0 || all.people == 0 {
		t.Error("nobody was killed, or nobody was written to")
	}
	if all.kills >= 50 && (all.loading == 0 || all.sending == 0 || all.ending == 0) {
		t.Error("the kills did not hit every part of a send")
	}
}

// toll is what the kills of one campaign, or of all, came to.
type toll struct {
	kills, loading, sending, ending int // all, and those before a request, in between, and with nothing pending
	people, messages                int
	twice, lost, uncertain          int
	atOnce                          int  // the most uncertain by one kill
	most                            open // the most of each by one kill
}

const tableHeader = "campaign  kills (loading sending ending)  people  messages  twice  lost  uncertain  most by one kill (in flight, coming back, not arrived, overtaking)"

func (t toll) row(name string) string {
	return fmt.Sprintf("%8s %6d %8d %7d %6d %9d %9d %6d %5d %10d %17d %11d %12d %12d %11d", name, t.kills, t.loading, t.sending, t.ending,
		t.people, t.messages, t.twice, t.lost, t.uncertain, t.atOnce, t.most.inFlight, t.most.comingBack, t.most.notArrived, t.most.overtaking)
}

func (t *toll) add(o toll) {
	t.kills, t.loading, t.sending, t.ending = t.kills+o.kills, t.loading+o.loading, t.sending+o.sending, t.ending+o.ending
	t.people, t.messages = t.people+o.people, t.messages+o.messages
	t.twice, t.lost, t.uncertain = t.twice+o.twice, t.lost+o.lost, t.uncertain+o.uncertain
	t.atOnce = max(t.atOnce, o.atOnce)
	t.most = t.most.max(o.most)
}

// open is the attempts that a kill left without an answer, by what the emulator's record says of them.
type open struct {
	inFlight   int // they arrived, and their answer was not out yet
	comingBack int // their answer was out, and not on disk
	notArrived int // their intent was on disk, and the emulator never saw them
	overtaking int // requests that arrived after an answer was out that is not on disk
}

func (o open) all() int { return o.inFlight + o.comingBack + o.notArrived }

func (o open) max(p open) open {
	return open{max(o.inFlight, p.inFlight), max(o.comingBack, p.comingBack), max(o.notArrived, p.notArrived), max(o.overtaking, p.overtaking)}
}

// victim is a campaign that is killed again and again.
type victim struct {
	program
	toll
	shape   shape
	random  *rand.Rand
	list    *list
	path    string
	server  *server
	latency time.Duration
	seen    int             // lines of the record when the last run was over
	pending int             // messages still to be sent then
	before  map[string]step // the state then
}

func newVictim(t *testing.T, path string, s shape, random *rand.Rand) *victim {
	v := &victim{program: newProgram(t, path), shape: s, random: random, list: newList(s.people)}
	for _, who := range s.several {
		v.list.add(who)
	}
	v.people, v.messages, v.pending = len(v.list.messages), v.list.rows, v.list.rows
	v.path = v.write("list.csv", v.list.text.String())
	v.latency = time.Duration(30+random.IntN(121)) * time.Millisecond
	v.server = v.emulate("--mps", "1000", "--latency", v.latency.String())
	return v
}

// run kills the campaign as often as its shape says, and lets it end.
func (v *victim) run() {
	for v.kills < v.shape.kills {
		at := v.shape.moments[v.kills%len(v.shape.moments)]
		sender := v.start()
		v.await(sender, at.after)
		time.Sleep(time.Duration(v.random.Int64N(int64(at.within))))
		when := time.Now()
		_ = sender.Process.Kill()
		if sender.wait() >= 0 {
			v.finished(sender)
			return
		}
		v.killed(at, when)
	}
	v.finished(v.start())
}

func (v *victim) start() *process {
	return v.send(v.server.url, v.path, "--mps", strconv.Itoa(killPace))
}

// await waits until the sender got so far, or has ended.
func (v *victim) await(sender *process, after progress) {
	requests := map[progress]int{first: 1, last: v.pending}[after]
	v.until("the sender sends", func() bool {
		return requests == 0 || sender.ended() || v.server.ledger().judged() >= v.seen+requests
	})
}

// killed looks at what a kill left.
func (v *victim) killed(at instant, when time.Time) {
	v.Helper()
	record, state := v.server.requests(), v.steps()
	now := record[v.seen:]
	o := v.leftOpen(now, state, when)
	v.seen, v.before, v.pending = len(record), state, v.messages-len(state)
	for _, s := range state {
		if s.state == "pending" && s.open.IsZero() {
			v.pending++
		}
	}
	v.kills++
	v.uncertain += o.all()
	v.atOnce, v.most = max(v.atOnce, o.all()), v.most.max(o)
	switch {
	case len(now)+o.all() == 0:
		v.loading++
	case v.pending > 0:
		v.sending++
	default:
		v.ending++
	}
	v.Logf("kill %d, within %v after %s: %d requests in this run, %d pending; latency %v, at most %d, left %+v", v.kills, at.within, at.after, len(now), v.pending, v.latency, mostUncertain(v.latency), o)
	v.judge(o)
	if twice := v.list.acceptedTwice(record); len(twice) > 0 {
		v.Fatalf("accepted twice: %v", twice)
	}
}

// leftOpen sorts the attempts without an answer. Those that an earlier kill left and this run was too short to see were counted then.
func (v *victim) leftOpen(now []request, state map[string]step, when time.Time) (o open) {
	oldest := when // answer that is not on disk
	requests := map[string]request{}
	for _, r := range now {
		requests[r.Step] = r
	}
	for id, s := range state {
		if s.open.IsZero() || s.open.Equal(v.before[id].open) {
			continue
		}
		r, arrived := requests[id]
		out := r.At.Add(v.latency)
		switch {
		case !arrived:
			o.notArrived++
		case !r.Answered || out.After(when):
			o.inFlight++
		default:
			o.comingBack++
			if out.Before(oldest) {
				oldest = out
			}
		}
	}
	for _, r := range now {
		if r.At.After(oldest) {
			o.overtaking++
		}
	}
	return o
}

// judge holds what one kill left against its bounds. How many requests overtake an answer on its way to the disk is shown and has no bound:
// it is a matter of when the machine lets which process run.
func (v *victim) judge(o open) {
	v.Helper()
	for _, bound := range []struct {
		what      string
		got, most int
	}{
		{"messages became uncertain", o.all(), mostUncertain(v.latency)},
		{"intents were on disk whose request never arrived", o.notArrived, mostNotArrived},
	} {
		if bound.got > bound.most {
			v.Errorf("%d %s; at most %d may be", bound.got, bound.what, bound.most)
		}
	}
}

// finished looks at a campaign that came to its end, at the record first: it tells most.
func (v *victim) finished(sender *process) {
	v.Helper()
	code := sender.wait()
	record, state := v.server.requests(), v.steps()
	twice, lost := v.list.acceptedTwice(record), v.list.lost(record, state)
	if v.twice, v.lost = len(twice), len(lost); v.twice+v.lost > 0 {
		v.Errorf("accepted twice: %v\nlost: %v", twice, lost)
	}
	if want := min(v.uncertain, 1); code != want {
		v.Fatalf("exit code %d, want %d\n%s", code, want, &sender.err)
	}
	r := sender.result()
	if r.Messages != v.messages || r.Uncertain != v.uncertain || r.Sent+r.Uncertain != v.messages {
		v.Errorf("of %d messages the kills made %d uncertain; the result tells %+v", v.messages, v.uncertain, r)
	}
	if l := v.server.ledger(); l.AcceptedTwice != 0 || l.refused() != 0 || l.Accepted < r.Sent {
		v.Errorf("%d are sent, and the emulator's ledger tells %+v", r.Sent, l)
	}
}
