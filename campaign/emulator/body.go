package emulator

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// message is what the limits, the answer and the journal need of a request.
type message struct {
	number    string
	kind      string // the platform's message type
	input     string // the recipient as sent
	recipient string // "+" and digits, or a business-scoped user id; empty when neither can be read
	waID      string
	userID    string
	callback  string
}

// object is a JSON object read without a struct: the emulator must not share a mistaken field name with the client it judges.
type object map[string]any

func (o object) object(key string) object {
	m, _ := o[key].(map[string]any)
	return m
}

func (o object) text(key string) string {
	s, _ := o[key].(string)
	return s
}

// userID is the form of a business-scoped user id, of a person or of a parent portfolio.
var userID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$`) }) // long to compile, and few runs need it

// readMessage takes from a body what can be read of it, right or wrong; the object is nil where the body is no JSON object.
func readMessage(number string, raw []byte) (message, object) {
	m := message{number: number}
	var body object
	if json.Unmarshal(raw, &body) != nil || body == nil {
		return m, nil
	}
	m.kind = body.text("type")
	if m.kind == "" && body["type"] == nil {
		m.kind = "text" // the platform's default
	}
	m.callback = body.text("biz_opaque_callback_data")
	if m.input = body.text("to"); m.input != "" { // "to" wins where both are given
		if m.waID = digitsOf(m.input); m.waID != "" {
			m.recipient = "+" + m.waID
		}
	} else if m.input = body.text("recipient"); userID().MatchString(m.input) {
		m.userID, m.recipient = m.input, m.input
	}
	return m, body
}

// separators are what the platform lets stand between the digits of a number.
var separators = strings.NewReplacer(" ", "", "-", "", "(", "", ")", "")

var phone = regexp.MustCompile(`^\+?([0-9]{7,15})$`) // ITU E.164: at most 15 digits; the shortest in use have 7

// digitsOf is a phone number's digits, empty when it is none.
func digitsOf(to string) string {
	if m := phone.FindStringSubmatch(separators.Replace(to)); m != nil {
		return m[1]
	}
	return ""
}

// Published lengths, in code points.
const (
	maxText       = 4096
	maxCaption    = 1024
	maxCallback   = 512
	maxHeaderText = 60
	maxParameters = 32768 // all of a body's parameters together
	maxCoupon     = 15
)

// checks are the message types of the platform; a nil check asks for the type's object and looks no further.
var checks = map[string]func(path string, o object) *refusal{
	"text":        checkText,
	"template":    checkTemplate,
	"image":       checkMedia,
	"video":       checkMedia,
	"document":    checkMedia,
	"audio":       checkMedia,
	"sticker":     checkMedia,
	"location":    nil,
	"contacts":    nil,
	"interactive": nil,
	"reaction":    nil,
}

// checkBody says what the platform would refuse a body for, nil for nothing. readErr is what went wrong in reading it.
func checkBody(m message, body object, readErr error) *refusal {
	check, known := checks[m.kind]
	switch {
	case readErr != nil:
		return invalid("The request body could not be read: " + readErr.Error())
	case body == nil:
		return invalid("The request body is not a JSON object.")
	case body["messaging_product"] == nil:
		return invalid("The parameter messaging_product is required.")
	case body["messaging_product"] != "whatsapp":
		return invalid("Param messaging_product must be one of {WHATSAPP}.")
	case body["recipient_type"] != nil && body["recipient_type"] != "individual":
		return invalid("Param recipient_type must be individual: groups are not emulated.")
	case m.input == "" && body["to"] == nil && body["recipient"] == nil:
		return invalid("The parameter to is required.")
	case m.recipient == "":
		return refuse(131009, "The recipient is neither a phone number of 7 to 15 digits nor a business-scoped user id.")
	case !known:
		return refuse(131051, fmt.Sprintf("Message type %q is not supported.", m.kind))
	case body[m.kind] == nil:
		return missing(m.kind)
	case body["biz_opaque_callback_data"] != nil && m.callback == "":
		return invalid("Param biz_opaque_callback_data must be a string of 1 to 512 characters.")
	case check == nil:
		return tooLong(100, "biz_opaque_callback_data", m.callback, maxCallback)
	case body.object(m.kind) == nil:
		return invalid("Param " + m.kind + " must be an object.")
	}
	return first(
		tooLong(100, "biz_opaque_callback_data", m.callback, maxCallback),
		check(m.kind, body.object(m.kind)),
	)
}

func checkText(path string, o object) *refusal {
	body := o.text("body")
	if body == "" {
		return missing(at(path, "body"))
	}
	return tooLong(100, at(path, "body"), body, maxText)
}

// checkMedia wants exactly one of id and link.
func checkMedia(path string, o object) *refusal {
	id, link := o.text("id"), o.text("link")
	switch {
	case id == "" && link == "":
		return missing(at(path, "id") + " or " + at(path, "link"))
	case id != "" && link != "":
		return refuse(131009, "Only one of id and link may be given in "+path+".")
	case link != "" && !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://"):
		return refuse(131009, "Param "+at(path, "link")+" is not a valid URL.")
	}
	return tooLong(100, at(path, "caption"), o.text("caption"), maxCaption)
}

// first is the first refusal of a list, nil when there is none.
func first(list ...*refusal) *refusal {
	for _, r := range list {
		if r != nil {
			return r
		}
	}
	return nil
}

func refuse(code int, details string) *refusal {
	return &refusal{by: byBody, code: code, details: details}
}

func invalid(details string) *refusal { return refuse(100, details) }

func missing(path string) *refusal { return refuse(131008, "The parameter "+path+" is required.") }

// tooLong refuses a text of more than most code points.
func tooLong(code int, path, text string, most int) *refusal {
	if utf8.RuneCountInString(text) <= most {
		return nil
	}
	return refuse(code, fmt.Sprintf("Param %s must be at most %d characters long.", path, most))
}

// at is a path one step deeper, in the platform's spelling: text['body'], components[0].
func at[K string | int](path string, key K) string {
	if k, ok := any(key).(string); ok {
		return path + "['" + k + "']"
	}
	return fmt.Sprintf("%s[%d]", path, any(key))
}
