package report

import (
	"encoding/csv"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/template"
)

// pairs is a sequence without errors.
func pairs[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range list {
			if !yield(v, nil) {
				return
			}
		}
	}
}

func TestWriteOutcomeGolden(t *testing.T) {
	at := time.Date(2026, 12, 1, 9, 0, 0, 120_999_999, time.FixedZone("", -3*3600))
	rows := []Row{
		{Line: 2, Recipient: "+5511961234561", Status: "sent", MessageID: "wamid.A=", SentAt: at, DeliveredAt: at.Add(time.Second)},
		{Line: 3, Recipient: "+5511961234562", Status: "failed", Code: 131026},
		{Line: 4, Recipient: "+5511961234563", Status: "failed", Code: 1, Meaning: "own words", Advice: "own advice"},
		{Line: 5, Recipient: "+5511961234564", Status: "uncertain", Meaning: "=no, \"answer\"\ncame"},
		{Line: 7, Status: "skipped", Meaning: "duplicate: same recipient as line 2"},
	}
	e := outcome.ForCode(131026)
	const want = `line,recipient,status,code,meaning,message_id,sent_at,delivered_at,advice
2,+5511961234561,sent,,,wamid.A=,2026-12-01T12:00:00.120Z,2026-12-01T12:00:01.120Z,
3,+5511961234562,failed,131026,TITLE,,,,ADVICE
4,+5511961234563,failed,1,own words,,,,own advice
5,+5511961234564,uncertain,,"'=no, ""answer"" came",,,,
7,,skipped,,duplicate: same recipient as line 2,,,,
`
	var b strings.Builder
	if err := WriteOutcome(&b, pairs(rows)); err != nil {
		t.Fatal(err)
	}
	got := strings.NewReplacer(field(e.Title), "TITLE", field(e.Advice), "ADVICE").Replace(b.String())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// field is text as encoding/csv writes it.
func field(text string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{text}) // a Builder takes everything
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"":               "",
		"plain":          "plain",
		"=1+1":           "'=1+1",
		"+5511":          "'+5511",
		"-1":             "'-1",
		"@SUM(A1)":       "'@SUM(A1)",
		"\t=1":           "' =1",
		"\r=1":           "' =1",
		"\n=1":           "' =1",
		"a=1":            "a=1",
		"'=1":            "'=1",
		"＝1+1":           "'＝1+1",
		"＋1":             "'＋1",
		"－1":             "'－1",
		"＠1":             "'＠1",
		"131026: =1":     "131026: =1",
		"\u00e9=1":       "\u00e9=1",
		" =1 is no cell": " =1 is no cell",
	} {
		if got := Cell(in); got != want {
			t.Errorf("Cell(%q) = %q, want %q", in, got, want)
		}
	}
}

var errBroken = errors.New("broken")

