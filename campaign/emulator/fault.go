package emulator

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Fault is a kind of trouble and how often it comes, from 0 to 1. At most one fault strikes a request.
type Fault struct {
	Kind        string
	Probability float64
}

// cut is how much of an answer's bytes reach the client.
type cut int

const (
	cutNothing cut = iota // the answer is whole
	cutHalf               // half of the body, then the connection closes
	cutAll                // the connection closes without an answer
)

// effect is what a fault does to a request.
type effect struct {
	before bool          // strikes before the verdict: the message is not accepted
	hold   bool          // the number begins a hold
	code   int           // the platform code of the refusal
	status int           // HTTP status of an answer that is not the platform's
	cut    cut           // what the client sees of the answer
	delay  time.Duration // longer than the usual latency by so much
	later  int           // accepted, and failed with this code by a later status
	told   told          // how its statuses are told
}

const (
	slowFor = 60 * time.Second // longer than any sensible client waits
	holdFor = 60 * time.Second // a throughput upgrade takes up to a minute
)

// effects are the faults that have a name. Beside them every HTTP status from 400 to 599 and every platform code is a kind.
var effects = []struct {
	kind string
	does effect
}{
	{"drop-response", effect{cut: cutAll}},
	{"cut", effect{cut: cutHalf}},
	{"slow", effect{delay: slowFor}},
	{"reset-before", effect{before: true, cut: cutAll}},
	{"html", effect{before: true, status: 200}},
	{"hold", effect{before: true, hold: true}},
	{"status-twice", effect{told: toldTwice}},
	{"status-late", effect{told: toldLate}},
	{"status-lost", effect{told: toldNothing}},
}

// laterPrefix stands before the code of a message that is accepted and fails later.
const laterPrefix = "later-"

// effectOf is what a kind of fault does; ok is false where the kind is unknown.
func effectOf(kind string) (does effect, ok bool) {
	for _, e := range effects {
		if e.kind == kind {
			return e.does, true
		}
	}
	code, later := strings.CutPrefix(kind, laterPrefix)
	n, err := strconv.Atoi(code)
	switch {
	case err != nil || n < 0 || later && n == 0:
		return effect{}, false
	case later:
		return effect{later: n}, true
	case n >= 400 && n <= 599: // the platform has no codes there
		return effect{before: true, status: n}, true
	}
	return effect{before: true, code: n}, true
}

// NeedsCourier says that a fault is about what is told after an answer: without a courier it would do nothing.
func (f Fault) NeedsCourier() bool {
	does, ok := effectOf(f.Kind)
	return ok && (does.later != 0 || does.told != toldOnce)
}

// ParseFaults reads "drop-response:0.01,500:0.005"; an empty text is no faults. An error names the entry and its first character, from 1.
func ParseFaults(text string) ([]Fault, error) {
	var faults []Fault
	at := 1
	for entry := range strings.SplitSeq(text, ",") {
		start := at
		at += len(entry) + 1
		if strings.TrimSpace(text) == "" {
			break
		}
		kind, probability, found := strings.Cut(strings.TrimSpace(entry), ":")
		p, err := strconv.ParseFloat(probability, 64)
		if !found || err != nil {
			return nil, fmt.Errorf("fault %q at character %d is not of the form kind:probability, such as drop-response:0.01", entry, start)
		}
		faults = append(faults, Fault{kind, p})
		if err := validateFaults(faults); err != nil {
			return nil, fmt.Errorf("fault %q at character %d: %w", entry, start, err)
		}
	}
	return faults, nil
}

// validateFaults says what is wrong with a list of faults; the last one is checked against those before it.
func validateFaults(faults []Fault) error {
	sum, seen := 0.0, map[string]bool{}
	for _, f := range faults {
		if _, ok := effectOf(f.Kind); !ok {
			return fmt.Errorf("no kind of fault is called %q; there are %s, an HTTP status from 400 to 599, any platform code, and later- before a code", f.Kind, kindNames())
		}
		if seen[f.Kind] {
			return fmt.Errorf("%s is there twice", f.Kind)
		}
		seen[f.Kind] = true
		if !(f.Probability >= 0 && f.Probability <= 1) { // so written, NaN fails too
			return fmt.Errorf("the probability %g of %s is not from 0 to 1", f.Probability, f.Kind)
		}
		sum += f.Probability
	}
	if sum > 1+1e-9 { // ten times 0.1 is one, and floats round
		return fmt.Errorf("the probabilities add up to %g, and only one fault strikes a request", sum)
	}
	return nil
}

func kindNames() string {
	names := make([]string, len(effects))
	for i, e := range effects {
		names[i] = e.kind
	}
	return strings.Join(names, ", ")
}

// armed is a fault ready to strike draws below upTo.
type armed struct {
	upTo float64
	does effect
}

// arm lays the faults side by side on the line from 0 to 1, so that one draw strikes at most one of them.
func arm(faults []Fault) []armed {
	var list []armed
	upTo := 0.0
	for _, f := range faults {
		does, _ := effectOf(f.Kind)
		upTo += f.Probability
		list = append(list, armed{upTo, does})
	}
	return list
}

// strike is the fault of one arrival, nil for none. The draw hangs on seed, message and attempt alone, never on who else is sending.
func strike(faults []armed, seed uint64, message string, attempt uint64) *effect {
	if len(faults) == 0 {
		return nil
	}
	b := binary.BigEndian.AppendUint64(nil, seed)
	b = binary.BigEndian.AppendUint64(b, attempt)
	sum := sha256.Sum256(append(b, message...))
	draw := float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53) // 53 bits: as many as a float holds
	for i := range faults {
		if draw < faults[i].upTo {
			return &faults[i].does
		}
	}
	return nil
}
