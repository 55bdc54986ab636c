package emulator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// hour is the window of the budget of API calls.
const hour = int64(time.Hour / time.Millisecond)

// pageSize is how many objects of a list one answer has at most, asked for or not.
const pageSize = 100

// upload is a file that was given to the platform.
type upload struct {
	number, kind string
	sum          string
	size         int64
}

// serveRead answers what is no message: one object, a list, or an upload. It says whether the path was one of these.
func (e *Emulator) serveRead(w http.ResponseWriter, r *http.Request, parts []string) bool {
	switch {
	case len(parts) == 1 && !version.MatchString(parts[0]) && r.Method == http.MethodGet:
		e.serveObject(w, r, parts[0])
	case len(parts) == 2 && (parts[1] == "phone_numbers" || parts[1] == "message_templates"):
		e.serveList(w, r, parts[0], parts[1])
	case len(parts) == 2 && parts[1] == "media" && r.Method == http.MethodPost:
		e.serveUpload(w, r, parts[0])
	default:
		return false
	}
	return true
}

// serveObject answers GET /{id}: a number, or a file that was uploaded.
func (e *Emulator) serveObject(w http.ResponseWriter, r *http.Request, id string) {
	if refused := e.mayCall(w, r); refused != nil {
		e.writeRefusal(w, *refused)
		return
	}
	if u, ok := e.uploaded(id); ok {
		write(w, http.StatusOK, typeJSON, marshal(object{"messaging_product": "whatsapp", "id": id, "mime_type": u.kind, "sha256": u.sum, "file_size": u.size,
			"url": "https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=" + id}))
		return
	}
	n := e.number(id)
	if n == nil {
		e.writeRefusal(w, noObject(id))
		return
	}
	write(w, http.StatusOK, typeJSON, marshal(n.only(r.URL.Query().Get("fields"), "display_phone_number,verified_name,quality_rating")))
}

// serveList answers GET /{account}/phone_numbers and GET /{account}/message_templates.
func (e *Emulator) serveList(w http.ResponseWriter, r *http.Request, account, edge string) {
	if r.Method != http.MethodGet {
		wrongMethod(w, r, http.MethodGet)
		return
	}
	refused := e.mayCall(w, r)
	if refused == nil && account != e.opt.Account.id() {
		refused = new(noObject(account))
	}
	if refused == nil && edge == "message_templates" && e.opt.Account.Templates == nil {
		refused = &refusal{by: byBody, code: 100, subcode: 33, details: "This emulator was given no templates: it takes any name, and can show none."}
	}
	if refused != nil {
		e.writeRefusal(w, *refused)
		return
	}
	query := r.URL.Query()
	if edge == "phone_numbers" {
		e.writePage(w, r, e.numbers(), query.Get("fields"), "display_phone_number,verified_name,quality_rating")
		return
	}
	var found []object
	for _, o := range e.listed.templates {
		// As on the platform, part of a name finds the template too.
		if strings.Contains(o.text("name"), query.Get("name")) && filtered(o, query.Get, "language", "status", "category") {
			found = append(found, o)
		}
	}
	e.writePage(w, r, found, query.Get("fields"), "name,language,status,category,parameter_format,components")
}

func filtered(o object, want func(string) string, keys ...string) bool {
	for _, key := range keys {
		if w := want(key); w != "" && w != o.text(key) {
			return false
		}
	}
	return true
}

// anyNumber stands in the list for all numbers, where any is accepted.
const anyNumber = "106540352242922"

// numbers are the numbers of the account. One that takes any number shows those it was told to accept, or a single one.
func (e *Emulator) numbers() []object {
	var all []object
	for _, o := range e.listed.numbers {
		all = append(all, e.number(o.text("id")))
	}
	if len(all) > 0 {
		return all
	}
	ids := e.opt.Numbers
	if len(ids) == 0 {
		ids = []string{anyNumber}
	}
	for _, id := range ids {
		all = append(all, e.number(id))
	}
	return all
}

// writePage writes one page of a list and the mark of the next.
func (e *Emulator) writePage(w http.ResponseWriter, r *http.Request, all []object, fields, byDefault string) {
	query := r.URL.Query()
	from := 0
	if after := query.Get("after"); after != "" {
		from, _ = strconv.Atoi(after)
	}
	from = min(max(from, 0), len(all))
	size, err := strconv.Atoi(query.Get("limit"))
	if err != nil || size < 1 || size > pageSize {
		size = pageSize
	}
	to := min(from+size, len(all))
	page := object{"data": []object{}}
	var items []object
	for _, o := range all[from:to] {
		items = append(items, o.only(fields, byDefault))
	}
	if items != nil {
		page["data"] = items
		paging := object{"cursors": object{"before": strconv.Itoa(from), "after": strconv.Itoa(to)}}
		if to < len(all) {
			query.Set("after", strconv.Itoa(to))
			paging["next"] = "https://graph.facebook.com" + r.URL.Path + "?" + query.Encode()
		}
		page["paging"] = paging
	}
	write(w, http.StatusOK, typeJSON, marshal(page))
}

func noObject(id string) refusal {
	return refusal{by: byAuth, code: 100, subcode: 33,
		details: "Object with ID '" + id + "' does not exist, cannot be loaded due to missing permissions, or does not support this operation."}
}

