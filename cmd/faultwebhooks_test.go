//go:build linux

package cmd_test

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// listener is `wactl listen` in a process of its own.
type listener struct {
	*process
	url, secret string
}

const appSecret = "app-secret-of-this-test"

// listen starts a listener that writes into a state.
func (p program) listen(state string) *listener {
	p.Helper()
	l := &listener{secret: appSecret}
	l.process = p.ready("listen", "--listen", "127.0.0.1:0", "--app-secret-file", p.write("app-secret", appSecret), "--state", state)
	out, err := l.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := l.Start(); err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = l.Process.Kill(); _ = l.Cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.Fatalf("listen tells no address: %v\n%s", err, &l.err)
	}
	l.url = strings.TrimSpace(line)
	return l
}

func (l *listener) stop() {
	l.T.Helper()
	if err := l.Process.Signal(syscall.SIGTERM); err != nil {
		l.Fatal(err)
	}
	if err := l.Cmd.Wait(); err != nil {
		l.Fatalf("listen: %v\n%s", err, &l.err)
	}
}

// word is one status of one message.
type word struct {
	id, step, to, status string
	code                 int
	at                   time.Time
}

// tell posts words as one signed webhook.
func (l *listener) tell(words []word) {
	l.T.Helper()
	var list []any
	for _, w := range words {
		s := map[string]any{"id": w.id, "status": w.status, "timestamp": fmt.Sprint(w.at.Unix()), "recipient_id": strings.TrimPrefix(w.to, "+"), "biz_opaque_callback_data": w.step}
		if w.code != 0 {
			s["errors"] = []any{map[string]any{"code": w.code, "title": "t"}}
		}
		list = append(list, s)
	}
	value := map[string]any{"messaging_product": "whatsapp", "metadata": map[string]any{"display_phone_number": "15550100000", "phone_number_id": "1"}, "statuses": list}
	body, err := json.Marshal(map[string]any{"object": "whatsapp_business_account", "entry": []any{map[string]any{"id": "9",
		"changes": []any{map[string]any{"field": "messages", "value": value}}}}})
	if err != nil {
		l.Fatal(err)
	}
	mac := hmac.New(sha256.New, []byte(l.secret))
	mac.Write(body)
	r, err := http.NewRequest(http.MethodPost, l.url, bytes.NewReader(body))
	if err != nil {
		l.Fatal(err)
	}
	r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		l.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		l.Fatalf("the webhook was answered with %s", answer.Status)
	}
}

// wordsAbout is what a platform could tell of the accepted messages of a record: most are delivered, some read, some fail late.
func wordsAbout(record []request, random *rand.Rand) (words []word, want map[string]string) {
	want = map[string]string{}
	for _, r := range record {
		if r.MessageID == "" {
			continue
		}
		w := word{id: r.MessageID, step: r.Step, to: r.Recipient, status: "sent", at: r.At.Add(time.Second)}
		words, want[r.Step] = append(words, w), "sent"
		later := func(status string, code int, after time.Duration) {
			w.status, w.code, w.at = status, code, w.at.Add(after)
			words = append(words, w)
		}
		switch random.IntN(5) {
		case 0:
			later("failed", 131026, time.Second)
			want[r.Step] = "failed"
		case 1, 2:
			later("delivered", 0, time.Second)
		case 3:
			later("delivered", 0, time.Second)
			later("read", 0, 2*time.Second)
		}
	}
	return words, want
}

// orders are ways in which the same words may come.
var orders = []struct {
	name string
	by   func(words []word, random *rand.Rand) []word
}{
	{"in order", func(words []word, _ *rand.Rand) []word { return words }},
	{"the last first", func(words []word, _ *rand.Rand) []word {
		slices.Reverse(words)
		return words
	}},
	{"shuffled and twice", func(words []word, random *rand.Rand) []word {
		words = append(words, words...)
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		return words
	}},
}

// faultWebhooks tells three copies of one state the same words in three orders. They must come to the same, and to what was told.
func faultWebhooks(c *faultCase) {
	c.serve("--latency", "20ms", "--fault", "drop-response:0.1,cut:0.05")
	c.end(c.begin("--mps", "150", "--stop-after", "0"), 0, 1)
	words, want := wordsAbout(c.server.requests(), c.random)
	var first string
	for _, order := range orders {
		copied := c.program
		copied.folder = filepath.Join(c.folder, strings.ReplaceAll(order.name, " ", "-"))
		if err := os.Mkdir(copied.folder, 0o700); err != nil {
			c.Fatal(err)
		}
		if err := os.Rename(c.copyState(), copied.state()); err != nil {
			c.Fatal(err)
		}
		l := copied.listen(copied.state())
		for rest := order.by(slices.Clone(words), c.random); len(rest) > 0; {
			n := min(len(rest), 1+c.random.IntN(40))
			l.tell(rest[:n])
			rest = rest[n:]
		}
		l.stop()
		for id, s := range copied.steps() {
			if s.state != want[id] {
				c.Errorf("%s: step %s is %s, and %q was told", order.name, id, s.state, want[id])
			}
		}
		status := copied.start("status", "--state", copied.state(), "--format", "json").exits(0).out.String()
		if first == "" {
			first = status
		} else if status != first {
			c.Errorf("%s: another order of the same words tells\n%s\nand not\n%s", order.name, status, first)
		}
		c.ended = append(c.ended, order.name)
	}
}

// faultSettled loses answers while the platform tells a listener what it took: nothing stays uncertain, and nobody is asked again.
func faultSettled(c *faultCase) {
	l := c.listen(c.state())
	c.serve("--latency", "20ms", "--fault", "drop-response:0.2,cut:0.1,status-twice:0.2,status-late:0.2", "--webhook", l.url, "--app-secret-file", filepath.Join(c.folder, "app-secret"))
	c.end(c.begin("--mps", "150", "--stop-after", "0"), 0, 1)
	c.until("the statuses have come", func() bool {
		for _, s := range c.steps() {
			if s.state == "uncertain" {
				return false
			}
		}
		return true
	})
	c.rest()
	l.stop()
}
