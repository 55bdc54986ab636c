package readlog

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
)

// openRecords reads what streams and queues of AWS hand over: bodies as text, in base64, or packed as well.
func openRecords(p *pass, r record, o object) (inner []record, ok bool) {
	if data := str(at(o, "awslogs", "data")); data != "" {
		return []record{r.within(decoded(data, true))}, true
	}
	for _, key := range []string{"records", "Records"} {
		if l := list(o[key]); len(l) > 0 && isStreamed(obj(l[0])) {
			return each(r, o[key]), true
		}
	}
	if !isStreamed(o) {
		return nil, false
	}
	return []record{streamed(p, r, o)}, true
}

// isStreamed says whether o is one record of Firehose, Kinesis, SQS or SNS.
func isStreamed(o object) bool {
	_, kinesis := at(o, "kinesis", "data").(string)
	_, firehose := o["data"].(string)
	_, queue := o["body"].(string)
	_, topic := at(o, "Sns", "Message").(string)
	_, notice := o["Message"].(string)
	return kinesis || topic ||
		firehose && (len(sortedKeys(o)) == 1 || hasAny(o, "recordId", "approximateArrivalTimestamp")) ||
		queue && (hasAny(o, "eventSource", "receiptHandle") || has(o, "messageId", "attributes")) ||
		notice && str(o["Type"]) == "Notification"
}

func streamed(p *pass, r record, o object) record {
	switch k := obj(o["kinesis"]); {
	case k != nil:
		return p.timed(r, k["approximateArrivalTimestamp"], "").within(decoded(str(k["data"]), true))
	case obj(o["Sns"]) != nil:
		return p.timed(r, at(o, "Sns", "Timestamp"), "").within(at(o, "Sns", "Message"))
	case has(o, "Message"):
		return p.timed(r, o["Timestamp"], "").within(o["Message"])
	case has(o, "body"):
		return p.timed(r, at(o, "attributes", "SentTimestamp"), "").within(o["body"])
	}
	return p.timed(r, o["approximateArrivalTimestamp"], "").within(decoded(str(o["data"]), true))
}

// decoded takes base64 and gzip off a text, as far as they are there.
func decoded(s string, encoded bool) any {
	if !encoded {
		return s
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil {
		return s
	}
	if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		if plain, err := io.ReadAll(io.LimitReader(z, maxRecord)); err == nil {
			b = plain
		}
	}
	return string(b)
}

// contentKey is the same for values of the same content.
func contentKey(v any) string {
	b, err := json.Marshal(withoutLines(v))
	if err != nil {
		return ""
	}
	return string(b)
}

// withoutLines is v as the log wrote it, without the lines that were written into it.
func withoutLines(v any) any {
	switch v := v.(type) {
	case object:
		plain := make(object, len(v))
		for _, key := range sortedKeys(v) {
			plain[key] = withoutLines(v[key])
		}
		return plain
	case []any:
		plain := make([]any, len(v))
		for i, e := range v {
			plain[i] = withoutLines(e)
		}
		return plain
	}
	return v
}
