package readlog

// matchFrom finds the quick lines of a block from one of its lines on, which begins at an offset.
// The heat is that of who matches.
func (p *pipeline) matchFrom(b *block, at, line int, h *heat) {
	b.facts, b.events, b.numbers, b.runs, b.marks = b.facts[:0], b.events[:0], b.numbers[:0], b.runs[:0], b.marks[:0]
	b.users.reset()
	p.known.mu.RLock()
	defer p.known.mu.RUnlock()
	if b.known = p.known.count; b.known == 0 {
		return
	}
	l := lineMatcher{b: b, matcher: matcher{text: b.text, events: p.events, heat: h, acts: b.acts, out: &b.shown}, root: &p.known.root, slow: at > 0}
	h.at(b.known, &p.known.root)
	defer func() { b.acts = l.matcher.acts }()
	if b.sound && p.want != nil {
		l.wanted(p.want, at, line)
		return
	}
	l.all(at, line)
}

// lineMatcher goes through the lines of a block.
type lineMatcher struct {
	b       *block
	matcher matcher
	root    *node
	slow    bool // a line was not quick
	open    bool // the last run goes on
	oldest  int  // index of the last run's first fact
}

// all looks at every line.
func (l *lineMatcher) all(at, line int) {
	for ; at < len(l.b.text); line++ {
		if line%markLines == 0 && !l.slow {
			l.b.marks = append(l.b.marks, int32(at))
		}
		at = l.one(at, line)
	}
}

// wanted looks only at the lines that somebody wants, and passes over the others, which are known to be quick.
func (l *lineMatcher) wanted(want func(int) (int, bool), at, line int) {
	for at < len(l.b.text) {
		next, more := want(l.b.at + line)
		from, n := at, 0
		for at < len(l.b.text) && (!more || l.b.at+line+n < next) {
			at = newlineAt(l.b.text, at)
			n++
		}
		if n > 0 {
			l.extend(from, at, line, n, len(l.b.facts))
			line += n
		}
		if at < len(l.b.text) {
			at = l.one(at, line)
			line++
		}
	}
}

// one matches the line at an offset and gives the offset of the next one.
func (l *lineMatcher) one(at, line int) int {
	b, facts, events, end := l.b, len(l.b.facts), len(l.b.events), -1
	if l.matcher.lineNow = int32(line); b.text[at] == '{' {
		end = l.matcher.line(l.root, at)
	}
	if end < 0 {
		b.facts, b.events = b.facts[:facts], b.events[:events]
		l.slow, l.open = true, false
		return newlineAt(b.text, at)
	}
	if l.extend(at, end, line, 1, facts); !l.matcher.events {
		b.fold(&l.matcher.heat.sent, l.oldest, facts)
	}
	return end
}

// extend adds lines, of which the first begins at an offset, to the last run, or begins another.
// Facts is how many facts there were before them.
func (l *lineMatcher) extend(from, to, line, lines, facts int) {
	b := l.b
	if !l.open {
		b.runs = append(b.runs, run{from: from, line: line})
		l.open, l.oldest = true, facts
	}
	r := &b.runs[len(b.runs)-1]
	r.to, r.lines = to, r.lines+lines
}
