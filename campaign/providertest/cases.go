package providertest

import (
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// answersFolder is where the platform's bodies lie, seen from a package two folders below the module's root.
const answersFolder = "../../testdata/answers"

// answerCase is one kind of answer and what has to be made of it.
type answerCase struct {
	name   string
	reply  reply
	want   campaign.Answer // without Title and Details
	stalls bool            // the answer never comes whole, so the provider gets a short time limit
}

// reply is an answer in a provider's own wrapping.
type reply func(d Dialect) http.HandlerFunc

const (
	wamid     = "wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjg2MEU2RUUyOThFMkZBNDQwQQA="
	wamidBR   = "wamid.HBgMNTU0MTk5OTkwMDAwFQIAERgSODYwRTZFRTI5OEUyRkE0NDBBAA=="
	wamidUser = "wamid.HBgWQlIuMTM0OTEyMDg2NTUzMDI3NDE5FQIAERgSODYwRTZFRTI5OEUyRkE0NDBBAA=="
)

func taken(class outcome.Class, id, status, waID string) campaign.Answer {
	return campaign.Answer{Class: class, MessageID: id, MessageStatus: status, WaID: waID, HTTPStatus: 200, BytesWritten: true}
}

func refused(class outcome.Class, status, code int) campaign.Answer {
	return campaign.Answer{Class: class, Code: code, HTTPStatus: status, BytesWritten: true}
}

func waits(a campaign.Answer, d time.Duration) campaign.Answer {
	a.RetryAfter = d
	return a
}

// accepted, coded and bare are the table: answers that take the message, that carry a code, and that carry none.
var accepted = []answerCase{
	{name: "accepted", reply: file(200, "accepted.json"), want: taken(outcome.Accepted, wamid, "accepted", "5511987654321")},
	{name: "accepted with another wa_id", reply: file(200, "accepted-other-wa-id.json"), want: taken(outcome.Accepted, wamidBR, "", "554199990000")},
	{name: "accepted by user id", reply: file(200, "accepted-by-user-id.json"), want: campaign.Answer{
		Class: outcome.Accepted, MessageID: wamidUser, UserID: "BR.13491208655302741918", HTTPStatus: 200, BytesWritten: true}},
	{name: "held", reply: file(200, "held.json"), want: taken(outcome.Held, wamid, "held_for_quality_assessment", "5511987654321")},
	{name: "accepted, compressed", reply: compressed("accepted.json"), want: taken(outcome.Accepted, wamid, "accepted", "5511987654321")},
}

var coded = []answerCase{
	{name: "pair rate as 400", reply: file(400, "pair-rate.json"), want: refused(outcome.PairWait, 400, 131056)},
	{name: "pair rate as 429", reply: file(429, "pair-rate.json"), want: refused(outcome.PairWait, 429, 131056)},
	{name: "pair rate as 200", reply: file(200, "pair-rate.json"), want: refused(outcome.PairWait, 200, 131056)},
	{name: "pair rate as 500", reply: file(500, "pair-rate.json"), want: refused(outcome.PairWait, 500, 131056)},
	{name: "code in a wrapper, as string", reply: file(429, "nested-code.json"), want: refused(outcome.PairWait, 429, 131056)},
	{name: "code in meta", reply: file(429, "meta-code.json"), want: refused(outcome.PairWait, 429, 131056)},
	{name: "code under a repeated status", reply: file(400, "wrapped-by-http-status.json"), want: refused(outcome.RecipientFailed, 400, 131026)},
	{name: "code as string", reply: file(400, "string-code.json"), want: refused(outcome.Stop, 400, 132015)},
	{name: "code with subcode", reply: file(429, "throughput-with-subcode.json"), want: refused(outcome.NumberSlow, 429, 130429)},
	{name: "token expired", reply: file(401, "token-expired.json"), want: refused(outcome.Stop, 401, 190)},
	{name: "token unreadable", reply: file(401, "token-unreadable.json"), want: refused(outcome.Stop, 401, 0)},
	{name: "transient", reply: file(503, "service-transient.json"), want: refused(outcome.RetryFew, 503, 2)},
	{name: "code nobody knows", reply: text(400, `{"error":{"code":987654,"message":"New"}}`), want: refused(outcome.RetryFew, 400, 987654)},
	{name: "code inside a range", reply: text(403, `{"error":{"code":294,"message":"Permission"}}`), want: refused(outcome.Stop, 403, 294)},
	{name: "code with Retry-After", reply: withHeader("Retry-After", "7", file(429, "throughput-with-subcode.json")),
		want: waits(refused(outcome.NumberSlow, 429, 130429), 7*time.Second)},
	{name: "calls with usage", reply: withHeader("X-Business-Use-Case-Usage", `{"1":[{"estimated_time_to_regain_access":3}]}`,
		text(400, `{"error":{"code":80007,"message":"Rate limit issues"}}`)), want: waits(refused(outcome.CallsWait, 400, 80007), 3*time.Minute)},
	{name: "token echoed beside a code", reply: echoToken(401, `{"error":{"code":190,"message":"Malformed access token %[1]s","error_data":"%[1]s"}}`),
		want: refused(outcome.Stop, 401, 190)},
}

var bare = []answerCase{
	{name: "id and error", reply: file(200, "id-and-error.json"), want: campaign.Answer{
		Class: outcome.Uncertain, MessageID: wamid, HTTPStatus: 200, BytesWritten: true}},
	{name: "200 without an id", reply: file(200, "no-message-id.json"), want: campaign.Answer{
		Class: outcome.Uncertain, WaID: "5511987654321", HTTPStatus: 200, BytesWritten: true}},
	{name: "200 without a body", reply: text(200, ""), want: refused(outcome.Uncertain, 200, 0)},
	{name: "204", reply: text(204, ""), want: refused(outcome.Uncertain, 204, 0)},
	{name: "page with 200", reply: file(200, "page.html"), want: refused(outcome.Uncertain, 200, 0)},
	{name: "page with 502", reply: file(502, "page.html"), want: refused(outcome.Uncertain, 502, 0)},
	{name: "page with 404", reply: file(404, "page.html"), want: refused(outcome.RequestWrong, 404, 0)},
	{name: "words with 503", reply: file(503, "words.txt"), want: refused(outcome.Uncertain, 503, 0)},
	{name: "error without a code", reply: file(400, "error-without-code.json"), want: refused(outcome.RequestWrong, 400, 0)},
	{name: "429 without a code", reply: file(429, "own-429.json"), want: waits(refused(outcome.NumberHold, 429, 0), time.Minute)},
	{name: "429 with Retry-After", reply: withHeader("Retry-After", "1", file(429, "own-429.json")),
		want: waits(refused(outcome.NumberHold, 429, 0), time.Second)},
	{name: "JSON ends early", reply: file(200, "cut.txt"), want: refused(outcome.Uncertain, 200, 0)},
	{name: "error ends early", reply: file(400, "cut-error.txt"), want: refused(outcome.Uncertain, 400, 0)},
	{name: "body shorter than announced", reply: cut("cut.txt"), want: refused(outcome.Uncertain, 200, 0)},
	{name: "body stalls", reply: raw(stallInBody), stalls: true, want: refused(outcome.Uncertain, 200, 0)},
	{name: "no answer", reply: raw(stall), stalls: true, want: refused(outcome.Uncertain, 0, 0)},
	{name: "reset", reply: raw(reset), want: refused(outcome.Uncertain, 0, 0)},
	{name: "no HTTP", reply: raw(garbage), want: refused(outcome.Uncertain, 0, 0)},
	{name: "huge body", reply: huge(200, `{"messages":"`), want: refused(outcome.Uncertain, 200, 0)},
	{name: "huge page", reply: huge(404, `<html>`), want: refused(outcome.RequestWrong, 404, 0)},
	{name: "token echoed as an error", reply: echoToken(400, `{"error":{"message":"%[1]s","type":"%[1]s"}}`), want: refused(outcome.RequestWrong, 400, 0)},
	{name: "token echoed as an id", reply: echoToken(400, `{"messages":[{"id":"x","message_status":"%s"}]}`), want: campaign.Answer{
		Class: outcome.Uncertain, MessageID: "x", MessageStatus: "[token]", HTTPStatus: 400, BytesWritten: true}},
}

// allCases is the table with one more row for every code that outcome knows.
func allCases(t *testing.T) []answerCase {
	all := append(append(append([]answerCase{}, accepted...), coded...), bare...)
	before := len(all)
	for e := range outcome.All() {
		all = append(all, answerCase{
			name:  fmt.Sprintf("code %d", e.Last),
			reply: text(400, fmt.Sprintf(`{"error":{"message":"(#%d) %s","type":"OAuthException","code":%d}}`, e.Last, e.Title, e.Last)),
			want:  waits(refused(e.Class, 400, e.Last), e.Wait),
		})
	}
	if len(all) == before {
		t.Fatal("outcome knows no codes")
	}
	return all
}

func text(status int, body string) reply {
	return func(d Dialect) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, d.wrap(body))
		}
	}
}

