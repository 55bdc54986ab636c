package preflight

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
)

// good is a reading that nothing is wrong with; change spoils it.
func good(change func(*Readings)) Readings {
	r := Readings{Number: Number{ID: "1", Status: "CONNECTED", Quality: "GREEN", Level: "STANDARD", Limit: "TIER_2K", Mode: "LIVE", NameStatus: "APPROVED",
		Platform: "CLOUD_API", BusinessApp: new(false), Health: &Health{CanSend: "AVAILABLE", Entities: []Entity{{Type: "WABA", ID: "9", CanSend: "AVAILABLE"}}}},
		Campaign: true}
	if change != nil {
		change(&r)
	}
	return r
}

// told is a finding as one line: verdict, check, item.
func told(all []Check, skip Verdict) string {
	var lines []string
	for _, c := range all {
		if c.Verdict != skip {
			lines = append(lines, strings.TrimSpace(string(c.Verdict)+" "+c.Check+" "+c.Item))
		}
	}
	return strings.Join(lines, ", ")
}

func TestJudge(t *testing.T) {
	refused := func(code int) error { return &Refusal{What: "number 1", HasCode: true, Code: code, HTTPStatus: 400} }
	number := func(f func(*Number)) func(*Readings) { return func(r *Readings) { f(&r.Number) } }
	blocked := func(code int) func(*Readings) {
		return number(func(n *Number) {
			n.Health = &Health{CanSend: "BLOCKED", Entities: []Entity{{Type: "WABA", CanSend: "BLOCKED", Faults: []Fault{{Code: code, Description: "why", Solution: "how"}}}}}
		})
	}
	tests := []struct {
		name   string
		change func(*Readings)
		want   string // what is not ok
	}{
		{"good", nil, ""},
		{"yellow", number(func(n *Number) { n.Quality = "YELLOW" }), "warning number quality"},
		{"red", number(func(n *Number) { n.Quality = "RED" }), "stop number quality"},
		{"not rated", number(func(n *Number) { n.Quality = "UNKNOWN" }), ""},
		{"nothing told", func(r *Readings) { r.Number = Number{} },
			"unknown number status, unknown number quality, unknown number throughput, unknown number coexistence, unknown number messaging-limit, " +
				"unknown number account-mode, unknown number display-name, unknown payment, unknown health"},
		{"a status of tomorrow", number(func(n *Number) { n.Status = "DREAMING" }), "unknown number status"},
		{"pending", number(func(n *Number) { n.Status = "PENDING" }), "stop number status"},
		{"flagged", number(func(n *Number) { n.Status = "FLAGGED" }), "warning number status"},
		{"level of tomorrow", number(func(n *Number) { n.Level = "HUGE" }), "unknown number throughput"},
		{"Business app", number(func(n *Number) { n.BusinessApp = new(true) }), ""},
		{"Business app elsewhere", number(func(n *Number) { n.BusinessApp, n.Platform = new(true), "NOT_APPLICABLE" }), ""},
		{"app not told", number(func(n *Number) { n.BusinessApp = nil }), "unknown number coexistence"},
		{"test number", number(func(n *Number) { n.Mode = "SANDBOX" }), "warning number account-mode"},
		{"declined name", number(func(n *Number) { n.NameStatus = "DECLINED" }), "warning number display-name"},
		{"pace over the level", func(r *Readings) { r.Asked.Pace = ratelimit.PerSecond(81) }, "warning number throughput"},
		{"pace at the level", func(r *Readings) { r.Asked.Pace = ratelimit.PerSecond(80) }, ""},
		{"tier over the limit", func(r *Readings) { r.Asked = Asked{Tier: 10000, TierGiven: true} }, "warning number messaging-limit"},
		{"tier unlimited", func(r *Readings) { r.Asked = Asked{TierGiven: true} }, "warning number messaging-limit"},
		{"tier below", func(r *Readings) { r.Asked = Asked{Tier: 250, TierGiven: true} }, ""},
		{"more people than fit", func(r *Readings) { r.People = 2001 }, "warning number messaging-limit"},
		{"as many as fit", func(r *Readings) { r.People = 2000 }, ""},
		{"limited", number(func(n *Number) {
			n.Health = &Health{CanSend: "LIMITED", Entities: []Entity{{Type: "BUSINESS", CanSend: "LIMITED", Info: []string{"not verified"}}}}
		}), "warning health business"},
		{"blocked", blocked(141002), "stop health waba"},
		{"nobody pays", blocked(141006), "stop payment"},
		{"nobody pays, by the other code", blocked(131042), "stop payment"},
		{"blocked without a reason", number(func(n *Number) { n.Health = &Health{CanSend: "BLOCKED"} }), "stop health"},
		{"older API", func(r *Readings) { r.NumberErr = refused(100) }, "unknown token, unknown number, unknown payment, unknown health"},
		{"no permission", func(r *Readings) { r.NumberErr = refused(200) }, "unknown token, unknown number, unknown payment, unknown health"},
		{"account locked, says a reading", func(r *Readings) { r.NumberErr = refused(131031) }, "unknown token, unknown number, unknown payment, unknown health"},
		{"token expired", func(r *Readings) { r.NumberErr = refused(190) }, "stop token, unknown number, unknown payment, unknown health"},
		{"token unreadable", func(r *Readings) { r.NumberErr = refused(0) }, "stop token, unknown number, unknown payment, unknown health"},
		{"token refused later", func(r *Readings) { r.TemplatesErr = refused(190) }, "stop token"},
		{"other failure", func(r *Readings) { r.NumberErr = errors.New("odd") }, "unknown token, unknown number, unknown payment, unknown health"},
		{"no campaign", func(r *Readings) { r.Campaign = false }, "unknown template, unknown media"},
	}
	for _, tt := range tests {
		all := Judge(good(tt.change))
		if got := told(all, OK); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
		for _, c := range all {
			if c.Detail == "" || c.Verdict == Stop && c.Advice == "" && c.Check != aboutHealth {
				t.Errorf("%s: %+v tells nothing, or not what to do", tt.name, c)
			}
		}
		for _, group := range []string{aboutToken, aboutNumber, aboutTemplate, aboutMedia, aboutPayment, aboutHealth} {
			if !slices.ContainsFunc(all, func(c Check) bool { return c.Check == group }) {
				t.Errorf("%s: nothing about %s", tt.name, group)
			}
		}
	}
}

