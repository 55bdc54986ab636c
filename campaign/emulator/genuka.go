package emulator

import (
	"encoding/json"
	"net/http"
	"strings"
)

// serveGenuka is Genuka WA's door: connectionId names the number, an answer stands in data, and a refusal in error, message and meta.code.
//
// It takes the body's other fields for the platform's, and hands no callback data on: the page of the provider names none.
func (e *Emulator) serveGenuka(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.Trim(r.URL.Path, "/") != "api/v1/messages":
		writeError(w, http.StatusNotFound, marshal(map[string]any{"error": "not_found", "message": "No route for " + r.URL.Path}))
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		writeError(w, http.StatusMethodNotAllowed, marshal(map[string]any{"error": "method_not_allowed", "message": "This path takes POST"}))
	default:
		raw, err := readBody(r.Body)
		a := undress(raw)
		a.err, a.dress = err, dressGenuka
		e.serveArrival(w, r, a)
	}
}

// undress makes the platform's body of Genuka WA's.
func undress(raw []byte) arrival {
	var body object
	if json.Unmarshal(raw, &body) != nil || body == nil {
		return arrival{raw: raw}
	}
	a := arrival{number: body.text("connectionId")}
	if a.number == "" {
		a.refused = invalid("connectionId is required.")
	}
	delete(body, "connectionId")
	delete(body, "biz_opaque_callback_data")
	body["messaging_product"] = "whatsapp"
	a.raw = marshal(body)
	return a
}

// dressGenuka makes Genuka WA's answer of the platform's. A refusal of the door's own, such as of the key, has no code of the platform.
func dressGenuka(status int, body []byte) []byte {
	var said object
	if json.Unmarshal(body, &said) != nil || said["error"] == nil {
		return marshal(map[string]any{"data": json.RawMessage(body)})
	}
	failure := said.object("error")
	words := failure.text("message")
	if details := failure.object("error_data").text("details"); details != "" {
		words += ": " + details
	}
	answer := map[string]any{"error": strings.ToLower(strings.ReplaceAll(http.StatusText(status), " ", "_")), "message": words}
	if status != http.StatusUnauthorized {
		answer["meta"] = map[string]any{"code": failure["code"]}
	}
	return marshal(answer)
}
