package analyze

import (
	"fmt"
	"strings"
	"time"
)

// Options are what is known beyond the log, and which part of the findings is told. The zero value tells everything.
type Options struct {
	CodeMap map[int]int // the log's codes to the platform's, like 11 to 131056
	Region  string      // country of recipients that are written without one; empty: none
	Pair    string      // tell of this recipient only, in any spelling; "NUMBER,RECIPIENT" names the business number too
	Since   time.Time   // tell of failures from here on; zero: from the first
	Until   time.Time   // tell of failures before this; zero: to the last
	Top     int         // tell of that many incidents, the worst; 0: all
}

// pairKey is the pair that is asked for.
type pairKey struct {
	number    uint16
	anyNumber bool
	recipient uint64
}

func (k pairKey) has(number uint16, recipient uint64) bool {
	return k.recipient == recipient && (k.anyNumber || k.number == number)
}

// asked finds the pair of the options among those of the log; nil when none was asked for.
func (j *joined) asked(pair string) (*pairKey, error) {
	if pair == "" {
		return nil, nil
	}
	number, recipient, both := cutPair(pair)
	key := pairKey{anyNumber: !both}
	if both {
		i, known := j.numbers.index[number]
		if !known && number != "" {
			return nil, &unknownPairError{pair, "business number " + number, "the numbers in it: " + short(j.numbers.all)}
		}
		key.number = rootNumber(j.unite, uint16(i))
	}
	probe := Ledger{Region: j.Region}
	switch r := probe.Recipient([]byte(recipient)); {
	case r == 0:
		return nil, &unknownPairError{pair, "recipient", "give a number with its country code, or the log's own id"}
	case r <= lastDigits:
		key.recipient = j.users.find(r)
	default:
		i, known := j.ids.index[probe.ids.text(int(r-lastDigits))]
		if !known {
			return nil, &unknownPairError{pair, "recipient " + recipient, "give a number with its country code, or the log's own id"}
		}
		key.recipient = j.users.find(idRecipient(i))
	}
	return &key, nil
}

// cutPair splits a business number off, which stands before a comma or a slash.
func cutPair(pair string) (number, recipient string, both bool) {
	if i := strings.IndexAny(pair, ",/"); i >= 0 {
		return strings.TrimSpace(pair[:i]), strings.TrimSpace(pair[i+1:]), true
	}
	return "", strings.TrimSpace(pair), false
}

// short lists a few names.
func short(all []string) string {
	const most = 5
	if len(all) > most {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", len(all)-most)
	}
	return strings.Join(all, ", ")
}

// unknownPairError says that the log has nothing of the pair that was asked for.
type unknownPairError struct{ pair, what, hint string }

func (e *unknownPairError) Error() string {
	return fmt.Sprintf("pair %s: the log knows no %s", e.pair, e.what)
}

// Hint says what to do about it.
func (e *unknownPairError) Hint() string { return e.hint }
