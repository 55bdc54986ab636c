package campaign

import "github.com/wactl/wactl/ratelimit"

// Item is a step as the pacing loop sees it: what the limits need, and nothing of its text, in 32 bytes.
type Item struct {
	ratelimit.Message
	Seq      uint32 // the step's
	Number   uint16 // which of the campaign's numbers sends it, from 0: the place in [Limits.Numbers]
	Attempts uint16 // requests so far, in earlier runs too
	Tries    uint8  // of them those that count as failed: refusals for throttling do not
	Refusals uint8  // 131056 in a row; it stays at the largest number
}

// departed is an item on its way, with what is needed when its answer comes. Whoever carries it brings it back unchanged.
type departed struct {
	item  Item
	chain uint32           // 0: the recipient gets no other message
	slot  bool             // it took a slot of the messaging limit
	took  ratelimit.Charge // what a chain's message took
}
