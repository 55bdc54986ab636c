package readlog

import "bytes"

// readApart says, after a pass, whether each record was read by itself, so that a later pass may leave out those that nobody wants.
//
// It was not if a request waited for its answer, if a sentence told of a failure whose reason stands behind it, if a line came in pieces, or if a
// time was read by what stood before it.
func (p *pass) readApart() bool {
	return p.requests.waiting == nil && p.partials == nil && p.texts.failing == nil && !p.clock.sawRepeated && p.clock.order == newClock(p.options).order
}

// unwanted says whether the record that starts in a line may be left out unread.
func (p *pass) unwanted(line int) bool {
	return p.apart && p.want.Place != nil && !p.want.Place(p.place(line))
}

// mayPass is unwanted for JSON. It waits until a line of text that is wanted was read, so that events come in the same order.
func (p *pass) mayPass(line int) bool {
	return p.unwanted(line) && (len(p.texts.lines) == 0 || p.unwanted(p.texts.first.place.Line))
}

// isObject says whether a line is one JSON object by its looks, from its first byte.
func isObject(line []byte) bool {
	line = bytes.TrimRight(line, junk)
	return len(line) > 1 && line[0] == '{' && line[len(line)-1] == '}'
}
