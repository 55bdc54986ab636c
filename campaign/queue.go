package campaign

import (
	"container/heap"

	"github.com/wactl/wactl/ratelimit"
)

// Item is a step as the pacing loop sees it: what the limits need, and nothing of its text, in 24 bytes.
type Item struct {
	ratelimit.Message
	Seq      uint32 // the step's
	Attempts uint16 // requests so far, in earlier runs too
	Tries    uint8  // of them those that count as failed: refusals for throttling do not
	Refusals uint8  // 131056 in a row; it stays at the largest number
}

// queue holds the steps that are still to go and says which goes next, and when.
//
// Messages to one recipient go in file order, one at a time; while one waits or flies, the later ones are parked behind it and all other
// recipients flow.
type queue struct {
	policy *ratelimit.Policy
	hold   hold
	fresh  []Item              // in file order, not looked at yet
	wait   waiting             // to go at an instant: pairs with debt, retries
	tier   []Item              // need a slot of the messaging limit, in file order
	parked map[uint64][]Item   // recipients with a message waiting or in flight, and their later messages
	flight map[uint32]departed // by Seq
	most   int                 // most requests in flight at a time
	onTier OnTierLimit
	closed bool // nothing departs any more
}

type departed struct {
	item   Item
	charge ratelimit.Charge
}

// pick is a step with the instant at which it may leave.
type pick struct {
	item Item
	at   ratelimit.Instant
	from source
}

// source says where in the queue a pick stands.
type source int

const (
	fromNowhere source = iota
	fromFresh
	fromWait
	fromTier
)

func newQueue(items []Item, p *ratelimit.Policy, most int, onTier OnTierLimit) *queue {
	return &queue{policy: p, fresh: items, most: most, onTier: onTier,
		parked: map[uint64][]Item{}, flight: map[uint32]departed{}}
}

// next is the step that goes next and its instant, as things stand at now. There is none while only answers can bring one.
func (q *queue) next(now ratelimit.Instant) (pick, bool) {
	if q.closed || len(q.flight) >= q.most || q.hold.probing() && len(q.flight) > 0 {
		return pick{}, false
	}
	if slot, due := q.policy.Due(now); due && q.hold.until <= slot {
		if p := q.at(slot); p.from != fromNowhere {
			return p, true
		}
	}
	slot := q.policy.Slot(max(now, q.hold.until))
	if p := q.at(slot); p.from != fromNowhere {
		return p, true
	}
	return q.later(slot)
}

// at is the step that goes at slot, if one may: a waiting one first, then one that needs the messaging limit, then the file's next.
func (q *queue) at(slot ratelimit.Instant) pick {
	switch {
	case q.siftWait(slot):
		return pick{q.wait[0].Item, slot, fromWait}
	case q.siftTier(slot):
		return pick{q.tier[0], slot, fromTier}
	case q.sift(slot):
		return pick{q.fresh[0], slot, fromFresh}
	}
	return pick{}
}

// siftWait says whether the first due step may leave at slot. One that lost its place in the messaging limit goes to those that wait for
// one, and takes the recipient's later messages along.
func (q *queue) siftWait(slot ratelimit.Instant) bool {
	for len(q.wait) > 0 && q.wait[0].ready <= slot {
		item := q.wait[0].Item
		if _, by := q.policy.Earliest(item.Message, slot); by != ratelimit.LimitMessaging {
			return true
		}
		heap.Pop(&q.wait)
		q.tier = append(append(q.tier, item), q.parked[item.Recipient]...)
		delete(q.parked, item.Recipient)
	}
	return false
}

// siftTier says whether the first step that waits for the messaging limit may leave at slot.
func (q *queue) siftTier(slot ratelimit.Instant) bool {
	for ; len(q.tier) > 0; q.tier = q.tier[1:] {
		item := q.tier[0]
		if q.park(item) {
			continue
		}
		at, by := q.policy.Earliest(item.Message, slot)
		if by != ratelimit.LimitPair {
			return by == ratelimit.NoLimit
		}
		q.parked[item.Recipient] = nil
		heap.Push(&q.wait, due{item, at})
	}
	return false
}

