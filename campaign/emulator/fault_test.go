package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign/emulator"
)

// always is an emulator on which one kind of fault strikes every message.
func always(kind string) *rig {
	return newRig(emulator.Options{Faults: []emulator.Fault{{Kind: kind, Probability: 1}}})
}

// struck is what a client and the journal see of a message on which a fault struck.
type struck struct {
	err      bool // no answer
	status   int
	cut      bool   // the body ends too early
	contains string // a part of the body
	accepted bool
	line     string // http_status, code, refused_by, answered of the journal
}

var faultCases = map[string]struck{
	"drop-response": {err: true, accepted: true, line: "200 0 <nil> false"},
	"cut":           {status: 200, cut: true, contains: `{"messaging_product"`, accepted: true, line: "200 0 <nil> false"},
	"reset-before":  {err: true, line: "<nil> 0 fault false"},
	"html":          {status: 200, contains: "<!DOCTYPE html>", line: "200 0 fault true"},
	"500":           {status: 500, contains: "Internal Server Error", line: "500 0 fault true"},
	"503":           {status: 503, contains: "Service Unavailable", line: "503 0 fault true"},
	"429":           {status: 429, contains: "Too Many Requests", line: "429 0 fault true"},
	"131057":        {status: 500, contains: `"code":131057`, line: "500 131057 fault true"},
	"130429":        {status: 400, contains: `"code":130429`, line: "400 130429 fault true"},
	"131000":        {status: 500, contains: `"code":131000`, line: "500 131000 fault true"},
	"190":           {status: 401, contains: `"code":190`, line: "401 190 fault true"},
	"199999":        {status: 400, contains: `"code":199999`, line: "400 199999 fault true"},
	"hold":          {status: 500, contains: `"code":131057`, line: "500 131057 hold true"},
}

func TestFaultsWithoutSockets(t *testing.T) {
	for kind, want := range faultCases {
		t.Run(kind, func(t *testing.T) {
			r := always(kind)
			checkFault(t, r, r.RoundTripper(), "http://emulator.test", want)
		})
	}
}

func TestFaultsOverSockets(t *testing.T) {
	for kind, want := range faultCases {
		t.Run(kind, func(t *testing.T) {
			r := always(kind)
			server := httptest.NewServer(r)
			defer server.Close()
			tr := &http.Transport{}
			defer tr.CloseIdleConnections()
			checkFault(t, r, tr, server.URL, want)
		})
	}
}

func checkFault(t *testing.T, r *rig, rt http.RoundTripper, base string, want struck) {
	t.Helper()
	req := newPost(number, textBody(person, "step"))
	req.URL.Host = strings.TrimPrefix(base, "http://")
	got := struck{contains: want.contains}
	resp, err := rt.RoundTrip(req)
	got.err = err != nil
	if err == nil {
		got.status = resp.StatusCode
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		got.cut = errors.Is(err, io.ErrUnexpectedEOF)
		if !strings.Contains(string(body), want.contains) {
			t.Errorf("body %q lacks %q", body, want.contains)
		}
	}
	got.accepted = r.Ledger().Accepted == 1
	lines := r.lines(t)
	if len(lines) != 1 {
		t.Fatalf("%d journal lines", len(lines))
	}
	l := lines[0]
	got.line = fmt.Sprint(l["http_status"], " ", l["code"], " ", l["refused_by"], " ", l["answered"])
	if (l["message_id"] != nil) != want.accepted {
		t.Errorf("message_id is %v", l["message_id"])
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(struck{})); diff != "" {
		t.Error(diff)
	}
}

func TestHoldLastsAMinute(t *testing.T) {
	type ask struct {
		at   time.Duration
		want int
	}
	const minute, ms = time.Minute, time.Millisecond
	for _, c := range []struct {
		name, struck string // which arrivals the fault strikes
		asks         []ask
	}{
		{"held for a minute", "x---", []ask{{0, 131057}, {time.Second, 131057}, {minute - ms, 131057}, {minute, 0}}},
		{"a hold does not grow in a hold", "xx--", []ask{{0, 131057}, {minute / 2, 131057}, {minute - ms, 131057}, {minute, 0}}},
		{"a second hold", "x-x-", []ask{{0, 131057}, {minute, 0}, {minute, 131057}, {2*minute - ms, 131057}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(emulator.Options{Faults: []emulator.Fault{{Kind: "hold", Probability: 0.3}}, Seed: seedThatStrikes(t, c.struck)})
			held := 0
			for i, a := range c.asks {
				if a.want != 0 {
					held++
				}
				if got := r.at(a.at).text(t, fmt.Sprintf("+551198765000%d", i)); got != a.want {
					t.Errorf("message %d at %s: code %d, want %d", i+1, a.at, got, a.want)
				}
			}
			if got := r.Ledger().Refused["hold"]; got != held {
				t.Errorf("the ledger has %d refused by the hold, want %d", got, held)
			}
		})
	}
}

