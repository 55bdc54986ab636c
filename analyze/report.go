package analyze

import "time"

// Report is all that an analysis found; its JSON is the public one, and reading that JSON back gives the same report.
type Report struct {
	Version      int            `json:"version"` // always 1
	Notes        []string       `json:"notes"`   // what limits the whole report: zones unknown, history short; never null
	Sources      []SourceReport `json:"sources"`
	Model        Model          `json:"model"`
	Failures     []Failure      `json:"failures"` // in the order of their instants
	Unattributed []Unattributed `json:"unattributed"`
	OtherErrors  []OtherError   `json:"other_errors"`
	Incidents    []Incident     `json:"incidents_found"`    // the stories, worst first
	Timeline     []Send         `json:"timeline,omitempty"` // accepted sends of the pair that was asked for, if one was
	Summary      Summary        `json:"summary"`
}

// SourceReport is one source as the report shows it.
type SourceReport struct {
	Path         string         `json:"path"`
	Format       string         `json:"format"`
	Lines        int            `json:"lines"`
	Events       int            `json:"events"`
	Skipped      map[string]int `json:"skipped"`
	FirstSkipped []int          `json:"first_skipped"`
	Duplicates   int            `json:"duplicates"`           // events that said again what was known
	ClockSkew    *float64       `json:"clock_skew_s"`         // seconds this source's clock is behind the platform's; null: unknown or none
	Unreadable   string         `json:"unreadable,omitempty"` // why nothing in it can be judged, as help for people
}

// Model is the limit that the verdicts were reached with.
type Model struct {
	Interval    float64 `json:"interval_s"`
	Burst       int     `json:"burst"`
	BurstWindow float64 `json:"burst_window_s"`
}

// Failure is one message refused with 131056, and why.
type Failure struct {
	Code          int       `json:"code"`  // as logged
	Means         int       `json:"means"` // the platform's code
	PhoneNumberID string    `json:"phone_number_id"`
	Recipient     string    `json:"recipient"` // E.164, or the log's own id
	MessageID     *string   `json:"message_id"`
	At            Millis    `json:"at"`
	ReportedAt    *Millis   `json:"reported_at"` // when the failed status said so, where At is the request's time
	Source        SourceRef `json:"source"`
	Incident      int       `json:"incident"` // from 1
	Attempt       int       `json:"attempt"`  // which try of this message within the incident, from 1
	Verdict       string    `json:"verdict"`  // explained or unexplained
	ClearAt       *Millis   `json:"clear_at"`
	ClearAtMax    *Millis   `json:"clear_at_max,omitempty"` // if messages of unknown fate or time count too
	EarlyBy       *float64  `json:"early_by_s"`
	Burst         *Burst    `json:"burst"`
	MissingSends  int       `json:"missing_sends"`
	Readings      Readings  `json:"readings"`
	Pattern       string    `json:"pattern"`
	Evidence      []string  `json:"evidence"`
	Advice        string    `json:"advice"`
	Confidence    string    `json:"confidence"` // certain, likely-pair, provider-code or not-shown
}

// SourceRef is a place as the report shows it.
type SourceRef struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// Burst is the accepted sends since the pair was last clear.
type Burst struct {
	Count    int    `json:"count"`
	CountMax int    `json:"count_max,omitempty"`
	First    Millis `json:"first"`
	Last     Millis `json:"last"`
	Sends    []Send `json:"sends"`
}

// Send is one accepted message of a burst.
type Send struct {
	At        Millis  `json:"at"`
	MessageID *string `json:"message_id"`
	Path      string  `json:"path"`
	Line      int     `json:"line"`
}

// Readings are what each reading of the published limit says about one failure.
type Readings struct {
	Strict   ReadingVerdict `json:"strict"`
	Bucket45 ReadingVerdict `json:"bucket45"`
}

// ReadingVerdict is one reading's prediction for one failure.
type ReadingVerdict struct {
	Explains       bool     `json:"explains"`
	DebtAtFailure  *float64 `json:"debt_at_failure,omitempty"` // in messages, bucket45 only
	UnseenSends    *int     `json:"unseen_sends_at_least,omitempty"`
	ContradictedBy *Millis  `json:"contradicted_by_accepted_send_at,omitempty"`
}

// Unattributed is a 131056 whose record names no recipient.
type Unattributed struct {
	Code   int       `json:"code"`
	At     *Millis   `json:"at"`
	Source SourceRef `json:"source"`
}

// OtherError is another code in the log, counted for one business number.
type OtherError struct {
	Code               int     `json:"code"`
	Count              int     `json:"count"`
	First              *Millis `json:"first"`
	Last               *Millis `json:"last"`
	PhoneNumberID      string  `json:"phone_number_id"`
	Meaning            string  `json:"meaning"`
	SlowingDownHelps   bool    `json:"slowing_down_helps"`
	PeakSendsPerSecond *int    `json:"peak_sends_per_second,omitempty"` // of this number in the log; for 130429
}

// Incident is one story: failures of one pair that share a burst, or one load test.
type Incident struct {
	ID            int      `json:"id"` // from 1, in the order of their first failure
	PhoneNumberID string   `json:"phone_number_id"`
	Recipients    []string `json:"recipients"`
	Failures      int      `json:"failures"`
	First         Millis   `json:"first"`
	Last          Millis   `json:"last"`
	ClearAt       *Millis  `json:"clear_at"`
	Pattern       string   `json:"pattern"` // of the first failure: what to mend first
	Advice        string   `json:"advice"`
}

// Summary is the report in numbers.
type Summary struct {
	Pairs        int             `json:"pairs"`
	Sends        int             `json:"sends"`
	Failures     int             `json:"failures"`
	Incidents    int             `json:"incidents"`
	Explained    int             `json:"explained"`
	Unexplained  int             `json:"unexplained"`
	Unattributed int             `json:"unattributed"`
	ByPattern    map[string]int  `json:"by_pattern"`
	Readings     SummaryReadings `json:"readings"`
}

// SummaryReadings counts how often each reading was right about a failure, and how many accepted sends it would have refused.
type SummaryReadings struct {
	Strict   ReadingCount `json:"strict"`
	Bucket45 ReadingCount `json:"bucket45"`
}

// ReadingCount is one reading's record over the whole log.
type ReadingCount struct {
	Right        int `json:"right"`
	Contradicted int `json:"contradicted"`
}

// Millis is an instant, written as RFC 3339 UTC with whole milliseconds.
type Millis struct{ time.Time }

const millisLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the instant in UTC, cut to milliseconds.
func (m Millis) MarshalJSON() ([]byte, error) {
	return m.UTC().AppendFormat(nil, `"`+millisLayout+`"`), nil
}
