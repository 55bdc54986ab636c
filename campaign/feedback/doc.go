// Package feedback is what comes back after a send: statuses, messages that people wrote, echoes, opt-outs and orders, and what they mean.
//
// A [Batch] holds such news in our own words, whoever brought it: a webhook, an export, a log. The journal writes it down, and asks [Settle]
// where a message stands now. Settle looks at all that is known of a message and never at the order in which it came, so duplicated, late and
// reordered news give the same end.
package feedback
