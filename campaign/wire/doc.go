// Package wire is the platform's JSON and nothing else: requests out (message.go), answers in (answer.go), webhooks in (webhook.go), message
// ids (wamid.go).
//
// It knows shapes, not meanings: what a code means stands in package outcome.
package wire
