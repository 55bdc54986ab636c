// Package ratelimit answers one question: how soon may this message leave?
//
// Each of WhatsApp's limits is one pure type: state and instant in, earliest instant and new state out, with no clock and no I/O inside.
// [Pair] is the limit per recipient, [Throughput] the one per business number, [Messaging] the one per portfolio and day; [Policy] asks
// them all and charges them together. The dry-run, the sender, the linter and the analyser use these same values. Every figure with its
// source stands in [Published].
package ratelimit
