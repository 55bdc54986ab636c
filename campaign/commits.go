package campaign

import (
	"fmt"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// commit writes intents and results in groups: everything that came while the last group was written goes into the next.
func (w *live) commit() {
	defer close(w.launch)
	for range w.wake {
		w.gatherMore()
		w.commitGroup()
	}
	w.commitGroup()
}

// gatherMore waits for what else is to be written, but not where a message is due meanwhile: what an answer sets free is decided on in the
// instant in which it is to leave.
func (w *live) gatherMore() {
	until := w.now().Add(gather)
	enough := time.NewTimer(gather)
	defer enough.Stop()
	for !w.due(until) {
		select {
		case <-enough.C:
			return
		case _, open := <-w.wake:
			if !open {
				return
			}
		}
	}
}

// due says whether a message that is not written yet leaves before t.
func (w *live) due(t ratelimit.Instant) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.intents, func(i Intent) bool { return i.At < t })
}

func (w *live) commitGroup() {
	w.mu.Lock()
	intents, leaving, results, off := w.intents, w.leaving, w.results, w.off
	w.intents, w.leaving, w.results, w.off = nil, nil, nil, nil
	w.mu.Unlock()
	if len(intents)+len(results)+len(off) == 0 {
		return
	}
	steps, err := w.steps(intents)
	if err == nil && len(intents)+len(results) > 0 {
		err = w.Journal.Commit(w.ctx, intents, results)
	}
	if err != nil {
		w.err = err
		w.undo(leaving, results, off, err)
		return
	}
	if w.err = w.takeOff(off); w.err != nil {
		w.undo(nil, nil, off, w.err)
	}
	for i, l := range leaving {
		l.step = steps[i]
		w.observe(l.step, Observation{At: l.at})
		w.launch <- l
	}
}

func (w *live) steps(intents []Intent) ([]Step, error) {
	if len(intents) == 0 {
		return nil, nil
	}
	seqs := make([]int, len(intents))
	for i, in := range intents {
		seqs[i] = in.Seq
	}
	steps, err := w.Journal.Steps(w.ctx, seqs)
	if err != nil {
		return nil, fmt.Errorf("read the steps to send: %w", err)
	}
	return steps, nil
}

// undo ends the run after a failed commit: the intents never leave, the results are tried again with the next group and at the end.
func (w *live) undo(leaving []launch, results []Result, off []uint32, err error) {
	w.mu.Lock()
	w.results = append(results, w.results...)
	w.off = append(off, w.off...)
	w.mu.Unlock()
	w.leaves(len(leaving))
	w.events <- event{stop: stopMachine(fmt.Errorf("the state could not be written, so nothing more was sent: %w", err))}
	for _, l := range leaving {
		w.events <- event{unsent: &l.departed}
	}
}
