package vectalk

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/preflight"
)

// numbersPage is the list of numbers, which lies beside messages.
const numbersPage = "phone-numbers"

// Number reads what Vectalk's list tells of a number, its throughput level above all. Whatever the list does not tell stays empty.
//
// An error is a *preflight.Refusal. Neither stands in the way of a send: an unknown level is paced like the lowest.
func (c Client) Number(ctx context.Context, id string) (preflight.Number, error) {
	body, err := c.api.Get(ctx, "Vectalk's list of numbers", numbersPage)
	if err != nil {
		return preflight.Number{ID: id}, err
	}
	return ParseNumbers(body, id), nil
}

// ParseNumbers finds a number in any JSON that lists numbers with their throughput. Level is empty where none is told, or several that differ.
//
// The list's shape is not published. So any object with a throughput counts as a number; the one with the id is asked, or else all of them.
func ParseNumbers(body []byte, id string) preflight.Number {
	var list any
	if json.Unmarshal(body, &list) != nil {
		return preflight.Number{ID: id}
	}
	all := numbersIn(list, nil)
	if at := slices.IndexFunc(all, func(n number) bool { return n.hasID(id) }); at >= 0 {
		all = all[at : at+1]
	}
	differs := func(n number) bool { return n.level() != all[0].level() }
	switch {
	case len(all) == 0 || slices.ContainsFunc(all, differs):
		return preflight.Number{ID: id}
	case len(all) == 1:
		return all[0].reading(id)
	}
	return atLevel(preflight.Number{ID: id}, all[0].level())
}

// reading is the number with the other fields that the list spells like the platform.
func (n number) reading(id string) preflight.Number {
	var told preflight.Number
	if text, err := json.Marshal(n); err == nil {
		told, _ = cloudapi.ParseNumber(text) // one field of another type leaves the others out, and they are a bonus
	}
	told.ID = id
	return atLevel(told, n.level())
}

// levels are the platform's words for levels that are told as messages a second.
var levels = map[string]string{"80": "STANDARD", "1000": "HIGH"}

// coexistence is the messages a second of a number that the Business app uses too. The platform has no word for it, but two fields.
const coexistence = "20"

func atLevel(n preflight.Number, level string) preflight.Number {
	if level == coexistence {
		n.BusinessApp, n.Platform = new(true), "CLOUD_API"
	}
	n.Level = cmp.Or(levels[level], level)
	return n
}

// number is a JSON object that tells a throughput.
type number map[string]any

// numbersIn is every number inside v, outer ones first and fields by name.
func numbersIn(v any, found []number) []number {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			found = numbersIn(one, found)
		}
	case map[string]any:
		if n := number(v); n.level() != "" {
			return append(found, n)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			found = numbersIn(v[key], found)
		}
	}
	return found
}

// field is the value under a name however it is spelt: phone_number_id, phoneNumberId, PhoneNumberID.
func (n number) field(name string) any {
	for _, key := range slices.Sorted(maps.Keys(n)) {
		if strings.EqualFold(strings.ReplaceAll(key, "_", ""), name) {
			return n[key]
		}
	}
	return nil
}

// level is the throughput that the object tells, as a word in capitals.
func (n number) level() string {
	level := n.field("throughput")
	if inner, ok := level.(map[string]any); ok {
		level = number(inner).field("level")
	}
	return strings.ToUpper(cmp.Or(word(level), word(n.field("throughputlevel"))))
}

// idFields are the names under which a list may carry the id of a number.
var idFields = []string{"id", "phonenumberid", "numberid", "wanumberid"}

func (n number) hasID(id string) bool {
	return id != "" && slices.ContainsFunc(idFields, func(name string) bool { return word(n.field(name)) == id })
}

// word is a text or a number as text.
func word(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
