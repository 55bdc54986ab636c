package outcome

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Scope says whom or what a code is about: everything outside it goes on.
type Scope string

// The scopes, from the narrowest to the widest.
const (
	ScopeRequest   Scope = "request"   // this request's form or its row's values
	ScopeMedia     Scope = "media"     // the file that the message carries
	ScopeRecipient Scope = "recipient" // this person, whoever writes next is not concerned
	ScopePair      Scope = "pair"      // this business number together with this recipient
	ScopeTemplate  Scope = "template"  // every message made from this template or flow
	ScopeNumber    Scope = "number"    // the business phone number
	ScopeAccount   Scope = "account"   // the WhatsApp Business account (WABA) with all its numbers
	ScopeApp       Scope = "app"       // the developer app and what it may do
	ScopeToken     Scope = "token"     // the access token
	ScopePlatform  Scope = "platform"  // the platform itself, everybody is concerned
	ScopeElsewhere Scope = "elsewhere" // another feature of the platform: no answer to a campaign's message
	ScopeUnknown   Scope = "unknown"   // nobody knows
)

// Entry is what is known about one error code, or about a range of codes that mean the same.
type Entry struct {
	Code   int           // the code; of a range the first one
	Last   int           // last code of a range; equals Code for a single one
	Known  bool          // false for a code that the table does not have
	Title  string        // the platform's own short text, or the closest to it
	Means  string        // what happened, in a sentence
	Not    string        // what it is often taken for and is not; empty when nobody does
	Scope  Scope         // whom it concerns
	Class  Class         // what the sender does
	Slower bool          // whether sending more slowly makes it go away
	Advice string        // what a person can do
	Tries  int           // RetryFew only: attempts in all before the message has failed
	Wait   time.Duration // NumberHold only: how long to pause when the answer names no time
	Why    string        // Stop only: why going on would do harm, as a clause
}

// unknownTries is how often a message is tried whose code the table does not have.
const unknownTries = 3

// ForCode is what is known about code. It always answers: a code that nobody wrote down is tried a few times, then failed.
func ForCode(code int) Entry {
	i, _ := slices.BinarySearchFunc(byCode, code, func(e Entry, code int) int { return cmp.Compare(e.Last, code) })
	if i < len(byCode) && byCode[i].Code <= code {
		return byCode[i]
	}
	return Entry{
		Code: code, Last: code, Title: fmt.Sprintf("unknown code %d", code), Scope: ScopeUnknown, Class: RetryFew, Tries: unknownTries,
		Means:  "The platform answered with a code that is in no list we have.",
		Advice: "Read the details that came with it, and look the code up in the platform's documentation.",
	}
}

// All is every row of the table of codes, in ascending order of code.
func All() iter.Seq[Entry] { return slices.Values(byCode) }

// byCode is the table sorted and completed, so that a row there needs to say only what is particular to it.
var byCode = completed(slices.Concat(access, throttling, integrity, sending, templates, registration, elsewhere))

func completed(rows []Entry) []Entry {
	for i := range rows {
		e := &rows[i]
		e.Known = true
		e.Last = max(e.Code, e.Last)
		if e.Class == Stop {
			e.Why = stopReason(*e)
		}
	}
	slices.SortFunc(rows, func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })
	return rows
}

// stopReason makes the clause that follows "stopped:". A row may bring its own where its meaning is no good clause.
func stopReason(e Entry) string {
	if e.Why != "" {
		return e.Why
	}
	s := strings.TrimSuffix(e.Means, ".")
	return strings.ToLower(s[:1]) + s[1:]
}