func TestWorst(t *testing.T) {
	for want, all := range map[Verdict][]Check{OK: nil, Unknown: {{Verdict: OK}, {Verdict: Unknown}}, Warning: {{Verdict: Unknown}, {Verdict: Warning}},
		Stop: {{Verdict: Warning}, {Verdict: Stop}, {Verdict: OK}}} {
		if got := Worst(all); got != want {
			t.Errorf("%v: %s", all, got)
		}
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		n     Number
		mps   int
		tier  int
		known bool
	}{
		{Number{Level: "STANDARD", Limit: "TIER_250"}, 80, 250, true},
		{Number{Level: "HIGH", Limit: "TIER_1K"}, 1000, 1000, true},
		{Number{Level: "HIGH", Limit: "TIER_100K", BusinessApp: new(true), Platform: "CLOUD_API"}, 20, 100000, true},
		{Number{Level: "NOT_APPLICABLE", Limit: "TIER_UNLIMITED"}, 0, 0, true},
		{Number{Limit: "TIER_50"}, 0, 50, true},
		{Number{Limit: "TIER_NOT_SET"}, 0, 0, false},
		{Number{Limit: "TIER_-5"}, 0, 0, false},
		{Number{Limit: "TIER_0K"}, 0, 0, false},
		{Number{Limit: "TIER_99999999999999999999"}, 0, 0, false},
		{Number{Limit: "250"}, 0, 0, false},
		{Number{}, 0, 0, false},
	}
	for _, tt := range tests {
		tier, known := tt.n.Tier()
		if mps := tt.n.MPS(); mps != tt.mps || tier != tt.tier || known != tt.known {
			t.Errorf("%+v: %d/s, %d, %v", tt.n, mps, tier, known)
		}
	}
}

// parsed is a template as the platform has it.
func parsed(t *testing.T, text string) Template {
	t.Helper()
	p, err := template.Parse([]byte(text))
	return Template{Template: p, Fault: err, Raw: json.RawMessage(text), Quality: "GREEN"}
}

