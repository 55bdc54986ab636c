package readlog

import (
	"slices"
	"strings"
)

// wrappings is every layer that is known, the surest signs first. The text layer of a container runtime stands in unwrap.go.
var wrappings = []layer{
	{"docker-json-file", openDocker},
	{"cloudwatch-json", openCloudWatch},
	{"cloudwatch-insights", openInsights},
	{"aws-firehose", openRecords},
	{"gcp-logging", openGCP},
	{"pubsub", openPubSub},
	{"datadog", openDatadog},
	{"loki-jsonl", openLoki},
	{"loki-json", openLokiQuery},
	{"n8n-execution", openN8N},
	{"n8n-webhook", openN8NWebhook},
	{"journald-json", openJournald},
	{"elasticsearch", openElastic},
	{"splunk-json", openSplunk},
	{"lambda-event", openLambda},
	{"courier-channel-log", openCourier},
	{"har", openHAR},
	{"dynamodb-json", openDynamo},
}

// each opens every object of a list as a record of its own.
func each(r record, v any) (inner []record) {
	for o := range objects(v) {
		inner = append(inner, r.within(o))
	}
	return inner
}

// openCloudWatch reads events of filter-log-events and of a subscription: a line of text with the service's own time.
func openCloudWatch(p *pass, r record, o object) ([]record, bool) {
	for _, key := range []string{"events", "logEvents"} {
		if l := list(o[key]); l != nil && (len(l) == 0 || has(obj(l[0]), "message", "timestamp")) {
			return each(p.timed(r, nil, first(o, "logStream", "logGroup")), o[key]), true
		}
	}
	if _, ok := o["message"].(string); !ok || !has(o, "timestamp") || !hasAny(o, "ingestionTime", "eventId", "logStreamName") && !isSubscribed(o) {
		return nil, false
	}
	return []record{p.timed(r, o["timestamp"], str(o["logStreamName"])).within(o["message"])}, true
}

// isSubscribed says whether o is one of logEvents: an id of 56 digits, a time and a message, and nothing else.
func isSubscribed(o object) bool {
	return len(sortedKeys(o)) == 3 && len(str(o["id"])) > 50
}

// openInsights reads a query's result: rows of fields, from the command line or saved from the console. Its times are UTC without saying so.
func openInsights(p *pass, r record, o object) ([]record, bool) {
	if rows := list(o["results"]); len(rows) > 0 && has(obj(at(rows, "0", "0")), "field", "value") {
		var inner []record
		for _, row := range rows {
			fields := object{}
			for f := range objects(row) {
				fields[str(f["field"])] = f["value"]
			}
			inner = append(inner, record{place: r.place, format: r.format, logged: r.logged, host: r.host, value: fields})
			inner[len(inner)-1].place.Line = lineOf(at(row, "0"), r.place.Line)
		}
		return inner, true
	}
	if !has(o, "@message") || !hasAny(o, "@timestamp", "@ptr", "@logStream") {
		return nil, false
	}
	if st, ok := p.clock.utc().read(o["@timestamp"]); ok {
		st.naive = false
		r.logged = st
	}
	if host := first(o, "@logStream"); host != "" {
		r.host = host
	}
	return []record{r.within(o["@message"])}, true
}

func openGCP(p *pass, r record, o object) ([]record, bool) {
	if !hasAny(o, "insertId", "insert_id", "logName", "log_name", "severity", "resource") {
		return nil, false
	}
	for _, key := range []string{"jsonPayload", "json_payload", "textPayload", "text_payload"} {
		if v := o[key]; v != nil {
			labels := obj(at(o, "resource", "labels"))
			r = p.timed(r, o["timestamp"], first(labels, "pod_name", "instance_id", "revision_name", "service_name"))
			return []record{r.within(v)}, true
		}
	}
	return nil, false
}

// openPubSub reads a message that a queue of Google's pushed or that was pulled from it: its data is in base64.
func openPubSub(p *pass, r record, o object) ([]record, bool) {
	m := obj(o["message"])
	data, ok := m["data"].(string)
	if !ok || !hasAny(m, "publishTime", "publish_time", "messageId", "message_id") {
		return nil, false
	}
	when := m["publishTime"]
	if when == nil {
		when = m["publish_time"]
	}
	return []record{p.timed(r, when, "").within(decoded(data, true))}, true
}

