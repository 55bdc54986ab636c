// Package forecast tells what a send would do, before anything leaves.
//
// [New] lets the sender's own loop run on a virtual clock and sums up its departures: when it ends, which windows the messaging limit opens, how
// the messages spread over time (series.go), and what each limit adds (adds.go). Where nothing tells people apart but how many messages they get,
// they are counted and not named, which gives the loop's own departures in a fraction of the time (crowd.go; crowds.go says where, clocks.go by
// whose clocks); the tests hold one against the other. The lower bound is worked out beside it from the list's shape alone (lower.go), so that a
// loop that wastes time is seen. [Compare] does it for several limits at once.
package forecast
