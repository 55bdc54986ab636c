package emulator

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// The readings of Meta's pair rule that the emulator can enforce. The platform's text fits each of them.
const (
	Strict   = "strict"   // allowed when clear, or in the first 6 s of a burst while it holds fewer than 45
	Bucket45 = "bucket45" // allowed while the debt is at most 44 intervals
	Spaced   = "spaced"   // allowed when clear
)

// The providers whose door the emulator can show. Behind each of them the same limits count.
const (
	Cloud   = "cloud"   // the platform's own
	Vectalk = "vectalk" // the platform's bodies at a path without a number; the token names it
	Genuka  = "genuka"  // a body and answers of its own, and no callback data
)

// Published defaults, each from Meta's text as of 2026-11.
const (
	defaultMPS      = 80              // messages a second and number
	defaultInterval = 6 * time.Second // what one message to a pair costs
	defaultTierCode = 131048          // Meta names no code for an exceeded messaging limit; this is the nearest
	defaultCalls    = 5000            // readings an hour of an active account
	defaultThrottle = 400             // HTTP status of throttles; some sources show 429
)

// Options say what the emulator enforces and how it answers. The zero value is a default number without faults.
type Options struct {
	Provider       string        // Cloud, Vectalk or Genuka; empty is Cloud
	MPS            int           // accepted messages a sliding second and number; 0 is 80
	Tier           int           // distinct recipients in moving 24 hours over all numbers; 0 is unlimited
	PairModel      string        // Strict, Bucket45 or Spaced; empty is Strict
	PairInterval   time.Duration // what one accepted message to a pair costs, rounded up to milliseconds; 0 is 6 s
	Latency        time.Duration // between verdict and answer
	Faults         []Fault       // what goes wrong, how often; see ParseFaults
	Seed           uint64        // of the faults
	TierCode       int           // platform code for an exceeded Tier; 0 is 131048
	ThrottleStatus int           // HTTP status of throttling codes; 0 is 400
	MessageStatus  string        // message_status of templates; empty is "accepted", "none" leaves it out
	Journal        io.Writer     // gets one JSON line a request, each in one Write; may be nil
	Tokens         []string      // access tokens to accept; empty accepts any
	Numbers        []string      // business phone number ids to accept; empty accepts any
	Account        Account       // what reads answer from; with templates given, messages of others are refused
	CallsPerHour   int           // readings in a moving hour; 0 is 5,000

	Courier *Courier // tells a webhook what becomes of accepted messages; may be nil

	// LatencyFn, when set, replaces Latency: the time before a message's verdict and the time after it.
	LatencyFn func(callbackData string) (in, out time.Duration)
	// Now is the clock. Nil is a clock that starts with the wall clock and cannot be set back.
	Now func() time.Time
}

// Validate says what is wrong with the options, in words for whoever set them.
func (o Options) Validate() error {
	models := []string{Strict, Bucket45, Spaced}
	providers := []string{Cloud, Vectalk, Genuka}
	switch {
	case o.Provider != "" && !slices.Contains(providers, o.Provider):
		return fmt.Errorf("provider %q is not known; it is one of %s", o.Provider, strings.Join(providers, ", "))
	case o.PairModel != "" && !slices.Contains(models, o.PairModel):
		return fmt.Errorf("pair model %q is not known; it is one of %s", o.PairModel, strings.Join(models, ", "))
	case o.MPS < 0:
		return fmt.Errorf("%d messages a second is less than none", o.MPS)
	case o.Tier < 0:
		return fmt.Errorf("a tier of %d recipients is less than none; 0 is unlimited", o.Tier)
	case o.PairInterval < 0:
		return fmt.Errorf("pair interval %s is negative", o.PairInterval)
	case o.Latency < 0:
		return fmt.Errorf("latency %s is negative", o.Latency)
	case o.ThrottleStatus != 0 && (o.ThrottleStatus < 400 || o.ThrottleStatus > 599):
		return fmt.Errorf("throttle status %d is not from 400 to 599", o.ThrottleStatus)
	case o.TierCode < 0:
		return fmt.Errorf("tier code %d is no platform code", o.TierCode)
	}
	return validateFaults(o.Faults)
}

// withDefaults is o with every zero value replaced by what it stands for.
func (o Options) withDefaults() Options {
	set := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	set(&o.MPS, defaultMPS)
	set(&o.TierCode, defaultTierCode)
	set(&o.ThrottleStatus, defaultThrottle)
	set(&o.CallsPerHour, defaultCalls)
	if o.PairModel == "" {
		o.PairModel = Strict
	}
	if o.PairInterval == 0 {
		o.PairInterval = defaultInterval
	}
	if o.MessageStatus == "" {
		o.MessageStatus = "accepted"
	}
	if o.LatencyFn == nil {
		after := o.Latency
		o.LatencyFn = func(string) (in, out time.Duration) { return 0, after }
	}
	return o
}