// sift moves what cannot leave at slot from the front of the fresh steps to where it waits, until one can.
func (q *queue) sift(slot ratelimit.Instant) bool {
	for ; len(q.fresh) > 0; q.fresh = q.fresh[1:] {
		item := q.fresh[0]
		if q.park(item) {
			continue
		}
		at, by := q.policy.Earliest(item.Message, slot)
		switch {
		case by == ratelimit.LimitMessaging, len(q.tier) > 0 && q.counts(item, slot):
			q.tier = append(q.tier, item)
		case at > slot:
			q.parked[item.Recipient] = nil
			heap.Push(&q.wait, due{item, at})
		default:
			return true
		}
	}
	return false
}

// park puts an item behind its recipient's earlier message, while one waits or is in flight.
func (q *queue) park(item Item) bool {
	behind, busy := q.parked[item.Recipient]
	if busy {
		q.parked[item.Recipient] = append(behind, item)
	}
	return busy
}

// counts says whether the item would take a new slot of the messaging limit: it then goes behind those that wait for one.
func (q *queue) counts(item Item, t ratelimit.Instant) bool {
	return t >= item.OpenUntil && !q.policy.Messaging.Has(item.Recipient, t)
}

// tierOpens is when the first step that waits for the messaging limit may go, as far as that limit says.
func (q *queue) tierOpens(t ratelimit.Instant) ratelimit.Instant {
	return q.policy.Messaging.Earliest(q.tier[0].Recipient, t)
}

// later is the first step that may go after slot, when none may at slot.
func (q *queue) later(slot ratelimit.Instant) (pick, bool) {
	p := pick{at: ratelimit.Never}
	if len(q.wait) > 0 {
		p = pick{q.wait[0].Item, q.wait[0].ready, fromWait}
	}
	if len(q.tier) > 0 && q.onTier == WaitOnTierLimit {
		if at := q.tierOpens(slot); at < p.at {
			p = pick{q.tier[0], at, fromTier}
		}
	}
	return p, p.from != fromNowhere
}

// depart takes a pick out of the queue and charges the limits with it.
func (q *queue) depart(p pick) {
	switch p.from {
	case fromFresh:
		q.fresh = q.fresh[1:]
	case fromTier:
		q.tier = q.tier[1:]
	case fromWait:
		heap.Pop(&q.wait)
	}
	if _, busy := q.parked[p.item.Recipient]; !busy {
		q.parked[p.item.Recipient] = nil
	}
	p.item.Attempts++
	q.flight[p.item.Seq] = departed{p.item, q.policy.Depart(p.item.Message, p.at)}
}

// back returns a departed item to its place, to go again at ready.
func (q *queue) back(d departed, ready ratelimit.Instant) {
	heap.Push(&q.wait, due{d.item, max(ready, q.policy.Clear(d.item.Recipient, ready))})
}

// done lets the recipient's next message come forward at now.
func (q *queue) done(recipient uint64, now ratelimit.Instant) {
	behind := q.parked[recipient]
	if len(behind) == 0 {
		delete(q.parked, recipient)
		return
	}
	q.parked[recipient] = behind[1:]
	heap.Push(&q.wait, due{behind[0], q.policy.Clear(recipient, now)})
}

// due is an item that may leave from an instant on.
type due struct {
	Item
	ready ratelimit.Instant
}

// waiting is a heap of due items: by instant, then by place in the file, so that equal inputs give equal orders.
type waiting []due

func (w waiting) Len() int { return len(w) }
func (w waiting) Less(i, j int) bool {
	if w[i].ready != w[j].ready {
		return w[i].ready < w[j].ready
	}
	return w[i].Seq < w[j].Seq
}
func (w waiting) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w *waiting) Push(x any)   { *w = append(*w, x.(due)) }
func (w *waiting) Pop() any {
	old := *w
	last := old[len(old)-1]
	*w = old[:len(old)-1]
	return last
}
