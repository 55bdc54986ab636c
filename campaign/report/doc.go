// Package report writes what became of a campaign: the outcome file, one row per message, and campaign files made of the messages that are
// to be looked at or sent again.
package report