// openDatadog reads an event of the logs API, which has two layers of attributes, and an archived one.
func openDatadog(p *pass, r record, o object) ([]record, bool) {
	a := obj(o["attributes"])
	switch {
	case str(o["type"]) == "log" && a != nil:
		r = p.timed(r, a["timestamp"], str(a["host"]))
		return []record{r.within(datadogBody(a["message"], obj(a["attributes"])))}, true
	case has(o, "_id", "date", "message") && hasAny(o, "service", "host", "source"):
		r = p.timed(r, o["date"], str(o["host"]))
		return []record{r.within(datadogBody(o["message"], a))}, true
	}
	return nil, false
}

// datadogBody is what was logged: JSON that became attributes when it was taken in, or else the message itself.
func datadogBody(message any, attributes object) any {
	if s, ok := message.(string); ok && (len(attributes) == 0 || strings.HasPrefix(strings.TrimSpace(s), "{")) {
		return message
	}
	body := object{"message": message}
	for key, v := range attributes {
		body[key] = v
	}
	return body
}

func openLoki(p *pass, r record, o object) ([]record, bool) {
	if _, ok := o["line"].(string); !ok || !has(o, "timestamp") || !hasAny(o, "labels", "fields", "date", "id") {
		return nil, false
	}
	labels := obj(o["labels"])
	if labels == nil {
		labels = obj(o["fields"])
	}
	return []record{p.timed(r, o["timestamp"], lokiHost(labels)).within(o["line"])}, true
}

func lokiHost(labels object) string {
	return first(labels, "pod", "host", "hostname", "instance", "container")
}

// openLokiQuery reads the query API's answer: streams, each with pairs of a time in nanoseconds and a line.
func openLokiQuery(p *pass, r record, o object) (inner []record, ok bool) {
	if at(o, "data", "resultType") != "streams" {
		return nil, false
	}
	for s := range objects(at(o, "data", "result")) {
		for _, pair := range list(s["values"]) {
			line := r
			line.place.Line = lineOf(s, r.place.Line)
			line = p.timed(line, at(pair, "0"), lokiHost(obj(s["stream"])))
			line.value = at(pair, "1")
			inner = append(inner, line)
		}
	}
	return inner, true
}

// openJournald reads what journalctl prints as JSON. Its time counts microseconds.
func openJournald(p *pass, r record, o object) ([]record, bool) {
	if !has(o, "MESSAGE", "__REALTIME_TIMESTAMP") {
		return nil, false
	}
	message := o["MESSAGE"]
	if text, ok := ofBytes(list(message)); ok {
		message = text
	}
	return []record{p.timed(r, o["__REALTIME_TIMESTAMP"], first(o, "_HOSTNAME", "CONTAINER_NAME")).within(message)}, true
}

// ofBytes is the text that a list of bytes holds: so a journal prints lines with colours in them.
func ofBytes(l []any) (string, bool) {
	text := make([]byte, 0, len(l))
	for _, v := range l {
		n, ok := integer(v)
		if !ok || n < 0 || n > 255 {
			return "", false
		}
		text = append(text, byte(n))
	}
	return string(text), len(text) > 0
}

func openElastic(p *pass, r record, o object) ([]record, bool) {
	if hits := list(at(o, "hits", "hits")); hits != nil {
		return each(r, hits), true
	}
	source := obj(o["_source"])
	if source == nil {
		return nil, false
	}
	return []record{p.timed(r, source["@timestamp"], first(obj(source["host"]), "name", "hostname")).within(source)}, true
}

func openSplunk(p *pass, r record, o object) ([]record, bool) {
	if result := obj(o["result"]); has(result, "_raw") {
		return []record{p.timed(r, result["_time"], str(result["host"])).within(result["_raw"])}, true
	}
	if !has(o, "event", "time") || !hasAny(o, "sourcetype", "source", "index") {
		return nil, false
	}
	return []record{p.timed(r, o["time"], str(o["host"])).within(o["event"])}, true
}

