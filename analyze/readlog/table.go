package readlog

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// badRow is the reason for rows that have more cells than the header, or a quote that never ends: their columns are in doubt.
const badRow = "bad-row"

// The bounds of what is looked at and held of a table.
const (
	sampleRows  = 500      // rows that show what the columns hold
	maxHeldRows = 200_000  // rows that wait until the order of day and month is known
	maxHeldSize = 32 << 20 // bytes of them
)

// isTable says whether a source that begins so is a table: a workbook, or text whose rows have a header and the same width.
func isTable(head []byte, o *Options) bool {
	if o.Map != nil || bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return true
	}
	r, err := lines.NewReader("", bytes.NewReader(head[titleEnd(head):]))
	if err != nil {
		return false
	}
	defer r.Close()
	rows, _ := r.Peek(sampleRows)
	if i, found := findHeader(rows); i >= 0 && len(found) >= 2 {
		return evenWidth(rows[i:]) >= 0.5
	}
	return len(rows) > 1 && looksLikeHeader(rows[0].Fields) && evenWidth(rows) >= 0.9 && (len(rows[0].Fields) > 2 || len(rolesOf(rows[0].Fields)) > 0 || holdLogLines(rows[1:]))
}

// holdLogLines says whether rows of a table without a known header have a column of records.
func holdLogLines(rows []lines.Record) bool {
	return slices.ContainsFunc(rows, func(r lines.Record) bool { return slices.ContainsFunc(r.Fields, isLogLine) })
}

// evenWidth is the share of rows that are as wide as the first.
func evenWidth(rows []lines.Record) float64 {
	even := 0
	for _, r := range rows {
		if len(r.Fields) == len(rows[0].Fields) {
			even++
		}
	}
	return float64(even) / float64(len(rows))
}

// looksLikeHeader says whether a row of unknown words can be a header: short and different names, and no value among them.
func looksLikeHeader(fields []string) bool {
	seen := map[string]bool{}
	for _, f := range fields {
		f = strings.TrimSpace(f)
		name := foldHeader(f)
		if name == "" || len(f) > 40 || seen[name] || digits(f) > 0 || strings.ContainsAny(strings.TrimSuffix(f, "[UTC]"), "{}[]=\"") {
			return false
		}
		seen[name] = true
	}
	return len(fields) >= 2
}

// readTable reads a table: CSV in its many dresses, or a workbook. The error is the source's own.
func readTable(p *pass, src io.Reader) error {
	src, above := skipTitle(src)
	r, err := lines.NewReader(p.source.Path, src)
	if err != nil {
		return err
	}
	defer r.Close()
	for i := range max(1, len(r.Sheets())) {
		if len(r.Sheets()) > 1 {
			if err := r.Select(i); err != nil {
				return err
			}
		}
		rows, _ := r.Peek(sampleRows)
		if t := newTable(p, rows); t != nil {
			t.above = above
			return t.run(r)
		}
	}
	for rec := range r.Records() {
		p.source.Lines = max(p.source.Lines, lastLine(rec)+above)
	}
	return nil
}

// lastLine is where a record ends.
func lastLine(r lines.Record) int { return r.Line + strings.Count(r.Raw(), "\n") }

// table is one table while it is read.
type table struct {
	*pass
	header  []string
	line    int // of the header; rows before it are none
	above   int // lines of a title that the rows do not count
	cols    roles
	hours   int     // column of the time of day, from 1, where the day stands in another; 0: they stand together
	preset  *preset // nil: found by meaning
	dump    bool    // its rows come out of a database's dump
	states  map[string]string
	ways    map[string]string
	times   *clock
	events  bool // its rows are events of messages and not messages: the same id comes again with another status
	votes   orderVotes
	held    []lines.Record
	size    int
	ignored map[string]bool // statuses that are not known
	said    map[string]said // statuses that were seen, and what they say
	inUTC   []bool          // by column: its header says that its times are UTC
	coded   bool            // a row has an error code
}

// newTable finds the header and what the columns mean; nil: the rows hold no table of messages, and the pass was told so.
func newTable(p *pass, rows []lines.Record) *table {
	t := &table{pass: p, times: p.clock, ignored: map[string]bool{}, said: map[string]said{}}
	if len(rows) == 0 {
		return nil
	}
	i, found := findHeader(rows)
	if p.options.Map != nil {
		i, found = t.mapped(rows)
	}
	if i < 0 {
		i, found = 0, rolesOf(rows[0].Fields)
		if t.header, t.cols = rows[0].Fields, found; p.options.Map != nil || !t.ofLogLines(rows[1:]) {
			p.cannotJudge(formUnknownTable, proposal(rows[1:], rows[0].Fields, rolesOf(rows[0].Fields)))
			return nil
		}
	}
	t.header, t.line, t.cols = rows[i].Fields, rows[i].Line, found
	for _, h := range t.header {
		t.inUTC = append(t.inUTC, utcHeader.MatchString(h))
	}
	t.choosePreset()
	rows = rows[i+1:]
	t.look(rows)
	if !t.cols.tell() && !t.cols.has(roleRecord) && !t.ofLogLines(rows) {
		p.cannotJudge(formUnknownTable, proposal(rows, t.header, t.cols))
		return nil
	}
	t.tell()
	return t
}