func file(status int, name string) reply {
	return func(d Dialect) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { text(status, read(name))(d)(w, r) }
	}
}

// read panics without the file, which the server turns into a broken connection and the case into a failure.
func read(name string) string {
	b, err := os.ReadFile(filepath.Join(answersFolder, name))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func withHeader(name, value string, next reply) reply {
	return func(d Dialect) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(name, value)
			next(d)(w, r)
		}
	}
}

func compressed(name string) reply {
	return func(d Dialect) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				file(200, name)(d)(w, r)
				return
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			fmt.Fprint(z, d.wrap(read(name)))
		}
	}
}

// echoToken puts the token that came with the request into form.
func echoToken(status int, form string) reply {
	return func(d Dialect) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			sent := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
			if sent != token {
				panic("the token did not arrive")
			}
			text(status, fmt.Sprintf(form, sent))(d)(w, r)
		}
	}
}

func huge(status int, begin string) reply {
	return text(status, begin+strings.Repeat("a", 3<<20))
}

func cut(name string) reply {
	return raw(func(w http.ResponseWriter, _ *http.Request) {
		body := read(name)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)+100))
		fmt.Fprint(w, body)
	})
}

// raw is an answer that no provider wraps, since it is no whole answer.
func raw(h http.HandlerFunc) reply { return func(Dialect) http.HandlerFunc { return h } }

// stall never answers. It ends when the client gives up.
func stall(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func stallInBody(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, `{"messages":[`)
	http.NewResponseController(w).Flush()
	stall(w, r)
}

// reset breaks the connection hard, without an orderly end.
func reset(w http.ResponseWriter, _ *http.Request) {
	conn := hijack(w)
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

func garbage(w http.ResponseWriter, _ *http.Request) {
	conn := hijack(w)
	fmt.Fprint(conn, "220 mail.example.com ESMTP\r\n")
	conn.Close()
}

func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}
