package emulator

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// serveVectalk is Vectalk's door: the platform's bodies at /api/messages, or /messages as some of its pages have it, and a list of numbers.
func (e *Emulator) serveVectalk(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(strings.Trim(r.URL.Path, "/"), "api/")
	methods := map[string]string{"messages": http.MethodPost, "phone-numbers": http.MethodGet}
	switch want := methods[path]; {
	case want == "":
		writeError(w, http.StatusNotFound, platformError(2500, 0, "Unknown path components: "+r.URL.Path, ""))
	case r.Method != want:
		wrongMethod(w, r, want)
	case path == "messages":
		e.serveMessage(w, r, e.instance(r))
	default:
		e.serveInstance(w, r)
	}
}

// instance is the number that a token stands for: the one at the same place of the two lists, or else a name made of the token.
func (e *Emulator) instance(r *http.Request) string {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if i := slices.Index(e.opt.Tokens, token); i >= 0 && i < len(e.opt.Numbers) {
		return e.opt.Numbers[i]
	}
	if len(e.opt.Numbers) > 0 {
		return e.opt.Numbers[0]
	}
	sum := sha256.Sum256([]byte(token)) // the journal must not hold the token itself
	return fmt.Sprintf("instance-%x", sum[:4])
}

// serveInstance lists the token's number with its throughput level.
func (e *Emulator) serveInstance(w http.ResponseWriter, r *http.Request) {
	number := e.instance(r)
	if refused := e.authorise(r, number); refused != nil {
		writeError(w, e.statusOf(refused.code), platformError(refused.code, refused.subcode, refused.details, ""))
		return
	}
	level := "STANDARD"
	if e.opt.MPS >= highLevel {
		level = "HIGH"
	}
	one := map[string]any{"id": number, "throughput": map[string]any{"level": level}}
	write(w, http.StatusOK, typeJSON, marshal(map[string]any{"data": []any{one}}))
}

// highLevel is the messages a second of the upgraded throughput level.
const highLevel = 1000
