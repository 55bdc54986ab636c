package outcome

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestWithoutCode(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Bare
		want Class
	}{
		{"accepted", Bare{HTTPStatus: 200, BytesWritten: true, MessageID: true}, Accepted},
		{"accepted with status", Bare{HTTPStatus: 200, BytesWritten: true, MessageID: true, MessageStatus: "accepted"}, Accepted},
		{"accepted with a status nobody knows", Bare{HTTPStatus: 201, BytesWritten: true, MessageID: true, MessageStatus: "new"}, Accepted},
		{"held", Bare{HTTPStatus: 200, BytesWritten: true, MessageID: true, MessageStatus: "held_for_quality_assessment"}, Held},
		{"paused", Bare{HTTPStatus: 200, BytesWritten: true, MessageID: true, MessageStatus: "paused"}, Held},
		{"id and error", Bare{HTTPStatus: 200, BytesWritten: true, MessageID: true, Refused: true}, Uncertain},
		{"id under 400", Bare{HTTPStatus: 400, BytesWritten: true, MessageID: true}, Uncertain},
		{"200 without id", Bare{HTTPStatus: 200, BytesWritten: true}, Uncertain},
		{"204", Bare{HTTPStatus: 204, BytesWritten: true}, Uncertain},
		{"page with 200", Bare{HTTPStatus: 200, BytesWritten: true, HTML: true}, Uncertain},
		{"page with 403", Bare{HTTPStatus: 403, BytesWritten: true, HTML: true}, RequestWrong},
		{"page with 502", Bare{HTTPStatus: 502, BytesWritten: true, HTML: true}, Uncertain},
		{"500", Bare{HTTPStatus: 500, BytesWritten: true}, Uncertain},
		{"503", Bare{HTTPStatus: 503, BytesWritten: true}, Uncertain},
		{"cut under 200", Bare{HTTPStatus: 200, BytesWritten: true, Cut: true}, Uncertain},
		{"cut under 400", Bare{HTTPStatus: 400, BytesWritten: true, Cut: true}, Uncertain},
		{"cut under 429", Bare{HTTPStatus: 429, BytesWritten: true, Cut: true}, NumberHold},
		{"429", Bare{HTTPStatus: 429, BytesWritten: true}, NumberHold},
		{"401", Bare{HTTPStatus: 401, BytesWritten: true}, RequestWrong},
		{"404", Bare{HTTPStatus: 404, BytesWritten: true}, RequestWrong},
		{"301", Bare{HTTPStatus: 301, BytesWritten: true}, RequestWrong},
		{"307", Bare{HTTPStatus: 307, BytesWritten: true}, RequestWrong},
		{"101", Bare{HTTPStatus: 101, BytesWritten: true}, Uncertain},
		{"never left", Bare{}, RetryFew},
		{"never left in time", Bare{TimedOut: true}, RetryFew},
		{"time-out", Bare{BytesWritten: true, TimedOut: true}, Uncertain},
		{"reset", Bare{BytesWritten: true}, Uncertain},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := WithoutCode(c.in)
			if got.Class != c.want {
				t.Errorf("class %s, want %s", got.Class, c.want)
			}
			if got.Why == "" {
				t.Error("no words for it")
			}
			if good := got.Class == Accepted || got.Class == Held; good == (got.Advice != "") {
				t.Errorf("advice %q for %s", got.Advice, got.Class)
			}
		})
	}
}

func TestTooManyRequestsWaitsAMinute(t *testing.T) {
	if got := WithoutCode(Bare{HTTPStatus: 429}).Wait; got != time.Minute {
		t.Errorf("wait %s, want 1m0s", got)
	}
}

// TestNothingThatMayHaveArrivedIsSentAgain is the promise behind the table: the classes that lead to another try are kept for answers
// that rule acceptance out, whatever else stands in them.
func TestNothingThatMayHaveArrivedIsSentAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bare{
			HTTPStatus:    rapid.OneOf(rapid.Just(0), rapid.IntRange(100, 599)).Draw(t, "status"),
			BytesWritten:  rapid.Bool().Draw(t, "written"),
			MessageID:     rapid.Bool().Draw(t, "id"),
			MessageStatus: rapid.SampledFrom([]string{"", "accepted", "paused"}).Draw(t, "message status"),
			Refused:       rapid.Bool().Draw(t, "refused"),
			Cut:           rapid.Bool().Draw(t, "cut"),
			HTML:          rapid.Bool().Draw(t, "html"),
			TimedOut:      rapid.Bool().Draw(t, "timed out"),
		}
		got := WithoutCode(b)
		again := got.Class == RetryFew || got.Class == NumberHold
		unsent := b.HTTPStatus == 0 && !b.BytesWritten || b.HTTPStatus == 429
		if again && (!unsent || b.MessageID) {
			t.Fatalf("%+v is %s: it may have arrived and would be sent again", b, got.Class)
		}
		if (got.Class == RetryFew) != (got.Tries > 1) || (got.Class == NumberHold) != (got.Wait > 0) {
			t.Fatalf("%+v: incomplete verdict %+v", b, got)
		}
	})
}
