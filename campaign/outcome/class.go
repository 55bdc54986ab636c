package outcome

// Class is what an answer means for the message that got it and for those behind it.
type Class string

// The classes, and what the sender does on each.
const (
	Accepted        Class = "accepted"         // taken by the platform; not yet delivered
	Held            Class = "held"             // taken, but kept back for a quality assessment
	PairWait        Class = "pair-wait"        // back to its own pair's queue; all other pairs flow
	NumberSlow      Class = "number-slow"      // the number slows down, the message goes again
	NumberHold      Class = "number-hold"      // the number pauses, then one message probes
	CallsWait       Class = "calls-wait"       // all calls pause with a growing wait
	RetryFew        Class = "retry-few"        // tried again a few times, then failed
	RecipientFailed Class = "recipient-failed" // this recipient cannot get it; the next may
	RequestWrong    Class = "request-wrong"    // the request is at fault; several in a row stop the campaign
	Stop            Class = "stop"             // the campaign stops, the message goes back to pending
	Uncertain       Class = "uncertain"        // nobody knows whether it was taken; never sent again unasked
)
