package forecast

import "time"

// neverIdle says that somebody may be written to at every slot of one number until all have their messages, where nothing but the pair limit holds
// anybody up: whoever has the most messages left goes first, as in the sender's loop, and then waits for the hold. It may say no where it is so.
//
// Nobody's name matters for that, so people are only counted: by the messages left to those who may be written to, and slot by slot for those who
// wait. That takes a few nanoseconds a message.
func neverIdle(people tally, gap, hold time.Duration) bool {
	if gap == 0 {
		return false
	}
	left := 0
	for n, count := range people {
		left += n * count
	}
	waiting := make([]int, min(int((hold+gap-1)/gap), left)) // by slot, the messages left to whoever was written to
	most, looks := len(people)-1, 4*left+len(people)
	for slot := range left {
		if len(waiting) > 0 {
			n := &waiting[slot%len(waiting)]
			people[*n]++
			most, *n = max(most, *n), 0
		}
		for most > 0 && people[most] == 0 {
			most--
			looks--
		}
		if most == 0 || looks < 0 {
			return false
		}
		people[most]--
		if len(waiting) > 0 {
			waiting[slot%len(waiting)] = most - 1
		} else {
			people[most-1]++
		}
	}
	return true
}
