package report

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/analyze"
)

// stormy is a report of two pairs in a storm. The bursts of each are windows of one list, which they share unless apart is set.
func stormy(apart bool) analyze.Report {
	begun := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	r := analyze.Report{Incidents: []analyze.Incident{{ID: 1, PhoneNumberID: "1", Recipients: []string{"+12025550111", "+12025550122"}}}}
	all := map[string][]analyze.Send{}
	for _, who := range r.Incidents[0].Recipients {
		for i := range 60 {
			at := analyze.Millis{Time: begun.Add(time.Duration(i/2) * time.Second)} // two at the same instant
			all[who] = append(all[who], analyze.Send{At: at, MessageID: new(fmt.Sprintf("%s-%d", who, i)), Path: "log", Line: 2*i + len(all)})
		}
	}
	for i := 10; i < 60; i++ {
		for _, who := range r.Incidents[0].Recipients {
			sends := all[who][max(0, i-30):i]
			if apart {
				sends = append([]analyze.Send(nil), sends...)
				for k := range sends {
					sends[k].MessageID = new(*sends[k].MessageID)
				}
			}
			r.Failures = append(r.Failures, analyze.Failure{PhoneNumberID: "1", Recipient: who, Incident: 1, At: analyze.Millis{Time: begun.Add(time.Duration(i) * time.Second)},
				Pattern: "burst", Burst: &analyze.Burst{Count: len(sends), First: sends[0].At, Last: sends[len(sends)-1].At, Sends: sends}})
		}
	}
	return r
}

// TestSharedSendsAreToldOnce holds that a report says the same whether its bursts share their sends or not, and that a change of texts, which need
// not be the same done twice, is made once.
func TestSharedSendsAreToldOnce(t *testing.T) {
	longer := func(s string) string { return s + "!" }
	for name, change := range map[string]func(analyze.Report) analyze.Report{
		"as it is": func(r analyze.Report) analyze.Report { return r },
		"changed":  func(r analyze.Report) analyze.Report { return WithTexts(r, longer) },
		"alike": func(r analyze.Report) analyze.Report {
			return WithTexts(r, func(s string) string { return "same for all" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			shared, apart := change(stormy(false)), change(stormy(true))
			for _, format := range []string{JSON, JSONL} {
				if diff := cmp.Diff(string(written(t, format, apart)), string(written(t, format, shared))); diff != "" {
					t.Errorf("%s (-apart +shared)\n%s", format, diff)
				}
			}
			a, s := joined(Text(apart, Options{Width: 80})), joined(Text(shared, Options{Width: 80}))
			if !bytes.Equal(a, s) {
				t.Errorf("text (-apart +shared)\n%s", cmp.Diff(string(a), string(s)))
			}
		})
	}
}