func TestTemplates(t *testing.T) {
	const head = `{"name":"t","language":"en","status":"APPROVED","category":"UTILITY","components":[`
	plain := head + `{"type":"BODY","text":"Hi {{1}} and {{2}}!"}]}`
	full := head + `{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"Hi!"},{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"a"},{"type":"URL","text":"b","url":"https://e.com/{{1}}"}]}]}`
	named := head + `{"type":"BODY","text":"Hi {{first_name}}!"}]}`
	message := func(m template.Message) template.Message {
		m.Type, m.Template, m.Language = template.TypeTemplate, "t", "en"
		return m
	}
	two := message(template.Message{Body: []template.Parameter{{Text: "a"}, {Text: "b"}}})
	image := &template.Header{Type: template.TypeImage, Media: &template.Media{ID: "1"}}
	link := template.Button{Index: 1, SubType: "url", Text: "x"}
	tests := []struct {
		name, template string
		message        template.Message
		change         func(*Template, *Readings)
		want           string // what is not ok
		says           string
	}{
		{"fits", plain, two, nil, "", ""},
		{"one too few", plain, message(template.Message{Body: two.Body[:1]}), nil, "stop template parameters", "body.2 is missing"},
		{"one too many", plain, message(template.Message{Body: append(slices.Clone(two.Body), template.Parameter{Text: "c"})}), nil, "stop template parameters", "body.3 is given"},
		{"numbered for named", named, two, nil, "stop template parameters", "body.first_name is missing"},
		{"named", named, message(template.Message{Body: []template.Parameter{{Name: "first_name", Text: "a"}}}), nil, "", ""},
		{"header and button", full, message(template.Message{Header: image, Buttons: []template.Button{link}}), nil, "", ""},
		{"optional reply", full, message(template.Message{Header: image, Buttons: []template.Button{link, {Index: 0, SubType: "quick_reply", Text: "x"}}}), nil, "", ""},
		{"no header", full, message(template.Message{Buttons: []template.Button{link}}), nil, "stop template parameters", "header.image is missing"},
		{"another header", full, message(template.Message{Header: &template.Header{Type: template.TypeVideo}, Buttons: []template.Button{link}}), nil, "stop template parameters", "header.video is given, and the template takes header.image"},
		{"no button", full, message(template.Message{Header: image}), nil, "stop template parameters", "button.1 is missing"},
		{"button of another kind", full, message(template.Message{Header: image, Buttons: []template.Button{link, {Index: 0, SubType: "url", Text: "x"}}}), nil, "stop template parameters", "--template-file tells them apart"},
		{"button that is not there", full, message(template.Message{Header: image, Buttons: []template.Button{link, {Index: 7, SubType: "url", Text: "x"}}}), nil, "stop template parameters", "button.7 is given"},
		{"paused", plain, two, func(t *Template, _ *Readings) { t.Status = "PAUSED" }, "stop template status", ""},
		{"rejected", plain, two, func(t *Template, _ *Readings) { t.Status, t.Rejected = "REJECTED", "SCAM" }, "stop template status", "SCAM"},
		{"status of tomorrow", plain, two, func(t *Template, _ *Readings) { t.Status = "SLEEPING" }, "unknown template status", ""},
		{"quality not told", plain, two, func(t *Template, _ *Readings) { t.Quality = "" }, "unknown template quality", ""},
		{"low quality", plain, two, func(t *Template, _ *Readings) { t.Quality = "RED" }, "warning template quality", ""},
		{"category will move", plain, two, func(t *Template, _ *Readings) { t.Correct = "MARKETING" }, "warning template category", "marketing"},
		{"category of the file", plain, two, func(_ *Template, r *Readings) { r.Uses[0].Category = "MARKETING" }, "warning template category", ""},
		{"marketing to the United States", plain, two, func(t *Template, r *Readings) { t.Category, r.American = "MARKETING", 3 }, "warning template category", "3 of the people"},
		{"utility to the United States", plain, two, func(_ *Template, r *Readings) { r.American = 3 }, "", ""},
		{"other language", plain, two, func(t *Template, _ *Readings) { t.Language = "en_US" }, "stop template exists", "but in en_US"},
		{"other name", plain, two, func(t *Template, _ *Readings) { t.Name = "tt" }, "stop template exists", "no template of this name"},
		{"carousel", head + `{"type":"BODY","text":"Hi {{1}} and {{2}}!"},{"type":"CAROUSEL"}]}`, two, nil, "stop template parameters", "CAROUSEL"},
		{"cannot be read", head + `{"type":"BODY","text":"Hi {{1} and {{2}}!"}]}`, two, func(t *Template, _ *Readings) {
			t.Name, t.Language, t.Status, t.Category, t.Fault = "t", "en", "APPROVED", "UTILITY", errors.New("odd")
		}, "unknown template parameters", ""},
		{"not read", plain, two, func(_ *Template, r *Readings) { r.TemplatesErr = &Refusal{What: "templates", HasCode: true, Code: 10} }, "unknown template", ""},
	}
	for _, tt := range tests {
		r := good(func(r *Readings) {
			r.Uses = []Use{{Message: tt.message, Line: 2, Messages: 1}}
			r.Templates = []Template{parsed(t, tt.template)}
			if tt.change != nil {
				tt.change(&r.Templates[0], r)
			}
		})
		all := Judge(r)
		if got := told(all, OK); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
		if !slices.ContainsFunc(all, func(c Check) bool { return strings.Contains(c.Detail, tt.says) }) {
			t.Errorf("%s: nobody says %q: %+v", tt.name, tt.says, all)
		}
	}
}

