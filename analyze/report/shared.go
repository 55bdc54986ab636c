package report

import (
	"slices"
	"time"

	"github.com/wactl/wactl/analyze"
)

// In a storm, the bursts of a pair are nearly the same sends again and again, and their lists share memory. What follows looks at each send once,
// and keeps them shared where they are copied.

// pairName is whose burst it is, as the report names them.
type pairName struct{ number, recipient string }

func pairOf(f *analyze.Failure) pairName { return pairName{f.PhoneNumberID, f.Recipient} }

// sharedFrom is where a list begins within the one before it, if they share their memory; -1: they do not.
func sharedFrom(before, sends []analyze.Send) int {
	if len(sends) == 0 {
		return -1
	}
	i, _ := slices.BinarySearchFunc(before, sends[0].At.Time, func(s analyze.Send, t time.Time) int { return s.At.Compare(t) })
	for ; i < len(before) && before[i].At.Equal(sends[0].At.Time); i++ {
		if &before[i] == &sends[0] {
			return i
		}
	}
	return -1
}

// listings is the list of each pair's burst that was looked at last.
type listings map[pairName][]analyze.Send

// new is the sends of a failure's burst without those that its pair's last list shares with it.
func (l listings) new(f *analyze.Failure) []analyze.Send {
	if f.Burst == nil {
		return nil
	}
	pair, sends := pairOf(f), f.Burst.Sends
	shared := 0
	if i := sharedFrom(l[pair], sends); i >= 0 {
		shared = min(len(l[pair])-i, len(sends))
	}
	if shared < len(sends) {
		l[pair] = sends
	}
	return sends[shared:]
}

// copies is each pair's list that was copied last, and its copy.
type copies map[pairName]struct{ of, made []analyze.Send }

// sends is a copy of the list of a failure's burst: empty, never nil. It shares with other copies what the lists share.
func (c copies) sends(f *analyze.Failure) []analyze.Send {
	last, sends := c[pairOf(f)], f.Burst.Sends
	made := make([]analyze.Send, 0)
	if i := sharedFrom(last.of, sends); i >= 0 {
		if made = last.made[i:min(len(last.made), i+len(sends))]; len(made) == len(sends) {
			return made
		}
	}
	made = append(made, sends[len(made):]...) // behind the end of the last copy nobody reads
	last.of, last.made = sends, made
	c[pairOf(f)] = last
	return made
}
