package readlog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/analyze/readlog"
	"github.com/wactl/wactl/campaign/emulator"
)

// TestEmulatorAgrees lets the emulator judge random traffic and explains its journal: each refusal must be explained, with the emulator's own clear time.
//
// The emulator keeps a pair for each spelling of a Brazilian number; so one spelling is sent here.
func TestEmulatorAgrees(t *testing.T) {
	for _, model := range []string{"strict", "bucket45", "spaced"} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s/%d", model, seed), func(t *testing.T) {
				journal := traffic(t, model, seed)
				r := explainJournal(t, journal)
				if checkRefusals(t, model, journal, r) < 20 {
					t.Error("the traffic met the limit fewer than twenty times: this proves little")
				}
			})
		}
	}
}

// traffic is the journal of an emulator after 1,500 requests at random instants; every other seed adds faults and throttling.
func traffic(t *testing.T, model string, seed uint64) string {
	t.Helper()
	random, now := rand.New(rand.NewPCG(seed, 7)), time.Date(2026, 11, 30, 10, 0, 0, 123456, time.UTC)
	var journal bytes.Buffer
	o := emulator.Options{PairModel: model, MPS: 1000, Journal: &journal, Now: func() time.Time { return now }}
	if seed%2 == 1 {
		faults, err := emulator.ParseFaults("drop-response:0.05,500:0.05")
		if err != nil {
			t.Fatal(err)
		}
		o.MPS, o.Faults = 5, faults
	}
	transport := emulator.New(o).RoundTripper()
	people := []string{"5511987654321", "5511987654321", "+55 11 98765-4321", "447700900123", "12025550111", "+12025550111"}
	for range 1500 {
		now = now.Add(time.Duration(random.IntN(800)) * time.Millisecond)
		body := fmt.Sprintf(`{"messaging_product":"whatsapp","to":%q,"type":"text","text":{"body":"hi"}}`, people[random.IntN(len(people))])
		url := fmt.Sprintf("http://emulator/v26.0/10654035224292%d/messages", 2+random.IntN(2))
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer t")
		request.Header.Set("Content-Type", "application/json")
		if response, err := transport.RoundTrip(request); err == nil { // an answer that a fault cut is an error
			response.Body.Close()
		}
	}
	return journal.String()
}

func explainJournal(t *testing.T, journal string) analyze.Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	if err := os.WriteFile(path, []byte(journal), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := readlog.Open(t.Context(), readlog.Options{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	r, err := analyze.Analyze(log, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkRefusals compares every refusal of a journal with its verdict, and returns how many there were.
func checkRefusals(t *testing.T, model, journal string, r analyze.Report) (refusals int) {
	t.Helper()
	byLine := map[int]analyze.Failure{}
	for _, f := range r.Failures {
		byLine[f.Source.Line] = f
	}
	for i, line := range strings.Split(strings.TrimSpace(journal), "\n") {
		var entry struct {
			RefusedBy *string    `json:"refused_by"`
			ClearAt   *time.Time `json:"clear_at"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.RefusedBy == nil || *entry.RefusedBy != "pair" {
			continue
		}
		refusals++
		f, ok := byLine[i+1]
		switch {
		case !ok:
			t.Errorf("line %d: not found: %s", i+1, line)
		case f.Verdict != "explained" || f.ClearAt == nil || entry.ClearAt == nil || !f.ClearAt.Equal(*entry.ClearAt):
			t.Errorf("line %d: %s, clear at %s; the emulator says %v", i+1, f.Verdict, timeText(f.ClearAt), entry.ClearAt)
		case model == "strict" && (!f.Readings.Strict.Explains || f.Readings.Strict.ContradictedBy != nil):
			t.Errorf("line %d: the strict reading does not foresee what it refused: %+v", i+1, f.Readings.Strict)
		}
	}
	if len(r.Failures) != refusals {
		t.Errorf("%d failures, the emulator refused %d", len(r.Failures), refusals)
	}
	return refusals
}
