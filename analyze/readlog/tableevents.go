package readlog

import "github.com/wactl/wactl/analyze"

// happened is one of the things that a row says happened to its message.
type happened struct {
	kind analyze.Kind
	at   stamp
}

// events are what a row shows: one event, or one for each of its times. Without an id only the first is told, since nothing would join them.
func (m *message) events() []analyze.Event {
	all := m.happened()
	if m.base.MessageID == "" && len(all) > 1 {
		all = all[:1]
	}
	var out []analyze.Event
	for _, h := range all {
		e := m.base
		e.Kind, e.At, e.Until, e.Naive = h.kind, h.at.at, h.at.until, h.at.naive
		if h.kind == analyze.Failed || h.kind == analyze.Refused {
			e.Code, e.Reason = m.code, m.reason
		}
		out = append(out, e)
	}
	return out
}

// happened is what happened, in the order in which it must have.
func (m *message) happened() []happened {
	switch {
	case m.kind == analyze.Inbound:
		return []happened{{analyze.Inbound, m.earliest(roleAt, roleSent, roleAccepted, roleDelivered, roleRead)}}
	case m.kind == analyze.Failed:
		return m.failed()
	case m.isEvent, m.kind == analyze.Attempt:
		return []happened{{m.kind, m.earliest(roleAt, roleAccepted, roleSent, roleDelivered, roleRead, roleFailed)}}
	}
	return m.went()
}

// went are the events of a message that was taken. When it was made up matters only where nothing says when it was sent.
func (m *message) went() []happened {
	var out []happened
	for _, step := range []struct {
		role string
		kind analyze.Kind
	}{{roleAccepted, analyze.Accepted}, {roleSent, analyze.Sent}, {roleAt, analyze.Accepted}, {roleDelivered, analyze.Delivered}, {roleRead, analyze.Read}} {
		st, ok := m.times[step.role]
		if !ok || step.role == roleAt && len(out) > 0 {
			continue
		}
		out = append(out, happened{step.kind, st})
	}
	if len(out) == 0 {
		out = append(out, happened{m.kind, m.earliest(roleFailed)})
	}
	return out
}

// failed are the events of a message that failed. One that has an id was taken first.
func (m *message) failed() []happened {
	asked := m.earliest(roleAccepted, roleAt, roleSent)
	told := m.earliest(roleFailed, roleDelivered, roleRead)
	switch {
	case m.base.MessageID == "" && !m.isEvent:
		return []happened{{analyze.Refused, either(asked, told)}}
	case m.isEvent || asked.at.IsZero() || told.at.IsZero():
		return []happened{{analyze.Failed, either(told, asked)}}
	}
	return []happened{{analyze.Accepted, asked}, {analyze.Failed, told}}
}

// earliest is the time of the first of the roles that has one.
func (m *message) earliest(roles ...string) stamp {
	for _, r := range roles {
		if st, ok := m.times[r]; ok {
			return st
		}
	}
	return stamp{}
}

// either is the first of two times that is known.
func either(a, b stamp) stamp {
	if a.at.IsZero() {
		return b
	}
	return a
}
