package emulator

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Emulator answers like the platform and remembers what it accepted. Make one with New; it is safe for concurrent use.
type Emulator struct {
	opt    Options
	faults []armed
	log    journal
	listed directory

	mu     sync.Mutex
	state  state
	serial uint64    // of wamids; survives a reset so that no id comes twice
	epoch  time.Time // when the built-in clock started, zero before the first request
}

// Ledger counts verdicts since the start or the last reset. Its JSON is the answer of GET /_wactl/ledger.
type Ledger struct {
	Version       int            `json:"version"`
	Accepted      int            `json:"accepted"`
	Refused       map[string]int `json:"refused"`        // by reason; every reason is there, also with 0
	AcceptedTwice int            `json:"accepted_twice"` // messages accepted beyond the first with one number and callback data
}

// New makes an emulator that has seen nothing yet. It panics where o.Validate finds a fault.
func New(o Options) *Emulator {
	if err := o.Validate(); err != nil {
		panic("emulator: " + err.Error())
	}
	o = o.withDefaults()
	return &Emulator{opt: o, faults: arm(o.Faults), log: journal{w: o.Journal}, listed: o.Account.read(), state: newState()}
}

// Ledger is the count of verdicts so far.
func (e *Emulator) Ledger() Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := Ledger{Version: 1, Accepted: e.state.accepted, Refused: map[string]int{}, AcceptedTwice: e.state.acceptedTwice}
	for _, by := range reasons {
		l.Refused[by] = e.state.refused[by]
	}
	return l
}

// Reset forgets every message, count, hold and clock reading; the journal keeps its lines.
func (e *Emulator) Reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state, e.epoch = newState(), time.Time{}
}

// JournalErr is the first error in writing the journal, nil when every line was written.
func (e *Emulator) JournalErr() error { return e.log.failure() }

// version is the optional first part of a path, "v26.0".
var version = regexp.MustCompile(`^v[0-9]+(\.[0-9]+)?$`)

// ServeHTTP answers one request. It panics with http.ErrAbortHandler where a fault or the client cuts the answer.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(parts) > 1 && version.MatchString(parts[0]) {
		parts = parts[1:]
	}
	switch {
	case r.URL.Path == "/_wactl/ledger":
		e.serveLedger(w, r, http.MethodGet)
	case r.URL.Path == "/_wactl/reset":
		e.serveLedger(w, r, http.MethodPost)
	case e.opt.Provider == Vectalk:
		e.serveVectalk(w, r)
	case e.opt.Provider == Genuka:
		e.serveGenuka(w, r)
	case len(parts) > 0 && parts[0] != "" && e.serveRead(w, r, parts):
	case len(parts) != 2 || parts[0] == "" || parts[1] != "messages":
		writeError(w, http.StatusNotFound, platformError(2500, 0, "Unknown path components: "+r.URL.Path, ""))
	case r.Method != http.MethodPost:
		wrongMethod(w, r, http.MethodPost)
	default:
		e.serveMessage(w, r, parts[0])
	}
}

// serveLedger shows the counts; with POST it resets them first.
func (e *Emulator) serveLedger(w http.ResponseWriter, r *http.Request, method string) {
	if r.Method != method {
		wrongMethod(w, r, method)
		return
	}
	if method == http.MethodPost {
		e.Reset()
	}
	body, err := json.Marshal(e.Ledger())
	if err != nil {
		panic(err) // a map of numbers always marshals
	}
	write(w, http.StatusOK, typeJSON, append(body, '\n'))
}

func wrongMethod(w http.ResponseWriter, r *http.Request, want string) {
	w.Header().Set("Allow", want)
	details := "Unsupported " + strings.ToLower(r.Method) + " request: this path takes " + want
	writeError(w, http.StatusMethodNotAllowed, platformError(100, 0, details, ""))
}
