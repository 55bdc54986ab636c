package analyze

import "cmp"

// message is what the facts of one message say together: of each thing the first that says it.
type message struct {
	attempt, accepted, sent, echo, inbound, answer *fact
	later                                          *fact   // delivered, read or failed otherwise: it was accepted before
	undone                                         *fact   // failed for another reason
	failed, refused                                *fact   // by the pair limit
	otherwise                                      *fact   // refused for another reason
	arrived                                        [2]bool // whether it was delivered, and read
}

// take adds a fact and says whether it tells anything new. Facts come in the order of their times, those without a time first.
func (m *message) take(f *fact, pair bool) bool {
	switch f.kind() {
	case Attempt:
		return first(&m.attempt, f)
	case Accepted:
		return first(&m.accepted, f)
	case Sent:
		return first(&m.sent, f)
	case Echo:
		return first(&m.echo, f)
	case Inbound:
		return first(&m.inbound, f)
	case answered:
		return first(&m.answer, f)
	case Delivered, Read:
		again := m.arrived[f.kind()-Delivered]
		m.arrived[f.kind()-Delivered] = true
		first(&m.later, f)
		return !again
	case Failed:
		if pair {
			return first(&m.failed, f)
		}
		first(&m.later, f)
		return first(&m.undone, f)
	case Refused:
		if pair {
			return first(&m.refused, f)
		}
		return first(&m.otherwise, f)
	}
	if pair {
		f.setRole(failing) // an error without a message; who it was for may stand in it all the same
	}
	return true
}

// first keeps the earliest of the facts that say the same; one without a time only while there is no other.
func first(kept **fact, f *fact) bool {
	if *kept == nil {
		*kept = f
		return true
	}
	if (*kept).at() == 0 && f.at() != 0 {
		*kept = f
	}
	return false
}

// assign decides what each fact is in the timeline. Skewed says whether a fact's time was corrected by an estimate.
func (m *message) assign(skewed func(*fact) bool) {
	request := cmp.Or(timed(m.accepted), timed(m.attempt))
	switch {
	case m.inbound != nil:
		m.inbound.setRole(incoming)
	case m.failed != nil:
		m.failed.setRole(failing)
		m.reportAt(request)
	case m.refused != nil:
		m.refused.setRole(failing)
	case m.accepted != nil || m.sent != nil || m.echo != nil:
		m.assignSend(request, skewed)
	case m.later != nil && (m.later.message != 0 || m.later.kind() == Delivered):
		m.later.setRole(unplaced)
	case m.attempt != nil && m.otherwise == nil && m.answer == nil:
		m.attempt.setRole(uncertain)
	}
}

// assignSend makes one fact the send: the request, else what the platform says; and that first where the sender's clock is only estimated.
func (m *message) assignSend(request *fact, skewed func(*fact) bool) {
	at := cmp.Or(request, timed(m.sent), timed(m.echo))
	if request != nil && skewed(request) {
		at = cmp.Or(timed(m.sent), request)
	}
	if at != nil {
		at.setRole(placed)
		return
	}
	cmp.Or(timed(m.later), m.accepted, m.sent, m.echo).setRole(unplaced)
}

// reportAt moves a failure to the time of its request. The request's fact keeps the time of the report.
func (m *message) reportAt(request *fact) {
	if request == nil || m.failed.at() != 0 && request.at() > m.failed.at()+int64(m.failed.grain().Milliseconds()) {
		return
	}
	tried, told := request.at(), m.failed.at()
	m.failed.setAt(tried)
	if told != 0 {
		request.setAt(told)
		request.setRole(reported)
	}
}

// timed is a fact whose time is known, or nil.
func timed(f *fact) *fact {
	if f == nil || f.at() == 0 {
		return nil
	}
	return f
}