func TestErrorsEndTheFile(t *testing.T) {
	rows := func(yield func(Row, error) bool) {
		if yield(Row{Line: 2}, nil) {
			yield(Row{}, errBroken)
		}
	}
	if err := WriteOutcome(&strings.Builder{}, rows); !errors.Is(err, errBroken) {
		t.Errorf("WriteOutcome: %v", err)
	}
	steps := func(yield func(campaign.Step, error) bool) { yield(campaign.Step{}, errBroken) }
	if err := WriteCampaign(&strings.Builder{}, steps); !errors.Is(err, errBroken) {
		t.Errorf("WriteCampaign: %v", err)
	}
	full := writer(func([]byte) (int, error) { return 0, errBroken })
	if err := WriteOutcome(full, pairs([]Row{{Line: 2}})); !errors.Is(err, errBroken) {
		t.Errorf("WriteOutcome to a full disk: %v", err)
	}
	if err := WriteCampaign(full, pairs([]campaign.Step{{Recipient: campaign.Recipient{Phone: "+1"}}})); !errors.Is(err, errBroken) {
		t.Errorf("WriteCampaign to a full disk: %v", err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// TestErasedContent: a message whose content is gone keeps its person.
func TestErasedContent(t *testing.T) {
	steps := []campaign.Step{{Recipient: campaign.Recipient{Phone: "+5511961234561"}},
		{Recipient: campaign.Recipient{Phone: "+5511961234562"}, Message: template.Message{Type: template.TypeText, Text: "Oi"}}}
	var b strings.Builder
	if err := WriteCampaign(&b, pairs(steps)); err != nil {
		t.Fatal(err)
	}
	if want := "phone,text\n+5511961234561,\n+5511961234562,Oi\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// messages are messages as send would have stored them.
func messages(t *rapid.T) template.Message {
	word := rapid.StringMatching(`[=+@A-Za-zé"',;{}<>#-][A-Za-z "',;0-9é\-]{0,12}[a-z0-9]`)
	medium := func(typ string) *rapid.Generator[*template.Media] {
		ending := map[string]string{template.TypeImage: ".jpg", template.TypeVideo: ".mp4", template.TypeDocument: ".docx"}[typ]
		return rapid.SampledFrom([]*template.Media{{Link: "https://example.org/a" + ending}, {ID: "1234567890"}})
	}
	switch typ := rapid.SampledFrom([]string{template.TypeText, template.TypeTemplate, template.TypeImage, template.TypeVideo, template.TypeDocument}).Draw(t, "type"); typ {
	case template.TypeText:
		return template.Message{Type: typ, Text: word.Draw(t, "text") + rapid.SampledFrom([]string{"", "\nsecond line"}).Draw(t, "more")}
	case template.TypeTemplate:
		m := template.Message{Type: typ, Template: "welcome", Language: rapid.SampledFrom([]string{"en", "pt_BR"}).Draw(t, "language")}
		for range rapid.IntRange(0, 3).Draw(t, "parameters") {
			m.Body = append(m.Body, template.Parameter{Text: word.Draw(t, "parameter")})
		}
		switch rapid.IntRange(0, 2).Draw(t, "header") {
		case 1:
			m.Header = &template.Header{Type: template.TypeText, Text: word.Draw(t, "header text")}
		case 2:
			m.Header = &template.Header{Type: template.TypeImage, Media: medium(template.TypeImage).Draw(t, "header medium")}
		}
		return m
	default:
		return template.Message{Type: typ, Media: medium(typ).Draw(t, "medium"), Caption: rapid.SampledFrom([]string{"", "Olá"}).Draw(t, "caption")}
	}
}

// TestCampaignRoundTrip: a campaign file that is written and read again makes the same messages, also where they are of different types.
func TestCampaignRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := []template.Message{messages(t)}
		if other := messages(t); other.Type != want[0].Type {
			want = append(want, other)
		}
		if diff := cmp.Diff(want, again(t, want...)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

// again writes messages as a campaign file and reads it.
func again(t *rapid.T, list ...template.Message) (got []template.Message) {
	var steps []campaign.Step
	for _, m := range list {
		steps = append(steps, campaign.Step{Recipient: campaign.Recipient{Phone: "+5511961234561"}, Message: m})
	}
	var b strings.Builder
	if err := WriteCampaign(&b, pairs(steps)); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	content, err := template.NewContent(template.Spec{}, records[0])
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	for _, r := range records[1:] {
		m, faults := content.Render(func(i int) string { return r[i] }, "BR")
		if bad := slices.ContainsFunc(faults, func(f template.Fault) bool { return f.Severity == template.SeverityError }); bad {
			t.Fatalf("%v in\n%s", faults, b.String())
		}
		got = append(got, m)
	}
	return got
}

// A hostile server's words steer no terminal, neither from the outcome file nor from the page.
func TestHostileWords(t *testing.T) {
	const words = "\x1b]0;owned\x07\x9b31m\u009b\u202e=HYPERLINK()\nnext\x00"
	rows := func(yield func(Row, error) bool) {
		yield(Row{Line: 2, Meaning: words, MessageID: "\t=1+1\x1b[2J", Recipient: "+55\x1b"}, nil)
	}
	var csv, page strings.Builder
	if err := WriteOutcome(&csv, rows); err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(&page, Page{Campaign: words, Target: words, Stopped: words, Resume: words, Status: "stopped", Totals: Totals{Messages: 1}}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"CSV": csv.String(), "HTML": page.String()} {
		if at := strings.IndexFunc(text, func(r rune) bool {
			return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
		}); at >= 0 {
			t.Errorf("%s: %q can steer a terminal", name, text[at:min(at+20, len(text))])
		}
	}
	if !strings.Contains(csv.String(), "' =1+1") || strings.Count(csv.String(), "\n") != 2 {
		t.Errorf("a formula, or a line too many, in %q", csv.String())
	}
}
