//go:build linux

package cmd_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// request is one line of the emulator's record.
type request struct {
	At        time.Time
	Recipient string
	Step      string `json:"callback_data"`
	MessageID string `json:"message_id"` // empty when refused
	RefusedBy string `json:"refused_by"`
	Code      int
	Answered  bool
}

// requests is the record so far, once every request that was judged is written: a line comes with its answer.
func (s *server) requests() []request {
	s.T.Helper()
	var before int
	s.until("the record holds all that was judged", func() bool {
		s.read()
		judged := s.ledger().judged()
		whole := judged == len(s.lines) && judged == before // a killed client's last request may still be in the socket
		before = judged
		return whole
	})
	return s.lines
}

// readAll is the record of a server and of those before it, whose ledgers are gone. All of it has to be answered by now.
func (s *server) readAll() []request {
	s.read()
	return s.lines
}

// read reads the lines that are new.
func (s *server) read() {
	s.T.Helper()
	text, err := os.ReadFile(s.record)
	if err != nil {
		s.Fatal(err)
	}
	for line := range bytes.Lines(text[s.bytes:]) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			return // it is being written
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			s.Fatalf("record %s: %v", line, err)
		}
		s.lines = append(s.lines, r)
		s.bytes += len(line)
	}
}

// list is a campaign file: how many messages each person is to get.
type list struct {
	text     strings.Builder
	messages map[string]int
	rows     int
}

// newList has one message for each of n people.
func newList(n int) *list {
	l := &list{messages: map[string]int{}}
	l.text.WriteString("phone,text\n")
	for i := range n {
		l.add(i)
	}
	return l
}

// add is one more row, with a text of its own.
func (l *list) add(who int) {
	phone := fmt.Sprintf("+5511%d", 960_000_000+who)
	l.messages[phone]++
	l.rows++
	fmt.Fprintf(&l.text, "%s,Oi %d\n", phone, l.rows)
}

// acceptedTwice is every step that was accepted again, and every person who got more than the list has.
func (l *list) acceptedTwice(record []request) (twice []string) {
	steps, people := map[string]int{}, map[string]int{}
	for _, r := range record {
		if r.MessageID == "" {
			continue
		}
		if steps[r.Step]++; steps[r.Step] == 2 {
			twice = append(twice, "step "+r.Step)
		}
		if people[r.Recipient]++; people[r.Recipient] == l.messages[r.Recipient]+1 {
			twice = append(twice, r.Recipient)
		}
	}
	return twice
}

// lost is everybody who got fewer messages than the list has, uncertain ones counted as got, by the record and the state.
func (l *list) lost(record []request, state map[string]step) (lost []string) {
	got, accepted := map[string]int{}, map[string]bool{}
	for _, r := range record {
		if r.MessageID != "" {
			accepted[r.Step] = true
			got[r.Recipient]++
		}
	}
	for id, s := range state {
		if s.state == "uncertain" && !accepted[id] {
			got[s.recipient]++
		}
		if s.state == "sent" && !accepted[id] {
			lost = append(lost, "step "+id+" is sent in the state alone")
		}
	}
	for who, n := range l.messages {
		if got[who] < n {
			lost = append(lost, fmt.Sprintf("%s got %d of %d", who, got[who], n))
		}
	}
	slices.Sort(lost)
	return lost
}

// once wants everybody on the list to have got every message once, by the server's record, or to be uncertain. It is the record at the end.
func (l *list) once(s *server) []request {
	s.T.Helper()
	record := s.requests()
	l.onceIn(s.program, record)
	return record
}

func (l *list) onceIn(p program, record []request) {
	p.Helper()
	if len(record) == 0 || l.rows == 0 {
		p.Error("nobody was asked")
	}
	if twice := l.acceptedTwice(record); len(twice) > 0 {
		p.Errorf("accepted twice: %v", twice)
	}
	if lost := l.lost(record, p.steps()); len(lost) > 0 {
		p.Errorf("lost, of %d messages: %v", l.rows, lost)
	}
}

// step is a message as the state has it.
type step struct {
	recipient string
	state     string
	code      int       // the platform's last one
	open      time.Time // intended departure of an attempt without an answer; zero when there is none
}

// steps reads the state as another program would, from a copy, so that looking at what a kill left mends nothing.
func (p program) steps() map[string]step {
	p.Helper()
	db := p.open(p.copyState())
	defer db.Close()
	steps := map[string]step{}
	rows, err := db.Query(`SELECT s.id, '+' || s.phone, s.state, s.code, coalesce(a.intended_at, 0)
		FROM steps s LEFT JOIN attempts a ON a.step = s.step AND a.class IS NULL`)
	if err != nil && strings.Contains(err.Error(), "no such table") {
		return steps // killed before the tables were made
	}
	if err != nil {
		p.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var s step
		var open int64
		if err := rows.Scan(&id, &s.recipient, &s.state, &s.code, &open); err != nil {
			p.Fatal(err)
		}
		if open != 0 {
			s.open = time.Unix(0, open)
		}
		steps[id] = s
	}
	if err := rows.Err(); err != nil {
		p.Fatal(err)
	}
	return steps
}

func (p program) open(path string) *sql.DB {
	p.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		p.Fatal(err)
	}
	return db
}

// copyState copies database and log, and leaves the shared memory out: it is rebuilt from the log, as after a crash.
func (p program) copyState() string {
	p.Helper()
	folder := p.TempDir()
	for _, end := range []string{"", "-wal"} {
		text, err := os.ReadFile(p.state() + end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "state.db"+end), text, 0o600)
		}
		if err != nil {
			p.Fatal(err)
		}
	}
	return filepath.Join(folder, "state.db")
}
