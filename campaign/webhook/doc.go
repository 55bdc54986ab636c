// Package webhook receives what the platform tells after a send, and puts it into words of our own.
//
// A webhook goes through it so: the [Listener] checks its signature over the raw bytes (signature.go) and reads it with package wire;
// [Translate] turns it into news (translate.go), by a table of the platform's events (events.go) and one of the words with which people opt out
// (optout.go); the news of all webhooks that came meanwhile are written down together (gather.go), and only then is each answered. A [Forwarder]
// hands the same bytes on (forward.go).
package webhook
