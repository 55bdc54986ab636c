package readlog

import (
	"regexp"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// meaning is what a key of a sender's own log can mean.
type meaning uint8

const (
	meansNumber meaning = iota
	meansSender
	meansChannel
	meansRecipient
	meansContact
	meansHash
	meansWaID
	meansText
	meansTemplate
	meansCategory
	meansCampaign
	meansRow
	meansJob
	meansAttempt
	meansTrigger
	meansClient
	meansInReply
	meansRequest
	meansPart
	meanings
)

// keysOf is which keys have a meaning, the surest first; each without what styles put into a key.
var keysOf = [meanings][]string{
	meansNumber: {"phonenumberid", "pnid", "phoneid", "fromphonenumberid", "senderphonenumberid", "businessphonenumberid", "waphonenumberid", "wabaphoneid",
		"wabaphonenumberid", "whatsappphoneid", "whatsappphonenumberid", "connectionid", "numberid", "phonenoid"},
	meansSender:  {"from", "sender", "fromnumber", "displayphonenumber", "businessphone", "businessnumber", "senderphone", "sendernumber"},
	meansChannel: {"channeluuid", "channelid", "channel", "inboxid", "inbox", "instanceid", "instance", "sessionname", "connection"},
	meansRecipient: {"to", "recipient", "recipientid", "recipientphone", "recipientphonenumber", "recipientnumber", "recipientwaid", "tonumber", "tophone", "phoneto",
		"destination", "dest", "destinationaddr", "msisdn", "receiver", "remotejid", "jid", "chatid", "peer", "target", "destinatario", "recipientphonenumbere164"},
	meansContact: {"phone", "phonenumber", "mobile", "mobilenumber", "number", "telephone", "tel", "celular", "telefone", "telefono", "customerphone", "customernumber",
		"userphone", "contactphone", "customer", "contact", "user", "userid", "input"},
	meansHash: {"recipienthash", "tohash", "phonehash", "msisdnhash", "hashedrecipient", "hashedphone", "recipientsha256", "phonesha256", "recipientpseudonym", "userhash",
		"customerhash", "contacthash", "recipienthashed", "phonehashed"},
	meansWaID:     {"waid"},
	meansText:     {"text", "body", "caption", "messagetext", "messagebody", "content", "texto", "mensagem", "mensaje"},
	meansTemplate: {"template", "templatename", "hsm"},
	meansCategory: {"category", "templatecategory", "pricingcategory"},
	meansCampaign: {"campaign", "campaignid", "campaignname", "campanha", "broadcast", "broadcastid", "broadcastname", "list", "listid", "batchid", "batch"},
	meansRow:      {"row", "rowid", "rownumber", "line", "index", "position", "seq"},
	meansJob: {"job", "jobid", "taskid", "task", "idempotencykey", "msgkey", "messagekey", "dedupekey", "dedupid", "bizopaquecallbackdata", "callbackdata", "step", "outboxid",
		"clientref", "clientmessageid", "queueid", "bodysha"},
	meansAttempt: {"attempt", "attemptno", "attemptnumber", "tryno", "try", "retry", "retrycount", "attemptsmade"},
	meansTrigger: {"trigger", "triggeredby", "cause"},
	meansClient:  {"useragent", "ua", "clientip", "remoteaddr", "remoteip", "ip", "client", "system", "service", "app", "appname", "source"},
	meansInReply: {"inreplyto", "replyto", "inboundwamid", "inboundid", "inboundmessageid", "contextmessageid"},
	meansRequest: {"reqid", "requestid", "correlationid", "traceid", "callid"},
	meansPart:    {"chunk", "part", "chunkindex", "partno"},
}

// rank is where a key stands among those of its meaning.
type rank struct {
	meaning
	place int
}

var rankOf = func() map[string]rank {
	ranks := map[string]rank{}
	for m, keys := range keysOf {
		for i, key := range keys {
			ranks[key] = rank{meaning(m), i}
		}
	}
	return ranks
}()

// facts is what a record of a sender's own log shows, found by the meaning of its keys.
type facts struct {
	values [meanings]string
	best   [meanings]int // depth first, then place: smaller wins; 0: nothing yet

	userID    string
	messageID string
	masked    bool   // the recipient's name hides digits
	path      string // number id in the path of the messages endpoint
	otherPath bool   // a path of the API that is another endpoint
	method    string
	product   string
	status    int // HTTP
	hasStatus bool
	word      string // what the record says became of it
	wordKind  analyze.Kind
	inbound   bool
	readMark  bool

	asks         bool     // it says that a request is being made
	isStatusLine bool     // it tells of a status that came, not of a request
	code         int      // the surest code, when all keys were taken
	words        string   // the most telling words of an error, likewise
	codes        []codeAt // codes, where they stand
	reasons      []string // words of errors
	sentences    []string // the record's message or the name of its event
	subcode      int      // the pair limit's, where a subcode names it; it counts only if no code does
	loud         bool     // logged as an error or a warning
}

// codeAt is a code and how sure its place is; smaller is surer.
type codeAt struct{ code, rank int }

func (f *facts) get(m meaning) string { return f.values[m] }

// set keeps the surest value of a meaning.
func (f *facts) set(r rank, depth int, s string) {
	if score := 1 + depth*100 + r.place; f.best[r.meaning] == 0 || score < f.best[r.meaning] {
		f.values[r.meaning], f.best[r.meaning] = s, score
	}
}

// collect walks over a record, outermost objects first.
func collect(o object) *facts {
	f := &facts{}
	f.walk(o, spot{})
	f.code, f.words = f.surestCode(), f.tellingWords()
	return f
}

// spot is where a member stands: how deep, in what, and what the names on the way make of it.
type spot struct {
	depth int
	in    *keyName // the innermost name; nil at the outside
	ways  keyWay
}

func (at spot) is(w keyWay) bool { return at.ways&w != 0 }

// inside is the spot of what a member holds.
func (at spot) inside(k *keyName) spot { return spot{at.depth + 1, k, at.ways | k.mentions} }

// walk takes the keys of o, and goes into what they hold.
func (f *facts) walk(o object, at spot) {
	if at.depth > maxLayers {
		return
	}
	keys := sortedKeys(o)
	for _, key := range keys {
		f.key(at, keyOf(key), o[key])
	}
	for _, key := range keys {
		switch v := o[key].(type) {
		case object:
			f.walk(v, at.inside(keyOf(key)))
		case []any:
			for i := range v {
				if e := obj(v[i]); e != nil {
					f.walk(e, at.inside(keyOf(key)))
				}
			}
		}
	}
}

// key takes what one key says.
func (f *facts) key(at spot, k *keyName, v any) {
	if at.in != nil && (at.in.written && k.bare != "body" || at.in.bare == "headers" && k.bare != "useragent" || at.is(wayComponents)) {
		return
	}
	s := strings.TrimSpace(str(v))
	if strings.HasPrefix(s, "whatsapp:") {
		f.product = "whatsapp"
	}
	f.exchangeKey(k.bare, s, v)
	f.errorKey(at, k, s)
	f.idKey(at, k, s)
	f.fateKey(at.depth, k.bare, s, v)
	if k.ranked {
		f.meant(k.rank, at, k.bare, s, v)
	}
}

// meant takes a value whose key has a meaning, if it looks like one of that meaning.
func (f *facts) meant(r rank, at spot, key, s string, v any) {
	depth := at.depth
	switch r.meaning {
	case meansRecipient, meansContact:
		f.named(r, depth, s)
	case meansText, meansTemplate:
		if o := obj(v); o != nil {
			s = first(o, "body", "name")
		}
		if strings.HasPrefix(s, "<") && r.meaning == meansText || key == "body" && at.in != nil && at.in.bare != "text" {
			return
		}
		if s != "" {
			f.set(r, depth, s)
		}
	case meansSender:
		if looksLikePhone(bareRecipient(s)) {
			f.set(r, depth, s)
		}
	case meansChannel:
		if s != "" && !strings.EqualFold(s, "whatsapp") && !strings.EqualFold(s, "wa") {
			f.set(r, depth, s)
		}
	case meansNumber, meansHash, meansWaID:
		if s != "" {
			f.set(r, 0, s)
		}
	default:
		if s != "" {
			f.set(r, depth, s)
		}
	}
}

// named takes who a message is for. A key that may mean others too must hold what can be a number.
func (f *facts) named(r rank, depth int, s string) {
	bare := bareRecipient(s)
	switch {
	case bare == "":
	case len(bare) > 3 && bare[2] == '.' && bsuid.MatchString(bare):
		f.userID = bare
	case isMasked(bare):
		f.masked = true
		f.set(r, depth+50, bare)
	case looksLikePhone(bare) || strings.Contains(bare, "@") && jid.MatchString(bare):
		f.set(r, depth, bare)
	case r.meaning == meansRecipient && !strings.ContainsAny(bare, " /") && len(bare) <= 128 && opaque.MatchString(bare):
		f.set(r, depth+20, bare)
	}
}

var (
	bsuid  = regexp.MustCompile(`^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{6,}$`)
	jid    = regexp.MustCompile(`^\+?\d{5,15}(?::\d+)?@(?:s\.whatsapp\.net|c\.us|lid)$|^\d+@lid$`)
	opaque = regexp.MustCompile(`\d|^[0-9a-f]{8,}$`)
)

func looksLikePhone(bare string) bool {
	digits := strings.TrimPrefix(bare, "+")
	return len(digits) >= 5 && len(digits) <= 18 && strings.Trim(digits, "0123456789") == ""
}
