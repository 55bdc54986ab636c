package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/wactl/wactl/campaign/wire"
)

// meaning is how the platform words a code and with which HTTP status it answers.
type meaning struct {
	status int
	title  string
}

// meanings are the platform's codes as its error page shows them (2025-12, with HTTP status). What is not here is 400 without a title.
var meanings = map[int]meaning{
	0:      {401, "AuthException"},
	1:      {400, "API Unknown"},
	2:      {503, "API Service"},
	3:      {500, "API Method"},
	4:      {400, "API Too Many Calls"},
	10:     {403, "Permission Denied"},
	33:     {400, "Parameter value is not valid"},
	100:    {400, "Invalid parameter"},
	190:    {401, "Access token has expired"},
	200:    {403, "API Permission"},
	368:    {403, "Temporarily blocked for policies violations"},
	2500:   {404, "Unknown path components"},
	80007:  {400, "Rate limit issues"},
	80008:  {400, "There have been too many calls to this WhatsApp Business account"},
	130403: {400, "Business has blocked this user"},
	130429: {400, "Rate limit hit"},
	130472: {400, "User's number is part of an experiment"},
	130497: {403, "Business account is restricted from messaging users in this country"},
	131000: {500, "Something went wrong"},
	131005: {403, "Access denied"},
	131008: {400, "Required parameter is missing"},
	131009: {400, "Parameter value is not valid"},
	131016: {500, "Service unavailable"},
	131021: {400, "Recipient cannot be sender"},
	131026: {400, "Message undeliverable"},
	131030: {400, "Recipient phone number not in allowed list"},
	131031: {403, "Account has been locked"},
	131037: {400, "WhatsApp provided number needs display name approval before message can be sent"},
	131042: {400, "Business eligibility payment issue"},
	131045: {500, "Incorrect certificate"},
	131047: {400, "Re-engagement message"},
	131048: {400, "Spam rate limit hit"},
	131049: {400, "Meta chose not to deliver"},
	131050: {400, "User has stopped marketing messages"},
	131051: {400, "Unsupported message type"},
	131053: {400, "Media upload error"},
	131055: {400, "Method not allowed"},
	131056: {400, "(Business Account, Consumer Account) pair rate limit hit"},
	131057: {500, "Account in maintenance mode"},
	131064: {400, "Messaging limit reached"},
	132000: {400, "Template param count mismatch"},
	132001: {404, "Template does not exist"},
	132005: {400, "Template hydrated text too long"},
	132007: {400, "Template format character policy violated"},
	132012: {400, "Template parameter format mismatch"},
	132015: {400, "Template is paused"},
	132016: {400, "Template is disabled"},
	132018: {400, "Template parameter validation failed"},
	132068: {400, "Flow is blocked"},
	132069: {400, "Flow is throttled"},
	133004: {503, "Server temporarily unavailable"},
	133010: {400, "Phone number not registered"},
	134011: {400, "WhatsApp Pay terms not accepted"},
	134101: {400, "Template is syncing"},
	134102: {500, "Template unavailable for use"},
	135000: {400, "Generic user error"},
}

// throttles are the codes whose HTTP status Options.ThrottleStatus sets.
var throttles = []int{4, 80007, 80008, 130429, 131048, 131056}

// statusOf is the HTTP status that goes with a code.
func (e *Emulator) statusOf(code int) int {
	if slices.Contains(throttles, code) || code == e.opt.TierCode {
		return e.opt.ThrottleStatus
	}
	if m, ok := meanings[code]; ok {
		return m.status
	}
	return http.StatusBadRequest
}

// platformError is a refusal in the platform's shape.
func platformError(code, subcode int, details, trace string) []byte {
	title := "Unknown error"
	if m, ok := meanings[code]; ok {
		title = m.title
	}
	data := marshal(wire.ErrorData{MessagingProduct: "whatsapp", Details: details})
	return marshal(wire.ErrorBody{Error: &wire.Error{
		Message: fmt.Sprintf("(#%d) %s", code, title),
		Type:    "OAuthException",
		Code:    wire.Code(code),
		Subcode: subcode,
		Data:    data,
		TraceID: trace,
	}})
}

// marshal is for values that always have a JSON form.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

const (
	typeJSON = "application/json; charset=UTF-8"
	typeHTML = "text/html; charset=utf-8"
)

func writeError(w http.ResponseWriter, status int, body []byte) { write(w, status, typeJSON, body) }

// write sends a whole answer. An error means that the client is gone, which is the client's affair.
func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
