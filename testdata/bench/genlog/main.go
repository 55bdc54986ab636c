// Command genlog writes a webhook log for the benchmarks: one delivery a line, bursts to some recipients, and the refusals that the published limit then gives.
//
//	go run ./testdata/bench/genlog -mb 1000 -seed 1 > webhooks.jsonl
package main

import (
	"bufio"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

func main() {
	mb := flag.Int("mb", 100, "size in megabytes")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	flag.Parse()
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	g := generator{r: rand.New(rand.NewPCG(*seed, 7)), out: out, at: 1795165200}
	for g.written < int64(*mb)<<20 {
		g.conversation()
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

type generator struct {
	r       *rand.Rand
	out     io.Writer
	at      int64 // unix seconds
	written int64
}

// conversation is one recipient's share: mostly one message, sometimes a burst that leads to refusals.
func (g *generator) conversation() {
	number := fmt.Sprintf("1065403522429%02d", g.r.IntN(4))
	to := fmt.Sprintf("5511%09d", 900000000+g.r.IntN(99999999))
	if g.r.IntN(3) == 0 {
		to = fmt.Sprintf("1202555%04d", g.r.IntN(10000))
	}
	g.at += int64(g.r.IntN(2))
	sends := 1 + g.r.IntN(3)
	if g.r.IntN(100) == 0 {
		sends = 5 + g.r.IntN(20)
	}
	for range sends {
		id := g.id(to)
		g.line(number, to, id, "sent", g.at, "")
		g.line(number, to, id, "delivered", g.at+1+int64(g.r.IntN(4)), "")
		if g.r.IntN(2) == 0 {
			g.line(number, to, id, "read", g.at+5+int64(g.r.IntN(60)), "")
		}
	}
	if sends >= 5 {
		for i := range 1 + g.r.IntN(12) {
			g.line(number, to, g.id(to), "failed", g.at+7+int64(i), `,"errors":[{"code":131056,"title":"(Business Account, Consumer Account) pair rate limit hit","message":"(Business Account, Consumer Account) pair rate limit hit","error_data":{"details":"Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time."},"href":"https:\/\/developers.facebook.com\/docs\/whatsapp\/cloud-api\/support\/error-codes\/"}]`)
		}
	}
	if g.r.IntN(60) == 0 {
		g.line(number, to, g.id(to), "failed", g.at+2, `,"errors":[{"code":131026,"title":"Message undeliverable","message":"Message undeliverable","error_data":{"details":"Message Undeliverable."}}]`)
	}
}

// id is a message id as the platform makes them: the recipient and twenty random digits.
func (g *generator) id(to string) string {
	raw := append([]byte{0x1d, 0x01, byte(len(to))}, to...)
	raw = append(raw, 0x15, 0x02, 0x00, 0x11, 0x18, 0x12)
	raw = fmt.Appendf(raw, "%018X", g.r.Uint64())
	return "wamid." + base64.StdEncoding.EncodeToString(append(raw, 0))
}

func (g *generator) line(number, to, id, status string, at int64, errors string) {
	billing := `,"conversation":{"id":"0f3a9c1b2d4e5f60718293a4b5c6d7e8","origin":{"type":"marketing"}},"pricing":{"billable":true,"pricing_model":"PMP","category":"marketing","type":"regular"}`
	if errors != "" {
		billing = ""
	}
	n, err := fmt.Fprintf(g.out, `{"object":"whatsapp_business_account","entry":[{"id":"880000000000001","changes":[{"value":{"messaging_product":"whatsapp","metadata":{"display_phone_number":"12025550100","phone_number_id":"%s"},"statuses":[{"id":"%s","status":"%s","timestamp":"%d","recipient_id":"%s"%s%s}]},"field":"messages"}]}]}`+"\n",
		number, id, status, at, to, billing, errors)
	g.written += int64(n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