func TestMedia(t *testing.T) {
	pdf := &template.File{Type: "application/pdf", Size: 9, Sum: "a"}
	tests := []struct {
		name  string
		links []Link
		want  string
	}{
		{"none", nil, ""},
		{"a file", []Link{{URL: "a.pdf", Local: true, Place: "header.document", File: pdf}}, ""},
		{"fetched", []Link{{URL: "https://e.com/a", Place: "header.document", File: pdf}}, ""},
		{"of the wrong kind", []Link{{URL: "https://e.com/a", Place: "header.image", File: pdf}}, "stop media"},
		{"not fetched", []Link{{URL: "https://e.com/a", Place: "header.image", Err: errors.New("no")}}, "stop media"},
		{"left alone", []Link{{URL: "https://e.com/a", Place: "image", Messages: 1}}, "unknown media"},
		{"shared", []Link{{URL: "https://e.com/a", Place: "image", Messages: 2}}, "warning media, unknown media"},
		{"own store", []Link{{URL: "https://scontent.whatsapp.net/a", Place: "image", Messages: 1}}, "stop media"},
		{"own store, deeper", []Link{{URL: "https://media.fgru1-1.fna.fbcdn.net/a", Place: "image", Messages: 1}}, "stop media"},
		{"own store, by its first word", []Link{{URL: "https://scontent-gru2.xx.example/a", Place: "image", Messages: 1}}, "stop media"},
		{"own store, fetched", []Link{{URL: "https://lookaside.fbsbx.com./a", Place: "header.document", File: pdf}}, "stop media"},
		{"looks like it", []Link{{URL: "https://notfbcdn.net/a", Place: "image", Messages: 1}, {URL: "https://e.com/scontent.fbcdn.net", Place: "image", Messages: 1}}, "unknown media"},
		{"the template's sample", []Link{{URL: "https://e.com/sample", Place: "image", Messages: 1}}, "stop media"},
		{"one bad of many", []Link{{URL: "https://e.com/a", Place: "image", Messages: 1}, {URL: "b.pdf", Local: true, Place: "video", File: pdf}}, "stop media, unknown media"},
	}
	for _, tt := range tests {
		r := good(func(r *Readings) {
			r.Links, r.Templates = tt.links, []Template{{Samples: []string{"https://e.com/sample"}}}
		})
		if got := told(Judge(r), OK); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
	}
}

// Every value in the tables has words, and what is no OK says what to do.
func TestWords(t *testing.T) {
	for i, table := range []map[string]says{statuses, qualities, modes, nameStatuses, templateStatuses, templateQualities, sending} {
		if len(table) == 0 {
			t.Fatalf("table %d is empty", i)
		}
		for value, s := range table {
			if s.means == "" || s.verdict == "" || (s.verdict == OK) != (s.advice == "") || value != strings.ToUpper(value) {
				t.Errorf("%s: %+v", value, s)
			}
		}
	}
}
