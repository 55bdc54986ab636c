// Package campaign turns a list of recipients and a message into steps, and sends them as soon as the limits allow.
//
// A list goes through it so: [NewPlan] reads and renders it (plan.go) and shares it out among the numbers that send (share.go); [NewLoad] finds
// who gets several messages (load.go). The messages then wait in a queue (queue.go) with a lane for each number (lane.go), which knows who may
// go next and when: people with one message in groups (group.go), those with several in chains (chain.go), by whose clocks in clocks.go. One loop
// lets them leave (pace.go), on a virtual clock for [Limits.Rehearse] (virtual.go), on the real one for a [Sender] (sender.go), which gives each
// step to a [Provider] and tells a [Journal] before and after; each answer becomes the step's next state (settle.go). While it sends, it asks a
// control for news (control.go), which move people within the queue or out of it (hear.go, move.go); after a sleep it looks around (wake.go).
package campaign
