package emulator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Account is the business account that reads answer from, as the API would show it. The zero value is an account that fits the other options:
// every number exists and is connected, and nothing is known of templates.
type Account struct {
	ID        string            `json:"id"`        // of the WhatsApp Business account; empty is "1"
	Numbers   []json.RawMessage `json:"numbers"`   // each an object with an "id"; what one leaves out is as for any number. Empty: any number exists
	Templates []json.RawMessage `json:"templates"` // each an object with "name" and "language". Nil: every template exists and none can be read
}

// accountID is the account's id where none is given.
const accountID = "1"

// ParseAccount reads an account from JSON: {"id":…, "numbers":[…], "templates":[…]}. Every number needs an id, every template name and language.
func ParseAccount(text []byte) (Account, error) {
	var a Account
	if err := json.Unmarshal(text, &a); err != nil {
		return a, err
	}
	for i, raw := range a.Numbers {
		if readObject(raw).text("id") == "" {
			return a, fmt.Errorf("numbers[%d] has no id", i)
		}
	}
	for i, raw := range a.Templates {
		if o := readObject(raw); o.text("name") == "" || o.text("language") == "" {
			return a, fmt.Errorf("templates[%d] has no name or no language", i)
		}
	}
	return a, nil
}

func readObject(raw json.RawMessage) object {
	var o object
	_ = json.Unmarshal(raw, &o) // nil for what is no object
	return o
}

// id is the account's own id.
func (a Account) id() string {
	if a.ID == "" {
		return accountID
	}
	return a.ID
}

// directory is an account with its objects read once.
type directory struct{ numbers, templates []object }

func (a Account) read() (d directory) {
	for _, raw := range a.Numbers {
		d.numbers = append(d.numbers, readObject(raw))
	}
	for _, raw := range a.Templates {
		d.templates = append(d.templates, readObject(raw))
	}
	return d
}

// exists says whether messages may be sent from a number, as far as the options list numbers.
func (e *Emulator) exists(id string) bool {
	if len(e.opt.Numbers) > 0 && !slices.Contains(e.opt.Numbers, id) {
		return false
	}
	return len(e.listed.numbers) == 0 || e.given(id) != nil
}

// given is what the account says of a number, nil for nothing.
func (e *Emulator) given(id string) object {
	at := slices.IndexFunc(e.listed.numbers, func(o object) bool { return o.text("id") == id })
	if at < 0 {
		return nil
	}
	return e.listed.numbers[at]
}

// number is all that the platform would tell of a number, nil when there is none. Its level and limit are those that are enforced.
func (e *Emulator) number(id string) object {
	if !e.exists(id) {
		return nil
	}
	available := func(kind, id string) object {
		return object{"entity_type": kind, "id": id, "can_send_message": "AVAILABLE"}
	}
	n := object{
		"id":                   id,
		"display_phone_number": "+1 555-0100",
		"verified_name":        "Emulated Shop",
		"quality_rating":       "GREEN",
		"status":               "CONNECTED",
		"throughput":           object{"level": "STANDARD"},
		"is_on_biz_app":        false,
		"platform_type":        "CLOUD_API",
		"account_mode":         "LIVE",
		"name_status":          "APPROVED",
		"whatsapp_business_manager_messaging_limit": tierWord(e.opt.Tier),
		"health_status": object{"can_send_message": "AVAILABLE", "entities": []object{
			available("PHONE_NUMBER", id), available("WABA", e.opt.Account.id()), available("BUSINESS", "2"), available("APP", "3"),
		}},
	}
	switch {
	case e.opt.MPS == coexistMPS:
		n["is_on_biz_app"] = true
	case e.opt.MPS >= upgradedMPS:
		n["throughput"] = object{"level": "HIGH"}
	}
	for key, value := range e.given(id) {
		n[key] = value
	}
	return n
}

// Levels of a business number in messages a second, as published.
const (
	coexistMPS  = 20
	upgradedMPS = 1000
)

// tierWord is a messaging limit as the platform spells it.
func tierWord(people int) string {
	switch {
	case people == 0:
		return "TIER_UNLIMITED"
	case people%1000 == 0:
		return fmt.Sprintf("TIER_%dK", people/1000)
	}
	return fmt.Sprintf("TIER_%d", people)
}

// only keeps the fields that were asked for; without a wish the few that the platform shows by default. The id is always there.
func (o object) only(fields, byDefault string) object {
	if fields == "" {
		fields = byDefault
	}
	out := object{"id": o["id"]}
	for name := range strings.SplitSeq(fields, ",") {
		name, _, _ = strings.Cut(strings.TrimSpace(name), "{")
		if value, ok := o[name]; ok {
			out[name] = value
		}
	}
	return out
}

// approved is what a message's template is refused for by the account, nil for nothing. Without a list every template exists.
func (e *Emulator) approved(kind string, body object) *refusal {
	if kind != "template" || e.opt.Account.Templates == nil {
		return nil
	}
	name, language := body.object("template").text("name"), body.object("template").object("language").text("code")
	for _, o := range e.listed.templates {
		if o.text("name") != name || o.text("language") != language {
			continue
		}
		switch status := o.text("status"); status {
		case "", "APPROVED":
			return nil
		case "PAUSED":
			return refuse(132015, "Template "+name+" is paused.")
		case "DISABLED":
			return refuse(132016, "Template "+name+" is disabled.")
		default:
			return refuse(132001, "Template "+name+" is "+status+".")
		}
	}
	return refuse(132001, "Template name ("+name+") does not exist in "+language+".")
}
