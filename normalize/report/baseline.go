package report

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
)

// baselineVersion is the version of the file. Another one is refused: its keys would match nothing.
const baselineVersion = 1

// SaltSize is how many bytes of salt a baseline needs, so that one list's keys say nothing about another's.
const SaltSize = 16

// ErrBaseline is the reason of every baseline file that cannot be used.
var ErrBaseline = errors.New("not a baseline that can be read")

// Baseline is the problems that are known, by salted keys in which no number stands. The zero value knows none.
type Baseline struct {
	salt   []byte
	counts map[digest]int // how often each key was found: one more is a new problem
}

// NewBaseline is an empty baseline. The caller picks the salt by chance, SaltSize bytes of it.
func NewBaseline(salt []byte) Baseline { return Baseline{salt, map[digest]int{}} }

// Empty is a baseline without problems and with the same salt, to write a file anew.
func (b Baseline) Empty() Baseline { return NewBaseline(b.salt) }

// Add makes a problem known; one that is added twice is known twice, and a third is new.
func (b Baseline) Add(p Problem) { b.counts[b.key(p)]++ }

// key is a problem by its rule and recipient, or cell where it has none. Its line is not in it, since rows move.
func (b Baseline) key(p Problem) digest {
	who, kind := p.Recipient, "recipient"
	switch {
	case who == "" && p.Column > 0:
		who, kind = p.Value, "cell"
	case who == "":
		who, kind = p.Path, "file"
	}
	return hash(b.salt, p.Rule, p.Header, kind, who)
}

// New is the problems that the baseline does not know. Ranging over it again begins again.
func (b Baseline) New(problems iter.Seq2[Problem, error]) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		left := maps.Clone(b.counts)
		for p, err := range problems {
			if k := b.key(p); err == nil && left[k] > 0 {
				left[k]--
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// baselineFile is a baseline as JSON.
type baselineFile struct {
	Version int            `json:"version"`
	Salt    string         `json:"salt"`
	Keys    map[string]int `json:"keys"`
}

// Write writes the baseline as JSON, keys sorted, so that a changed file shows what changed.
func (b Baseline) Write(w io.Writer) error {
	f := baselineFile{baselineVersion, hex.EncodeToString(b.salt), make(map[string]int, len(b.counts))}
	for k, n := range b.counts {
		f.Keys[hex.EncodeToString(k[:])] = n
	}
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ReadBaseline reads what Write wrote. An error wraps ErrBaseline where the file is of another kind.
func ReadBaseline(r io.Reader) (Baseline, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Baseline{}, fmt.Errorf("read baseline: %w", err)
	}
	var f baselineFile
	if err := json.Unmarshal(text, &f); err != nil {
		return Baseline{}, &baselineError{"it is no JSON of a baseline: " + err.Error()}
	}
	if f.Version != baselineVersion {
		return Baseline{}, &baselineError{fmt.Sprintf("it has version %d, and this wactl reads version %d", f.Version, baselineVersion)}
	}
	salt, err := hex.DecodeString(f.Salt)
	if err != nil || len(salt) != SaltSize {
		return Baseline{}, &baselineError{fmt.Sprintf("its salt is not %d hexadecimal digits", 2*SaltSize)}
	}
	b := NewBaseline(salt)
	for text, n := range f.Keys {
		k, err := hex.DecodeString(text)
		if err != nil || len(k) != len(digest{}) || n < 1 {
			return Baseline{}, &baselineError{fmt.Sprintf("the key %q is none, or its count is below 1", cut(visible(text), mostOfValue))}
		}
		b.counts[digest(k)] += n
	}
	return b, nil
}

// baselineError says why a file is no baseline.
type baselineError struct{ text string }

func (e *baselineError) Error() string { return "read baseline: " + e.text }

func (e *baselineError) Unwrap() error { return ErrBaseline }

// Hint is what to do next.
func (e *baselineError) Hint() string { return "write it again with wactl lint --write-baseline" }