// mayCall authorises a reading and counts it against the hour's budget, whose use it writes into the answer's headers.
func (e *Emulator) mayCall(w http.ResponseWriter, r *http.Request) *refusal {
	if refused := e.token(r); refused != nil {
		return refused
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	for len(e.state.calls) > 0 && e.state.calls[0] <= now-hour {
		e.state.calls = e.state.calls[1:]
	}
	minutes := 0
	if full := len(e.state.calls) >= e.opt.CallsPerHour; full {
		minutes = int((e.state.calls[0]+hour-now)/(60*second)) + 1
	} else {
		e.state.calls = append(e.state.calls, now)
	}
	percent := len(e.state.calls) * 100 / e.opt.CallsPerHour
	w.Header().Set("X-Business-Use-Case-Usage", string(marshal(map[string][]object{e.opt.Account.id(): {{"type": "whatsapp_business_management",
		"call_count": percent, "total_cputime": 0, "total_time": 0, "estimated_time_to_regain_access": minutes}}})))
	if minutes > 0 {
		return &refusal{by: byAuth, code: 80007, details: fmt.Sprintf("The account has made %d calls within an hour.", e.opt.CallsPerHour)}
	}
	return nil
}

func (e *Emulator) writeRefusal(w http.ResponseWriter, r refusal) {
	e.mu.Lock()
	e.serial++
	trace := e.trace(e.now())
	e.mu.Unlock()
	writeError(w, e.statusOf(r.code), platformError(r.code, r.subcode, r.details, trace))
}

func (e *Emulator) uploaded(id string) (upload, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	u, ok := e.state.uploads[id]
	return u, ok
}

// uploadSizes are the kinds of files that the platform takes, by the beginning of their MIME type, and the most bytes of each.
var uploadSizes = []struct {
	kind string
	most int64
}{
	{"image/jpeg", 5 << 20}, {"image/png", 5 << 20}, {"image/webp", 500 << 10}, {"video/mp4", 16 << 20}, {"video/3gpp", 16 << 20},
	{"audio/", 16 << 20}, {"application/", 100 << 20}, {"text/plain", 100 << 20},
}

// serveUpload takes a file and answers with its id. It keeps the file's sum and size and forgets the rest.
func (e *Emulator) serveUpload(w http.ResponseWriter, r *http.Request, number string) {
	refused := e.authorise(r, number)
	var u upload
	if refused == nil {
		u, refused = readUpload(r)
	}
	if refused != nil {
		e.writeRefusal(w, *refused)
		return
	}
	u.number = number
	e.mu.Lock()
	e.serial++
	unique := e.unique(e.now())
	id := strconv.FormatUint(1e15+uint64(e.serial)*1_000_003+uint64(unique[0]), 10)
	e.state.uploads[id] = u
	e.mu.Unlock()
	write(w, http.StatusOK, typeJSON, marshal(object{"id": id}))
}

// readUpload reads a multipart form part by part.
func readUpload(r *http.Request) (u upload, refused *refusal) {
	parts, err := r.MultipartReader()
	if err != nil {
		return u, invalid("An upload is multipart/form-data: " + err.Error())
	}
	product := ""
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return u, invalid("The form could not be read: " + err.Error())
		}
		switch part.FormName() {
		case "messaging_product", "type":
			text, err := io.ReadAll(io.LimitReader(part, 1<<10))
			if err != nil {
				return u, invalid("The form could not be read: " + err.Error())
			}
			if part.FormName() == "type" {
				u.kind = string(text)
			} else {
				product = string(text)
			}
		case "file":
			sum := sha256.New()
			if u.size, err = io.Copy(sum, part); err != nil {
				return u, invalid("The file could not be read: " + err.Error())
			}
			u.sum = hex.EncodeToString(sum.Sum(nil))
		}
	}
	return u, checkUpload(u, product)
}

func checkUpload(u upload, product string) *refusal {
	switch {
	case product != "whatsapp":
		return invalid("Param messaging_product must be one of {WHATSAPP}.")
	case u.sum == "":
		return missing("file")
	}
	for _, row := range uploadSizes {
		if strings.HasPrefix(u.kind, row.kind) {
			if u.size > row.most || u.size == 0 {
				return refuse(131053, fmt.Sprintf("The file has %d bytes; %s may have %d.", u.size, u.kind, row.most))
			}
			return nil
		}
	}
	return invalid("Param file must be a file with one of the following types: audio, document, image, video; it was " + string(marshal(u.kind)) + ".")
}

// foreignMedia is what a message is refused for whose media id this number has not uploaded, nil for nothing. Only ids that look like ones given
// here are judged: others may be of an upload before a reset.
func (e *Emulator) foreignMedia(number string, v any) *refusal {
	switch v := v.(type) {
	case map[string]any:
		if id, ok := v["id"].(string); ok {
			if u, known := e.uploaded(id); known && u.number != number {
				return refuse(131053, "The media id "+id+" belongs to another number.")
			}
		}
		for _, inner := range v {
			if r := e.foreignMedia(number, inner); r != nil {
				return r
			}
		}
	case []any:
		for _, inner := range v {
			if r := e.foreignMedia(number, inner); r != nil {
				return r
			}
		}
	}
	return nil
}
