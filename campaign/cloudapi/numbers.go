package cloudapi

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/url"
	"strconv"
	"strings"

	"github.com/wactl/wactl/campaign/preflight"
)

// numberFields are what is asked of a number. An API that is older refuses the whole reading for one field that it does not know, so the
// second list has only what has been there for years.
var numberFields = []string{
	"id,display_phone_number,verified_name,status,quality_rating,throughput,is_on_biz_app,platform_type,whatsapp_business_manager_messaging_limit,account_mode,name_status,health_status",
	"id,display_phone_number,verified_name,status,quality_rating,throughput,messaging_limit_tier,account_mode,name_status",
}

// invalidParameter is the code for a field that an API does not know.
const invalidParameter = 100

// jsonNumber is a number as the API returns it. Every field may be missing.
type jsonNumber struct {
	ID          text   `json:"id"`
	Display     text   `json:"display_phone_number"`
	Name        text   `json:"verified_name"`
	Status      text   `json:"status"`
	Quality     text   `json:"quality_rating"`
	Score       scored `json:"quality_score"`
	Throughput  level  `json:"throughput"`
	BusinessApp any    `json:"is_on_biz_app"`
	Platform    text   `json:"platform_type"`
	Limit       text   `json:"whatsapp_business_manager_messaging_limit"`
	OldLimit    text   `json:"messaging_limit_tier"`
	Mode        text   `json:"account_mode"`
	NameStatus  text   `json:"name_status"`
	Health      health `json:"health_status"`
}

// text is a field that should be a string: anything else counts as not told, so that one odd field does not spoil a reading.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		*t = text(v)
	case float64:
		*t = text(strconv.FormatFloat(v, 'f', -1, 64)) // ids are written as numbers by some
	}
	return nil
}

// level is a throughput, {"level":"STANDARD"}; some write the word alone.
type level struct{ word text }

func (l *level) UnmarshalJSON(b []byte) error {
	var o struct {
		Level text `json:"level"`
	}
	if json.Unmarshal(b, &o) == nil {
		l.word = o.Level
		return nil
	}
	return json.Unmarshal(b, &l.word)
}

// scored is a quality, {"score":"GREEN"}; some write the word alone.
type scored struct{ word text }

func (s *scored) UnmarshalJSON(b []byte) error {
	var o struct {
		Score text `json:"score"`
	}
	if json.Unmarshal(b, &o) == nil {
		s.word = o.Score
		return nil
	}
	return json.Unmarshal(b, &s.word)
}

// health is a health_status; nil where it is not told or has another shape.
type health struct{ *preflight.Health }

func (h *health) UnmarshalJSON(b []byte) error {
	var o struct {
		CanSend  text `json:"can_send_message"`
		Entities []struct {
			Type    text   `json:"entity_type"`
			ID      text   `json:"id"`
			CanSend text   `json:"can_send_message"`
			Info    []text `json:"additional_info"`
			Faults  []struct {
				Code        float64 `json:"error_code"`
				Description text    `json:"error_description"`
				Solution    text    `json:"possible_solution"`
			} `json:"errors"`
		} `json:"entities"`
	}
	if json.Unmarshal(b, &o) != nil || o.CanSend == "" {
		return nil
	}
	h.Health = &preflight.Health{CanSend: string(o.CanSend)}
	for _, e := range o.Entities {
		entity := preflight.Entity{Type: string(e.Type), ID: string(e.ID), CanSend: string(e.CanSend)}
		for _, info := range e.Info {
			entity.Info = append(entity.Info, string(info))
		}
		for _, f := range e.Faults {
			entity.Faults = append(entity.Faults, preflight.Fault{Code: int(f.Code), Description: string(f.Description), Solution: string(f.Solution)})
		}
		h.Entities = append(h.Entities, entity)
	}
	return nil
}

func (j jsonNumber) number() preflight.Number {
	n := preflight.Number{ID: string(j.ID), Display: string(j.Display), Name: string(j.Name), Status: word(j.Status),
		Quality: firstWord(j.Quality, j.Score.word), Level: word(j.Throughput.word), Limit: firstWord(j.Limit, j.OldLimit),
		Mode: word(j.Mode), NameStatus: word(j.NameStatus), Platform: word(j.Platform), Health: j.Health.Health}
	if yes, told := j.BusinessApp.(bool); told {
		n.BusinessApp = &yes
	}
	return n
}

// word is a value of the platform in capitals, as its tables are.
func word(t text) string { return strings.ToUpper(strings.TrimSpace(string(t))) }

func firstWord(words ...text) string {
	for _, w := range words {
		if w != "" {
			return word(w)
		}
	}
	return ""
}

// Number reads one business phone number. What went wrong is a *preflight.Refusal, or the context's cause.
func (c *Client) Number(ctx context.Context, id string) (preflight.Number, error) {
	what := "number " + id
	if err := checkNumberID(id); err != nil {
		return preflight.Number{}, &preflight.Refusal{What: what, Details: err.Error()}
	}
	var j jsonNumber
	err := c.withFields(numberFields, func(fields string) error {
		return c.get(ctx, what, []string{url.PathEscape(id)}, url.Values{"fields": {fields}}, &j)
	})
	return j.number(), err
}

// withFields reads with the newest fields first, and with fewer where the API knows one of them not.
func (c *Client) withFields(lists []string, read func(fields string) error) (err error) {
	for _, fields := range lists {
		err = read(fields)
		if r, ok := errors.AsType[*preflight.Refusal](err); !ok || !r.HasCode || r.Code != invalidParameter || r.Missing {
			return err
		}
	}
	return err
}

// Numbers reads every number of a WhatsApp Business account. An error is the last pair.
func (c *Client) Numbers(ctx context.Context, account string) iter.Seq2[preflight.Number, error] {
	return func(yield func(preflight.Number, error) bool) {
		started := false
		err := c.withFields(numberFields, func(fields string) error {
			query := url.Values{"fields": {fields}, "limit": {"50"}}
			for raw, err := range c.pages(ctx, "numbers of account "+account, account, "phone_numbers", query) {
				var j jsonNumber
				if err == nil {
					err = json.Unmarshal(raw, &j)
				}
				if err != nil && !started {
					return err
				}
				started = true
				if !yield(j.number(), err) || err != nil {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			yield(preflight.Number{}, err)
		}
	}
}

// mostPages ends a list whose marks go round in a circle.
const mostPages = 1000

// pages yields the objects of a list, page after page. It follows the mark and not the link to the next page: a link may lead elsewhere.
func (c *Client) pages(ctx context.Context, what, account, edge string, query url.Values) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		if err := checkNumberID(account); err != nil {
			yield(nil, &preflight.Refusal{What: what, Details: err.Error()})
			return
		}
		for range mostPages {
			var page struct {
				Items  []json.RawMessage `json:"data"`
				Paging struct {
					Cursors struct {
						After string `json:"after"`
					} `json:"cursors"`
					Next string `json:"next"`
				} `json:"paging"`
			}
			if err := c.get(ctx, what, []string{url.PathEscape(account), edge}, query, &page); err != nil {
				yield(nil, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			after := page.Paging.Cursors.After
			if page.Paging.Next == "" || after == "" || after == query.Get("after") {
				return
			}
			query.Set("after", after)
		}
		yield(nil, &preflight.Refusal{What: what, Details: "the list does not end"})
	}
}
