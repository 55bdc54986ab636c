package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Answer is what the body of an answer says, before anybody judges it. A field that the body lacks is zero.
type Answer struct {
	MessageID     string // first message's id
	MessageStatus string // its message_status
	WaID          string // the recipient as the platform knows it, digits
	UserID        string // business-scoped user id
	HasCode       bool   // whether Code was found; 0 is a code too
	Code          Code
	Title         string // the error's message without its "(#code)"
	Details       string // the error's explanation
	Cut           bool   // the body ended inside its JSON
	HTML          bool   // the body is a web page
}

// answerBody has every field in which the platform, or a proxy of it, may put what we look for. Errors are taken as they come.
type answerBody struct {
	Contacts []Contact `json:"contacts"`
	Messages []Sent    `json:"messages"`
	Error    any       `json:"error"`
	Errors   any       `json:"errors"`
	Meta     any       `json:"meta"`
	Message  any       `json:"message"`
}

// ParseAnswer reads the body of an answer with this HTTP status. It takes any bytes, and what is not there stays zero.
//
// Proxies wrap the platform's error and write its code as a string; the code nearest to the outside that is one wins. A number that
// only repeats the HTTP status is no platform code.
func ParseAnswer(status int, body []byte) Answer {
	body = bytes.TrimPrefix(bytes.TrimSpace(body), []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(body, []byte("<")) {
		return Answer{HTML: true}
	}
	var b answerBody
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&b); err != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			return Answer{Cut: errors.Is(err, io.ErrUnexpectedEOF)}
		}
		// One field had another type than the platform's; the others were read.
	}
	var a Answer
	a.takeMessage(b)
	a.takeError(status, b)
	return a
}

func (a *Answer) takeMessage(b answerBody) {
	if len(b.Messages) > 0 {
		a.MessageID, a.MessageStatus = b.Messages[0].ID, b.Messages[0].Status
	}
	if len(b.Contacts) > 0 {
		a.WaID, a.UserID = b.Contacts[0].WaID, b.Contacts[0].UserID
	}
}

func (a *Answer) takeError(status int, b answerBody) {
	var said map[string]any // the object that holds the code, or else the first that says anything
	for o := range objects(b.Error, b.Errors, b.Meta) {
		if code, ok := platformCode(status, o["code"]); ok {
			a.HasCode, a.Code, said = true, code, o
			break
		}
		if said == nil && text(o["message"], o["title"]) != "" {
			said = o
		}
	}
	data, _ := said["error_data"].(map[string]any)
	a.Details = text(data["details"], said["error_data"], said["details"], said["error_user_msg"])
	a.Title = withoutCode(text(said["message"], said["title"], b.Message, b.Error))
}

// objects is every JSON object inside values, those nearest to the outside first.
func objects(values ...any) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for queue := values; len(queue) > 0; queue = queue[1:] {
			switch v := queue[0].(type) {
			case []any:
				queue = append(queue, v...)
			case map[string]any:
				if !yield(v) {
					return
				}
				for _, key := range slices.Sorted(maps.Keys(v)) {
					queue = append(queue, v[key])
				}
			}
		}
	}
}

func platformCode(status int, v any) (Code, bool) {
	n := -1
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) && v <= math.MaxInt32 {
			n = int(v)
		}
	case string:
		if i, err := strconv.ParseInt(strings.TrimSpace(v), 10, 32); err == nil {
			n = int(i)
		}
	}
	return Code(max(n, 0)), n >= 0 && n != status
}

// text is the first of values that is a string with something in it.
func text(values ...any) string {
	for _, v := range values {
		if s, ok := v.(string); ok && strings.TrimSpace(s) != "" {
			return strings.TrimSpace(s)
		}
	}
	return ""
}

// withoutCode cuts the "(#131056) " that the platform puts before a title.
func withoutCode(title string) string {
	if rest, ok := strings.CutPrefix(title, "(#"); ok {
		if digits, rest, ok := strings.Cut(rest, ") "); ok && strings.Trim(digits, "0123456789") == "" {
			return rest
		}
	}
	return title
}
