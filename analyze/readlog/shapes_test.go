package readlog

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

var update = flag.Bool("update", false, "write the .events files anew; read them before you keep them")

const samples = "../../testdata/logs"

// kindNames are the kinds as the .events files write them.
var kindNames = map[analyze.Kind]string{analyze.Other: "other", analyze.Attempt: "attempt", analyze.Accepted: "accepted", analyze.Refused: "refused", analyze.Sent: "sent",
	analyze.Delivered: "delivered", analyze.Read: "read", analyze.Failed: "failed", analyze.Inbound: "inbound", analyze.Echo: "echo"}

// TestShapes reads each sample and compares all that it yields with the .events file beside it.
func TestShapes(t *testing.T) {
	wanted, err := filepath.Glob(samples + "/*.events")
	if err != nil || len(wanted) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, want := range wanted {
		path := strings.TrimSuffix(want, ".events")
		t.Run(filepath.Base(path), func(t *testing.T) {
			got := told(t, Options{Paths: []string{path}})
			if *update {
				if err := os.WriteFile(want, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// told is all that a log yields, as text.
func told(t *testing.T, o Options) string {
	t.Helper()
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out strings.Builder
	for e, err := range l.Events(analyze.Want{Details: true}) {
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(eventText(e))
	}
	for _, s := range l.Sources() {
		fmt.Fprintf(&out, "format %s, lines %d, events %d", s.Format, s.Lines, s.Events)
		for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
			fmt.Fprintf(&out, ", %s %d", reason, s.Skipped[reason])
		}
		fmt.Fprintf(&out, ", first skipped %v\n", s.FirstSkipped)
		if s.Unreadable != "" {
			fmt.Fprintf(&out, "unreadable: %s\n", s.Unreadable)
		}
	}
	return out.String()
}

// eventText is one event, what it does not show left out.
func eventText(e analyze.Event) string {
	at := "no time"
	if !e.At.IsZero() {
		at = e.At.UTC().Format("15:04:05.000000")
	}
	text := fmt.Sprintf("%d %s %s", e.Place.Line, kindNames[e.Kind], at)
	if e.Naive {
		text += " naive"
	}
	for _, part := range []struct{ name, value string }{
		{"number", e.Number}, {"to", e.Recipient}, {"user", e.UserID}, {"wa_id", e.WaID}, {"id", e.MessageID}, {"reason", e.Reason},
		{"client", e.Detail.Client}, {"campaign", e.Detail.Campaign}, {"row", e.Detail.Row}, {"job", e.Detail.Job}, {"template", e.Detail.Template},
		{"category", e.Detail.Category}, {"text", e.Detail.Text}, {"trigger", e.Detail.Trigger}, {"in_reply", e.Detail.InReply}, {"host", e.Detail.Host},
	} {
		if part.value != "" {
			text += fmt.Sprintf(" %s=%q", part.name, part.value)
		}
	}
	for _, part := range []struct {
		name  string
		value int
	}{{"code", e.Code}, {"attempt", e.Detail.Attempt}, {"part", e.Detail.Part}, {"until_us", int(e.Until / time.Microsecond)}} {
		if part.value != 0 {
			text += fmt.Sprintf(" %s=%d", part.name, part.value)
		}
	}
	if !e.Logged.IsZero() {
		text += " logged=" + e.Logged.UTC().Format("15:04:05.000")
	}
	return text + "\n"
}

// sampleTexts is the sample files as bytes.
func sampleTexts() (texts [][]byte, err error) {
	wanted, err := filepath.Glob(samples + "/*.events")
	for _, want := range wanted {
		text, err := os.ReadFile(strings.TrimSuffix(want, ".events"))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, err
}
