package emulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hookEnd is the webhook that a courier tells; it takes what comes after so many refusals.
type hookEnd struct {
	mu       sync.Mutex
	refusals int
	forged   int
	told     []string // "callback status code"
	largest  int      // statuses in one webhook
}

func (h *hookEnd) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, _ := io.ReadAll(r.Body)
	mac := hmac.New(sha256.New, []byte("key"))
	mac.Write(raw)
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.Header.Get("X-Hub-Signature-256") != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
		h.forged++
	}
	if h.refusals--; h.refusals >= 0 {
		return &http.Response{StatusCode: 503, Body: http.NoBody}, nil
	}
	var body struct {
		Entry []struct {
			Changes []struct {
				Value struct {
					Statuses []struct {
						Status, Biz_opaque_callback_data string
						Errors                           []struct{ Code int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	for _, s := range body.Entry[0].Changes[0].Value.Statuses {
		text := s.Biz_opaque_callback_data + " " + s.Status
		if len(s.Errors) > 0 {
			text += fmt.Sprint(" ", s.Errors[0].Code)
		}
		h.told = append(h.told, text)
	}
	h.largest = max(h.largest, len(body.Entry[0].Changes[0].Value.Statuses))
	return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
}

// about is what was told of one message, in order.
func (h *hookEnd) about(callback string) string {
	var list []string
	for _, s := range h.told {
		if rest, ok := strings.CutPrefix(s, callback+" "); ok {
			list = append(list, rest)
		}
	}
	return strings.Join(list, ", ")
}

func tellAll(t *testing.T, h *hookEnd, faults string, messages int, wait time.Duration) (ledger Ledger, lost int) {
	t.Helper()
	parsed, err := ParseFaults(faults)
	if err != nil {
		t.Fatal(err)
	}
	c := NewCourier("http://hook.test", []byte("key"), 1, h)
	e := New(Options{MPS: 10_000, Faults: parsed, Courier: c})
	for i := range messages {
		body := fmt.Sprintf(`{"messaging_product":"whatsapp","to":"+55119%08d","type":"text","text":{"body":"x"},"biz_opaque_callback_data":"m%d"}`, 10_000_000+i, i)
		r, _ := http.NewRequest(http.MethodPost, "http://api.test/v26.0/1/messages", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer t")
		if answer, err := e.RoundTripper().RoundTrip(r); err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
	}
	time.Sleep(wait)
	lost = c.Close(time.Minute)
	return e.Ledger(), lost
}

func TestCourier(t *testing.T) {
	tests := []struct {
		name, faults string
		refusals     int
		want         []string // what may be told of one message
		lost         bool
	}{
		{"plain", "", 0, []string{"sent, delivered", "sent, delivered, read"}, false},
		{"after refusals", "", 3, []string{"delivered, sent", "delivered, read, sent"}, false}, // what is repeated comes later
		{"nobody there", "", 1 << 20, []string{""}, true},
		{"fails later", "later-131026:1", 0, []string{"sent, failed 131026"}, false},
		{"late", "status-late:1", 0, []string{"delivered, sent", "delivered, read, sent"}, false},
		{"lost", "status-lost:1", 0, []string{""}, false},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			h := &hookEnd{refusals: tt.refusals}
			l, lost := tellAll(t, h, tt.faults, 20, 3*time.Second)
			if l.Accepted != 20 || h.forged != 0 || (lost > 0) != tt.lost {
				t.Errorf("%s: accepted %d, forged %d, lost %d", tt.name, l.Accepted, h.forged, lost)
			}
			seen := map[string]bool{}
			for i := range 20 {
				got := h.about(fmt.Sprint("m", i))
				if tt.refusals > 0 {
					list := strings.Split(got, ", ")
					slices.Sort(list)
					got = strings.Join(list, ", ")
				}
				if seen[got] = true; !slices.Contains(tt.want, got) {
					t.Errorf("%s: told %q, want one of %q", tt.name, got, tt.want)
				}
			}
			if len(seen) != len(tt.want) {
				t.Errorf("%s: all were told %v, want each of %q", tt.name, seen, tt.want)
			}
		})
	}
}

func TestCourierTwiceAndBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hookEnd{}
		tellAll(t, h, "status-twice:1", 600, 0) // closed at once: all that is due goes in full batches
		count := map[string]int{}
		for _, s := range h.told {
			count[s]++
		}
		if len(count) < 1200 || h.largest != courierBatch {
			t.Errorf("%d different statuses, the largest webhook has %d", len(count), h.largest)
		}
		for s, n := range count {
			if n != 2 {
				t.Errorf("%s was told %d times, want 2", s, n)
			}
		}
	})
}

// A message that failed by a status may come again; one that comes before it failed was accepted twice.
func TestAcceptedTwiceAfterFailure(t *testing.T) {
	for _, tt := range []struct {
		wait time.Duration
		want int
	}{{0, 1}, {time.Second, 0}} {
		synctest.Test(t, func(t *testing.T) {
			c := NewCourier("http://hook.test", []byte("key"), 1, &hookEnd{})
			e := New(Options{Faults: []Fault{{"later-131056", 1}}, Courier: c, PairInterval: time.Millisecond})
			for range 2 {
				r, _ := http.NewRequest(http.MethodPost, "http://api.test/1/messages",
					strings.NewReader(`{"messaging_product":"whatsapp","to":"+5511987654321","type":"text","text":{"body":"x"},"biz_opaque_callback_data":"m"}`))
				r.Header.Set("Authorization", "Bearer t")
				if answer, err := e.RoundTripper().RoundTrip(r); err != nil || answer.StatusCode != 200 {
					t.Fatal(answer, err)
				}
				time.Sleep(tt.wait)
			}
			c.Close(time.Minute)
			if l := e.Ledger(); l.Accepted != 2 || l.AcceptedTwice != tt.want {
				t.Errorf("after %s: %+v, want %d twice", tt.wait, l, tt.want)
			}
		})
	}
}
