package emulator

import (
	"bytes"
	"container/heap"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// How a courier works. The platform batches up to 1,000 updates and repeats for days; these are shorter, so that a test sees all of it.
const (
	courierBeat    = 50 * time.Millisecond // between two rounds
	courierBatch   = 1000                  // statuses in one webhook
	courierTries   = 12                    // of one webhook
	courierPause   = 250 * time.Millisecond
	courierPatient = 10 * time.Second // for one answer
	courierAtOnce  = 4                // webhooks on their way
)

// Courier tells a webhook what becomes of accepted messages: sent, delivered, read or failed, in signed batches. Its owner calls Close.
type Courier struct {
	url    string
	secret []byte
	seed   uint64
	client *http.Client

	quit chan struct{}
	work sync.WaitGroup

	mu      sync.Mutex
	account string // that all numbers belong to
	due     dueList
	serial  uint64
	bodies  []body // to be told, the first ones first
	lost    int    // statuses that nobody took
	hurry   bool   // everything is due
}

// told is how a message's statuses are told.
type told int

const (
	toldOnce    told = iota
	toldTwice        // each of them comes twice
	toldLate         // the first one comes last
	toldNothing      // none comes
)

// news is one status on its way.
type news struct {
	at     time.Time
	serial uint64 // so that equal instants keep their order
	number string
	status map[string]any
}

type dueList []news

func (d dueList) Len() int { return len(d) }
func (d dueList) Less(i, j int) bool {
	if !d[i].at.Equal(d[j].at) {
		return d[i].at.Before(d[j].at)
	}
	return d[i].serial < d[j].serial
}
func (d dueList) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d *dueList) Push(x any)   { *d = append(*d, x.(news)) }
func (d *dueList) Pop() any {
	old := *d
	last := old[len(old)-1]
	*d = old[:len(old)-1]
	return last
}

// body is a webhook that is to be told, with its tries so far.
type body struct {
	raw      []byte
	statuses int
	tries    int
	notYet   time.Time
}

// NewCourier starts a courier to url that signs with the app's secret. A nil transport is the usual one; the seed decides who reads and how soon.
func NewCourier(url string, secret []byte, seed uint64, transport http.RoundTripper) *Courier {
	c := &Courier{url: url, secret: secret, seed: seed, quit: make(chan struct{}), client: &http.Client{Transport: transport, Timeout: courierPatient}}
	c.work.Go(c.run)
	return c
}

// Close tells what is still to be told, for at most patience, and says how many statuses nobody took.
func (c *Courier) Close(patience time.Duration) (lost int) {
	c.mu.Lock()
	c.hurry = true
	c.mu.Unlock()
	for deadline := time.Now().Add(patience); c.busy() && time.Now().Before(deadline); {
		time.Sleep(courierBeat)
	}
	close(c.quit)
	c.work.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.bodies {
		c.lost += b.statuses
	}
	return c.lost + len(c.due)
}

func (c *Courier) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.due)+len(c.bodies) > 0
}

// accepted plans the statuses of a message, and says after how long it fails, 0 for never. It is called while a verdict is given, so it only
// notes them down.
func (c *Courier) accepted(account string, m message, id string, f effect) (fails time.Duration) {
	if f.told == toldNothing {
		return 0
	}
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, c.seed), id...))
	jitter := func(i int, least, most time.Duration) time.Duration {
		return least + time.Duration(binary.BigEndian.Uint16(sum[2*i:]))*(most-least)/0xffff
	}
	sent := jitter(0, 10*time.Millisecond, 60*time.Millisecond)
	plan := []struct {
		kind  string
		after time.Duration
	}{{"sent", sent}, {"delivered", sent + jitter(1, 20*time.Millisecond, 300*time.Millisecond)}}
	switch {
	case f.later != 0:
		plan[1].kind, fails = "failed", plan[1].after
	case sum[30] < 160: // five of eight read it, and have receipts on
		plan = append(plan, plan[1])
		plan[2].kind = "read"
		plan[2].after += jitter(2, 50*time.Millisecond, 600*time.Millisecond)
	}
	if f.told == toldLate {
		plan[0].after = plan[len(plan)-1].after + 200*time.Millisecond
	}
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.account = account
	for _, p := range plan {
		at := now.Add(p.after)
		c.add(m, at, status(m, id, p.kind, at, f.later))
		if f.told == toldTwice {
			c.add(m, at.Add(2*courierBeat), status(m, id, p.kind, at, f.later))
		}
	}
	return fails
}