// seedThatStrikes looks for a seed that strikes the arrivals marked x at a probability of 0.3, and no others.
func seedThatStrikes(t *testing.T, pattern string) uint64 {
	for seed := range uint64(1000) {
		r := newRig(emulator.Options{Faults: []emulator.Fault{{Kind: "131000", Probability: 0.3}}, Seed: seed})
		struck := ""
		for i := range len(pattern) {
			if r.text(t, fmt.Sprintf("+551198765000%d", i)) == 0 {
				struck += "-"
			} else {
				struck += "x"
			}
		}
		if struck == pattern {
			return seed
		}
	}
	t.Fatalf("no seed strikes %s", pattern)
	return 0
}

func TestFaultsHangOnMessageAndAttemptAlone(t *testing.T) {
	o := emulator.Options{Faults: []emulator.Fault{{Kind: "131000", Probability: 0.3}}, MPS: 1000, Seed: 7}
	draw := func(r *rig, step int) int {
		return code(t, r.RoundTripper(), number, textBody(fmt.Sprintf("+55119876%05d", step), fmt.Sprint("step", step)))
	}
	forward, backward := map[int]int{}, map[int]int{}
	a, b := newRig(o), newRig(o)
	for i := range 200 {
		forward[i] = draw(a, i)
		backward[199-i] = draw(b, 199-i)
	}
	if diff := cmp.Diff(forward, backward); diff != "" {
		t.Errorf("the order changes the faults:\n%s", diff)
	}
	hit := 0
	for _, c := range forward {
		if c != 0 {
			hit++
		}
	}
	if hit < 35 || hit > 85 { // 60 expected, standard deviation 6.5
		t.Errorf("%d of 200 struck at a probability of 0.3", hit)
	}
	again := 0
	for i := range 200 {
		a.at(time.Hour)
		if forward[i] != 0 && draw(a, i) == 0 {
			again++
		}
	}
	if again == 0 {
		t.Error("no second attempt was drawn anew")
	}
}

func TestFaultsShareTheDraw(t *testing.T) {
	r := newRig(emulator.Options{MPS: 1000, Faults: []emulator.Fault{{Kind: "131000", Probability: 0.25}, {Kind: "131016", Probability: 0.75}}})
	seen := map[int]int{}
	for i := range 200 {
		seen[r.text(t, fmt.Sprintf("+55119876%05d", i))]++
	}
	if seen[131000]+seen[131016] != 200 || seen[131000] < 25 || seen[131000] > 75 { // 50 expected, standard deviation 6.1
		t.Errorf("codes %v; a quarter and three quarters make a whole", seen)
	}
}

func TestSlowAnswersAfterAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.Options{Faults: []emulator.Fault{{Kind: "slow", Probability: 1}}})
		begin := time.Now()
		if got := code(t, e.RoundTripper(), number, textBody(person, "")); got != 0 {
			t.Errorf("code %d", got)
		}
		if got := time.Since(begin); got != time.Minute {
			t.Errorf("the answer came after %s", got)
		}
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		begin = time.Now()
		_, err := e.RoundTripper().RoundTrip(newPost(number, textBody("+5511987650001", "")).WithContext(ctx))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 10*time.Second {
			t.Errorf("a client with a timeout of 10 s got %v after %s", err, time.Since(begin))
		}
		if got := e.Ledger().Accepted; got != 2 {
			t.Errorf("%d accepted, want both", got)
		}
	})
}

func TestParseFaults(t *testing.T) {
	for _, c := range []struct {
		text string
		want []emulator.Fault
		says string
	}{
		{text: ""},
		{text: " "},
		{text: "drop-response:0.01, 500:0.005,html:0.001",
			want: []emulator.Fault{{Kind: "drop-response", Probability: 0.01}, {Kind: "500", Probability: 0.005}, {Kind: "html", Probability: 0.001}}},
		{text: "131056:1", want: []emulator.Fault{{Kind: "131056", Probability: 1}}},
		{text: "cut:0.1,htm:0.1", says: `character 9: no kind of fault is called "htm"; there are drop-response, cut,`},
		{text: "cut", says: "is not of the form kind:probability"},
		{text: "cut:", says: "is not of the form"},
		{text: "cut:0.1,", says: "character 9 is not of the form"},
		{text: "cut:1.5", says: "is not from 0 to 1"},
		{text: "cut:NaN", says: "is not from 0 to 1"},
		{text: "cut:-0.1", says: "is not from 0 to 1"},
		{text: "cut:0.1,cut:0.1", says: "cut is there twice"},
		{text: "cut:0.6,html:0.6", says: "add up to 1.2"},
		{text: "-5:0.1", says: `called "-5"`},
	} {
		got, err := emulator.ParseFaults(c.text)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%q: error %v, want one with %q", c.text, err, c.says)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func FuzzParseFaults(f *testing.F) {
	f.Add("drop-response:0.01,500:0.005,html:0.001")
	f.Add("hold:1e-3,131057:.5")
	f.Fuzz(func(t *testing.T, text string) {
		faults, err := emulator.ParseFaults(text)
		if err != nil {
			return
		}
		if err := (emulator.Options{Faults: faults}).Validate(); err != nil {
			t.Errorf("%q was read and is not valid: %v", text, err)
		}
	})
}