// mapped finds the header row that has the columns which the options name, and gives them their roles; -1: one is not there.
func (t *table) mapped(rows []lines.Record) (int, roles) {
	for i, rec := range rows[:min(len(rows), headerSearch)] {
		found := rolesOf(rec.Fields)
		if t.assign(found, t.options.Map, rec.Fields) {
			return i, found
		}
	}
	return -1, nil
}

// assign gives the columns that m names their roles; other roles of such a column end. False: a header is not there.
func (t *table) assign(found roles, m Map, header []string) bool {
	for _, role := range roleNames() {
		name, ok := m[role]
		if !ok {
			continue
		}
		delete(found, role)
		if name == "" {
			continue
		}
		i := slices.IndexFunc(header, func(h string) bool { return foldHeader(h) == foldHeader(name) })
		if i < 0 {
			return false
		}
		maps.DeleteFunc(found, func(other string, c int) bool { _, named := m[other]; return c == i && !named })
		found[role] = i
	}
	return true
}

// choosePreset uses what is known of the program that wrote the table. A Map of the options wins over it.
func (t *table) choosePreset() {
	if t.preset = presetOf(t.header); t.preset == nil {
		return
	}
	m, err := ParseMap(t.preset.columns)
	if err != nil {
		panic(err) // a row of our own table
	}
	maps.DeleteFunc(m, func(_, name string) bool {
		return name != "" && !slices.ContainsFunc(t.header, func(h string) bool { return foldHeader(h) == foldHeader(name) })
	})
	maps.Copy(m, t.options.Map)
	t.assign(t.cols, m, t.header)
	t.states, t.ways = pairsOf(t.preset.statuses), pairsOf(t.preset.direction)
	if t.preset.utc {
		t.times = t.clock.utc()
	}
}

// look learns from the first rows what headers do not say: a column of ids or records, rows that are events, the order of dates.
func (t *table) look(rows []lines.Record) {
	t.findByLooks(rows)
	t.findPeople(rows)
	t.findClock(rows)
	seen := map[string]string{}
	for _, r := range rows {
		id, status := t.cell(r, roleID), t.cell(r, roleStatus)
		if before, ok := seen[id]; ok && id != "" && before != status {
			t.events = true
		}
		seen[id] = status
		t.vote(r)
	}
}

// vote looks at a row's dates; true: one can be read in two ways, and nothing has settled which.
func (t *table) vote(r lines.Record) (open bool) {
	for _, role := range timeRoles {
		open = t.votes.add(orderedIn(t.cell(r, role))) || open
	}
	return open
}

// tell notes how the table is read, so that a reader of the report can object.
func (t *table) tell() {
	if t.options.Map != nil {
		t.note("columns read as --map says: " + t.asMap().String())
		return
	}
	if t.preset == nil {
		t.note("columns found by their headers: --map " + t.asMap().String())
		return
	}
	t.note("read as " + t.preset.name + ": --map " + t.asMap().String())
}

// asMap is what was made of the columns, as --map would say it.
func (t *table) asMap() Map {
	m := Map{}
	for role, i := range t.cols {
		m[role] = strings.TrimSpace(t.header[i])
	}
	return m
}

// format is the name of the source.
func (t *table) format() string {
	if t.preset != nil {
		return t.preset.format
	}
	if t.dump {
		return formSQL
	}
	return formTable
}

// run reads the rows. Those whose dates can be read in two ways wait until one shows the order, or until too many wait.
func (t *table) run(r *lines.Reader) error {
	settled := t.settled()
	for rec, err := range r.Records() {
		if t.stopped {
			return nil
		}
		if err != nil {
			if _, one := errors.AsType[*lines.LineError](err); !one {
				return err
			}
			t.skip(rec.Line+t.above, badRow)
			continue
		}
		t.source.Lines = max(t.source.Lines, lastLine(rec)+t.above)
		if rec.Line <= t.line {
			continue
		}
		if settled {
			t.row(rec)
			continue
		}
		t.vote(rec)
		t.held = append(t.held, rec)
		t.size += len(rec.Raw())
		if settled = t.votes.order != orderUnknown || len(t.held) > maxHeldRows || t.size > maxHeldSize; settled {
			t.release()
		}
	}
	t.release()
	t.finish()
	return nil
}

// settled says whether dates can be read at once: the order is given, or shown by the first rows, or no date needs one.
func (t *table) settled() bool {
	if t.clock.order != orderUnknown || t.votes.order == orderUnknown && !slices.Contains(t.votes.first[:], true) {
		return true
	}
	if t.votes.order != orderUnknown {
		t.decide(t.votes.order, false)
		return true
	}
	return false
}

// decide settles the order of dates.
func (t *table) decide(order dateOrder, guessed bool) {
	t.clock.decide(order, guessed)
	if t.times != t.clock {
		t.times.decide(order, guessed)
	}
}

// release reads the rows that waited.
func (t *table) release() {
	if len(t.held) > 0 {
		t.decide(t.votes.guess(), t.votes.order == orderUnknown)
	}
	for _, rec := range t.held {
		t.row(rec)
	}
	t.held = nil
}

// finish notes what the rows showed.
func (t *table) finish() {
	t.texts.end()
	if len(t.ignored) > 0 {
		t.note("statuses that are not known count as messages without an answer: " + strings.Join(slices.Sorted(maps.Keys(t.ignored)), ", "))
	}
	if t.coded && t.preset != nil && t.preset.note != "" {
		t.note(t.preset.note)
	}
	for _, n := range t.clock.notes() {
		t.note(n)
	}
}
