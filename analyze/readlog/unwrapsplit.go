package readlog

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// dockerPiece is how long a line may be before a container runtime cuts it into several records.
const dockerPiece = 16 << 10

// partial is a line of which pieces came and the end did not.
type partial struct {
	record
	text strings.Builder
}

// pieceStamp is the time that some runtimes write into the later pieces of a line.
var pieceStamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}(?:Z|[+-]\d\d:\d\d) `)

// openDocker reads a line of a container. A long line comes in pieces, of which only the last one ends in a line ending.
func openDocker(p *pass, r record, o object) ([]record, bool) {
	text, ok := o["log"].(string)
	if !ok || !hasAny(o, "stream", "time") || !hasAny(o, "time", "kubernetes", "attrs", "logtag", "_p", "container_id", "date") {
		return nil, false
	}
	when := o["time"]
	if when == nil {
		when = o["date"]
	}
	host := first(obj(o["kubernetes"]), "pod_name", "container_name")
	r = p.timed(r, when, host)
	mark := first(o, "logtag", "_p")
	goesOn := mark == "P" || mark == "" && !strings.HasSuffix(text, "\n") && p.isPiece(text, r.host+str(o["stream"]))
	return p.piece(r, "docker-json-file", r.host+str(o["stream"]), text, goesOn), true
}

// isPiece says whether a text without a line ending is a piece of a line: others log without endings too.
func (p *pass) isPiece(text, stream string) bool {
	return len(text) >= dockerPiece-1 || p.partials[stream] != nil || endsEarly(text)
}

// criText takes a container runtime's line.
func (p *pass) criText(r record, m []string, depth int) {
	r = p.timed(r, m[1], "")
	for _, whole := range p.piece(r, formCRI, m[2], m[4], m[3] == "P") {
		layers{p}.unwrap(whole, depth+1)
	}
}

// piece adds a piece to its line, and gives the line if it is whole. The record is where its first piece is.
func (p *pass) piece(r record, format, stream, text string, goesOn bool) []record {
	if r.format == "" {
		r.format = format
	}
	if begun := p.partials[stream]; begun != nil {
		begun.text.WriteString(strings.TrimPrefix(text, pieceStamp.FindString(text)))
		if begun.text.Len() > maxRecord {
			delete(p.partials, stream)
			p.skip(begun.place.Line, tooLong)
			return nil
		}
		if goesOn && !wholeJSON(begun.text.String()) {
			return nil
		}
		delete(p.partials, stream)
		return []record{begun.record.within(begun.text.String())}
	}
	if !goesOn {
		return []record{r.within(text)}
	}
	begun := &partial{record: r}
	begun.text.WriteString(text)
	if p.partials == nil {
		p.partials = map[string]*partial{}
	}
	p.partials[stream] = begun
	return nil
}

// wholeJSON says whether s is one whole value; only then a line without an ending is known to be complete.
func wholeJSON(s string) bool {
	if !strings.HasSuffix(s, "}") {
		return false
	}
	_, err := decodeText(s)
	return err == nil
}

// flushPartials takes the lines whose end never came.
func (p *pass) flushPartials() {
	for _, stream := range slices.Sorted(maps.Keys(p.partials)) {
		begun := p.partials[stream]
		delete(p.partials, stream)
		layers{p}.unwrap(begun.record.within(begun.text.String()), 0)
	}
}

// platformKeys are what hosting platforms write beside a line of a program's output.
var platformKeys = []string{"message", "timestamp", "severity", "level", "tags", "attributes", "id", "stream", "type", "source", "service", "instance", "region", "deploymentId", "host", "requestId"}

// platformLine takes a line of output that a platform logged by itself although it belongs to a value of several lines: one opens, or is open.
func (p *pass) platformLine(r record, o object) bool {
	text, ok := o["message"].(string)
	if !ok || !has(o, "timestamp") || !hasOnly(o, platformKeys) {
		return false
	}
	line := strings.TrimRight(text, " \r\n")
	if opens := strings.HasSuffix(line, "{") || strings.HasSuffix(line, "["); !opens && !p.texts.open() || strings.Contains(line, "\n") {
		return false
	}
	r = p.timed(r, o["timestamp"], "")
	r.value, r.text = nil, line
	if r.format == "" {
		r.format = formPlatform
	}
	p.texts.line(r)
	return true
}

// hasOnly says whether o has no other keys than these.
func hasOnly(o object, keys []string) bool {
	return !slices.ContainsFunc(sortedKeys(o), func(key string) bool { return !slices.Contains(keys, key) })
}