// openLambda reads what a gateway gave to a function: the posted body, as text or in base64. A proxy's record has a body and an answer; that is none.
func openLambda(p *pass, r record, o object) ([]record, bool) {
	if !has(o, "body") || !hasAny(o, "isBase64Encoded", "requestContext", "httpMethod", "routeKey", "rawPath") {
		return nil, false
	}
	body := o["body"]
	if s, ok := body.(string); ok {
		body = decoded(s, o["isBase64Encoded"] == true)
	}
	context := obj(o["requestContext"])
	when := context["timeEpoch"]
	if when == nil {
		when = context["requestTimeEpoch"]
	}
	return []record{p.timed(r, when, "").within(body)}, true
}

// openN8NWebhook reads an item of a webhook node: the request with its body.
func openN8NWebhook(_ *pass, r record, o object) ([]record, bool) {
	if obj(o["headers"]) == nil || !has(o, "body") || !hasAny(o, "params", "query", "webhookUrl", "executionMode") || hasAny(o, "response", "res", "status") {
		return nil, false
	}
	return []record{r.within(o["body"])}, true
}

// openN8N reads an execution: what each node put out. A payload that goes from node to node is one delivery, not several.
func openN8N(p *pass, r record, o object) (inner []record, ok bool) {
	if item := obj(o["json"]); item != nil && len(sortedKeys(o)) <= 3 && hasAny(o, "pairedItem", "binary") || len(sortedKeys(o)) == 1 && item != nil {
		return []record{r.within(item)}, true
	}
	nodes := obj(at(o, "data", "resultData", "runData"))
	if nodes == nil {
		nodes = obj(at(o, "resultData", "runData")) // as its database keeps it
	}
	if nodes == nil {
		return nil, false
	}
	type run struct {
		at  stamp
		run object
	}
	var runs []run
	for _, name := range sortedKeys(nodes) {
		for x := range objects(nodes[name]) {
			started, _ := p.clock.read(x["startTime"])
			runs = append(runs, run{started, x})
		}
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.at.at.Compare(b.at.at) })
	seen := map[string]bool{}
	for _, x := range runs {
		if !x.at.at.IsZero() {
			r.logged = x.at
		}
		inner = append(inner, n8nItems(r, x.run, seen)...)
	}
	return inner, true
}

func n8nItems(r record, run object, seen map[string]bool) (inner []record) {
	for _, branch := range list(at(run, "data", "main")) {
		for item := range objects(branch) {
			if key := contentKey(item["json"]); obj(item["json"]) != nil && !seen[key] {
				seen[key] = true
				inner = append(inner, r.within(item["json"]))
			}
		}
	}
	if failed := obj(run["error"]); failed != nil {
		e := r.within(failed)
		e.value = object{"error": failed}
		inner = append(inner, e)
	}
	return inner
}

// openCourier reads a channel log: requests and answers as they went over the wire. What courier itself says of them has no code.
func openCourier(p *pass, r record, o object) (inner []record, ok bool) {
	logs := list(o["http_logs"])
	if logs == nil || !hasAny(o, "channel_uuid", "channel", "errors") {
		return nil, false
	}
	if len(logs) == 0 {
		return nil, true
	}
	number := first(o, "channel_uuid")
	for i, v := range logs {
		call := obj(v)
		if call == nil {
			continue
		}
		body := object{"url": call["url"], "http_status": call["status_code"], "request": call["request"], "response": call["response"], "channel": number}
		if i == len(logs)-1 {
			body["errors"] = courierErrors(o["errors"])
		}
		e := p.timed(r, call["created_on"], "")
		e.value = body
		inner = append(inner, e)
	}
	return inner, true
}

func courierErrors(v any) (out []any) {
	for e := range objects(v) {
		out = append(out, object{"code": e["ext_code"], "message": e["message"]})
	}
	return out
}

// openHAR reads what a browser or a recording proxy saves: each call with its bodies as text.
func openHAR(p *pass, r record, o object) (inner []record, ok bool) {
	calls := list(at(o, "log", "entries"))
	if calls == nil || !has(obj(o["log"]), "version") {
		return nil, false
	}
	for call := range objects(calls) {
		e := p.timed(r, call["startedDateTime"], "").within(call)
		e.value = object{"method": at(call, "request", "method"), "url": at(call, "request", "url"), "request": at(call, "request", "postData", "text"),
			"http_status": at(call, "response", "status"), "response": at(call, "response", "content", "text")}
		inner = append(inner, e)
	}
	return inner, true
}
