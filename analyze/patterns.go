package analyze

import "fmt"

// unexplainedPattern is the pattern of failures that the log cannot explain.
const unexplainedPattern = "unexplained"

// burstPattern is the pattern of failures whose burst has no cause that the log would show.
const burstPattern = "burst"

// replayPattern is the pattern of failures after a message of the user that was delivered and answered again.
const replayPattern = "webhook-replay"

// loadTestPattern joins the failures of one business number to one incident.
const loadTestPattern = "load-test"

// pattern is one cause of refusals. Evidence gives the words that prove it, none if it is not proved; a cause without evidence is never named.
type pattern struct {
	slug     string
	evidence func(*story) []string
	advice   string
}

// patterns are the causes in the order of precedence: the first one that is proved is the one to mend first.
var patterns = []pattern{
	{unexplainedPattern, unexplainedEvidence,
		"Look for another system on this number: a second integration, the WhatsApp Business app, another region or server. " +
			"Then export all statuses for this recipient from at least 270 s before the failure and run this again."},
	{"short-backoff", backoffEvidence,
		"Wait until the pair is clear, then try once; where the debt is not known, wait 4^X seconds (1, 4, 16, 64, …). Keep retries by pair, so that other recipients go on."},
	{replayPattern, replayEvidence,
		"Make webhook handling idempotent: remember the id of each inbound message and answer it once. Answer the webhook with 200 before the work is done, so that it is not delivered again."},
	{"echo-loop", echoEvidence,
		"Do not react to echoes of your own messages: leave out webhooks of the field smb_message_echoes, and messages whose id you sent yourself."},
	{"resend-code", resendEvidence,
		"Allow 30 to 60 s between two codes to one person: grey the button out meanwhile, and send the same code again only when the first had time to arrive."},
	{"duplicate-list", duplicateEvidence,
		"Take double numbers out of the list before it is sent (wactl lint finds them in all spellings) and send to each person once."},
	{"retry-loop", retryLoopEvidence,
		"Retry only what was refused: keep the state of each message by an idempotency key, go on at the part that failed, and never send again what was answered with 200."},
	{"two-systems", twoSystemsEvidence,
		"Let one queue send for all systems on this number, so that one ledger knows what each recipient was sent."},
	{"multi-bubble", multiBubbleEvidence,
		"Send one message instead of several: one text may have 4,096 characters. Where it has to be several, leave 6 s between them."},
	{loadTestPattern, loadTestEvidence,
		"Spread a load test over several test recipients: the limit is for each pair, and one recipient takes one message in 6 s."},
	{"sustained-overrate", overrateEvidence,
		"Slow down to one message in 6 s for each recipient, or put several notices into one message."},
	{burstPattern, burstEvidence,
		"Leave 6 s for each message of a burst before the next one to the same recipient. The log shows no cause: export message texts, job ids and inbound messages too to see more."},
}

// cause is the first pattern that is proved, and its evidence.
func (s *story) cause() (pattern, []string) {
	for _, p := range patterns {
		if words := p.evidence(s); len(words) > 0 {
			return p, words
		}
	}
	return patterns[len(patterns)-1], nil
}

func unexplainedEvidence(s *story) []string {
	if s.reason != unexplained {
		return nil
	}
	if s.before.Count == 0 {
		return []string{"the log holds no accepted send to this recipient before the refusal"}
	}
	at := instantOf(s.failure.at())
	return []string{fmt.Sprintf("the pair was clear: its last burst of %s was paid off %s before the refusal", sendsText(s.before.Count), seconds(at.Sub(s.before.ClearAt)))}
}

func burstEvidence(s *story) []string {
	whole := between(s.burst[0], s.burst[len(s.burst)-1])
	return []string{sendsText(len(s.verdict.sends)) + " within " + seconds(whole) + "; the log shows nothing that says why"}
}
