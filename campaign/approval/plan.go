package approval

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// version is that of the file's form.
const version = 1

// ErrPlan matches every error about a file that is no plan, or one that this wactl cannot read.
var ErrPlan = errors.New("it is no plan of wactl dry-run --plan")

// Plan is what was approved. It holds no phone number: people stand in it as counts and hashes only.
type Plan struct {
	Version  int               `json:"version"`
	Campaign string            `json:"campaign"` // the file's name, for people
	List     List              `json:"list"`
	Content  Content           `json:"content"`
	Limits   map[string]string `json:"limits"` // as asked, in words
	Order    Order             `json:"order"`
	Forecast Forecast          `json:"forecast"` // not compared: it follows from the rest
}

// List is who gets something. Its hash is that of the file's bytes.
type List struct {
	Hash       string         `json:"sha256"`
	Rows       int            `json:"rows"`
	Messages   int            `json:"messages"`
	Recipients int            `json:"recipients"`
	Countries  map[string]int `json:"countries"`
	Skipped    map[string]int `json:"skipped_by_rule"`
	Sketch     string         `json:"sketch"`
}

// Content is what they get. The hash is that of all messages with their recipients, whatever their order.
type Content struct {
	Hash    string   `json:"sha256"`
	Mapping string   `json:"mapping_sha256"` // of the flags and the template's JSON
	Parts   []string `json:"parts"`          // what the messages are made of, for people
	Sketch  string   `json:"sketch"`
}

// Order is who goes first, and from which number.
type Order struct {
	Hash   string `json:"sha256"`
	Sketch string `json:"sketch"`
}

// Forecast is what was foreseen. The instants are null where the send begins whenever it is run.
type Forecast struct {
	StartsAt   *string `json:"starts_at"`
	FinishesAt *string `json:"finishes_at"`
	Duration   float64 `json:"duration_s"`
	Latency    float64 `json:"latency_s"` // assumed for every answer
	Binding    string  `json:"binding_limit"`
	Windows    int     `json:"windows"`
}

// Message is what tells one message of a plan from another, without its text.
type Message struct {
	Recipient uint64   // digits of the phone number
	Content   [16]byte // the message's hash
	Number    string   // id of the number that sends it, where several do; else empty
}

// New completes a plan with the hashes of its messages, in their order. Those of the file and of the mapping are given with p.
func New(p Plan, messages iter.Seq[Message]) Plan {
	var people, texts, places sketch
	var content [4]uint64
	order := sha256.New()
	var b [24]byte
	place := uint64(0)
	for m := range messages {
		binary.BigEndian.PutUint64(b[:], m.Recipient)
		copy(b[8:], m.Content[:])
		sum := sha256.Sum256(b[:])
		for i := range content { // a sum, so that the order of the rows does not matter
			content[i] += binary.BigEndian.Uint64(sum[8*i:])
		}
		order.Write(b[:8])
		order.Write([]byte(m.Number + "\n"))
		people.add(m.Recipient, m.Recipient)
		texts.add(m.Recipient, binary.BigEndian.Uint64(sum[:]))
		places.add(place, m.Recipient^mix(place))
		place++
	}
	var sum []byte
	for _, part := range content {
		sum = binary.BigEndian.AppendUint64(sum, part)
	}
	whole := sha256.Sum256(append(sum, p.Content.Mapping...))
	p.Version = version
	p.List.Sketch, p.Content.Sketch, p.Order.Sketch = people.String(), texts.String(), places.String()
	p.Content.Hash, p.Order.Hash = hex.EncodeToString(whole[:]), hex.EncodeToString(order.Sum(nil))
	return p
}

// Write writes the plan as indented JSON that is the same for equal plans.
func (p Plan) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// largestPlan is many times what a plan takes, in bytes.
const largestPlan = 1 << 20

// Read reads a plan. Every error matches [ErrPlan].
func Read(r io.Reader) (p Plan, err error) {
	text, err := io.ReadAll(io.LimitReader(r, largestPlan+1))
	if err != nil {
		return p, fmt.Errorf("%w: %w", ErrPlan, err)
	}
	if len(text) > largestPlan {
		return p, fmt.Errorf("%w: larger than 1 MiB", ErrPlan)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&p); err != nil {
		return p, fmt.Errorf("%w: %w", ErrPlan, err)
	}
	switch {
	case p.Version > version:
		return p, fmt.Errorf("%w: version %d is newer than this wactl reads", ErrPlan, p.Version)
	case p.Version != version || p.List.Hash == "" || p.Content.Hash == "" || p.Order.Hash == "" || p.Limits == nil:
		return p, fmt.Errorf("%w: version, list, content, limits and order are not all in it", ErrPlan)
	}
	return p, nil
}
