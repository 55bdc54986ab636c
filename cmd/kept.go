package cmd

import (
	"encoding/json"
	"time"

	"github.com/wactl/wactl/campaign/journal"
	reports "github.com/wactl/wactl/campaign/report"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// keptPlan is what a campaign keeps of its beginning, in the state. A key once written keeps its meaning.
type keptPlan struct {
	Level    int     `json:"level"` // messages a second, of all numbers together
	Pace     int64   `json:"pace"`  // messages in 1,000 seconds
	Tier     int     `json:"tier"`  // people; 0: unlimited or unknown
	Forecast float64 `json:"forecast_s"`
	Messages int     `json:"forecast_messages"`
}

// keep is what the campaign is begun with, and what was expected of it.
func (s *sending) keep() json.RawMessage {
	level := 0
	for _, l := range s.lines {
		level += l.Throughput.Level
	}
	k := keptPlan{Level: level, Pace: int64(s.limits.Pace()), Tier: s.limits.Tier, Forecast: output.Seconds(s.expected), Messages: len(s.pending)}
	text, err := json.Marshal(k)
	if err != nil {
		return nil // numbers always marshal
	}
	return text
}

// planKept is what a campaign has kept of its beginning, nil for nothing.
func planKept(c journal.Campaign) *reports.Plan {
	var k *keptPlan
	if err := json.Unmarshal(c.Options, &k); err != nil || k == nil || k.Level == 0 {
		return nil
	}
	return &reports.Plan{Level: k.Level, Pace: ratelimit.Pace(k.Pace), Tier: k.Tier, Forecast: time.Duration(k.Forecast * float64(time.Second)), Messages: k.Messages}
}