func (c *Courier) add(m message, at time.Time, s map[string]any) {
	c.serial++
	heap.Push(&c.due, news{at: at, serial: c.serial, number: m.number, status: s})
}

// status is the platform's object for one word about a message.
func status(m message, id, kind string, at time.Time, code int) map[string]any {
	s := map[string]any{"id": id, "status": kind, "timestamp": strconv.FormatInt(at.Unix(), 10)}
	if m.waID != "" {
		s["recipient_id"] = m.waID
	}
	if m.userID != "" {
		s["recipient_user_id"] = m.userID
	}
	if m.callback != "" {
		s["biz_opaque_callback_data"] = m.callback
	}
	if kind == "failed" {
		s["errors"] = []any{map[string]any{"code": code, "title": "Error " + strconv.Itoa(code), "message": "Error " + strconv.Itoa(code),
			"error_data": map[string]any{"details": "A failure that the emulator was told to make."}}}
	}
	return s
}

// run tells in rounds until it is closed.
func (c *Courier) run() {
	beat := time.NewTicker(courierBeat)
	defer beat.Stop()
	free := make(chan struct{}, courierAtOnce)
	for {
		select {
		case <-c.quit:
			return
		case <-beat.C:
		}
		c.round(time.Now())
		var posts sync.WaitGroup
		for _, b := range c.take(time.Now()) {
			free <- struct{}{}
			posts.Go(func() {
				c.tell(b)
				<-free
			})
		}
		posts.Wait()
	}
}

// round makes webhooks of what is due, one for each number.
func (c *Courier) round(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var order []string
	by := map[string][]any{}
	flush := func(number string) {
		if len(by[number]) > 0 {
			c.bodies = append(c.bodies, body{raw: webhook(c.account, number, by[number]), statuses: len(by[number])})
			by[number] = nil
		}
	}
	for len(c.due) > 0 && (c.hurry || !c.due[0].at.After(now)) {
		n := heap.Pop(&c.due).(news)
		if by[n.number] == nil {
			order = append(order, n.number)
		}
		if by[n.number] = append(by[n.number], n.status); len(by[n.number]) == courierBatch {
			flush(n.number)
		}
	}
	for _, number := range order {
		flush(number)
	}
}

// take is the webhooks that may be told now.
func (c *Courier) take(now time.Time) (list []body) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.bodies {
		if c.hurry || !b.notYet.After(now) {
			list = append(list, b)
		}
	}
	return list
}

// tell tells one webhook. What is not taken stays for a later round, as long as it has tries left.
func (c *Courier) tell(b body) {
	taken := c.post(b.raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.bodies {
		kept := &c.bodies[i]
		if &kept.raw[0] != &b.raw[0] {
			continue
		}
		if kept.tries++; !taken && kept.tries < courierTries {
			kept.notYet = time.Now().Add(courierPause << min(kept.tries, 4))
			return
		}
		if !taken {
			c.lost += kept.statuses
		}
		c.bodies = append(c.bodies[:i], c.bodies[i+1:]...)
		return
	}
}

func (c *Courier) post(raw []byte) bool {
	r, err := http.NewRequest(http.MethodPost, c.url, bytes.NewReader(raw))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, c.secret)
	mac.Write(raw)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	answer, err := c.client.Do(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// webhook is the platform's body for statuses of one number.
func webhook(account, number string, statuses []any) []byte {
	value := map[string]any{"messaging_product": "whatsapp", "metadata": map[string]any{"display_phone_number": "15550100000", "phone_number_id": number},
		"statuses": statuses}
	raw, err := json.Marshal(map[string]any{"object": "whatsapp_business_account", "entry": []any{map[string]any{"id": account,
		"changes": []any{map[string]any{"field": "messages", "value": value}}}}})
	if err != nil {
		panic(err) // maps of texts and numbers always marshal
	}
	return raw
}
