package readlog

import (
	"strings"

	"github.com/wactl/wactl/analyze"
)

// preset is what is known of one program's export. Everything it does not say is found out by meaning.
type preset struct {
	name      string // of the program, for people
	format    string // of the source
	signature string // headers that all must be there, with | between
	columns   string // role=header, as --map takes it
	statuses  string // status=word of another name, as in 3=failed
	direction string // value=in or out, as in 0=in
	utc       bool   // its times have no zone and are UTC
	number    string // stands before the business number, where that is an id of something else
	user      string // stands before the id in the user's column, where that is one of a conversation or of a contact
	contact   bool   // the recipient column names the user in both directions
	note      string // what a reader of the report must know
}

// formTable is the format of tables without a name of their own, and of those whose program names nothing.
const (
	formTable        = "csv-generic"
	formUnknownTable = "table"
)

const codesOwn = "it numbers errors in its own way: --code-map says which of its codes is the pair limit, as in --code-map %s=131056"

// presets are tried in this order; the first whose signature fits is used. To add a program, add a row and a sample.
var presets = []preset{
	{name: "Twilio's message log", format: "twilio-csv", signature: "From|To|Status|Sid",
		columns: "recipient=To,from=From,status=Status,code=ErrorCode,id=Sid,text=Body,direction=Direction", direction: "inbound=in,outbound-api=out,outbound-reply=out,outbound-call=out",
		statuses: "accepted=accepted,scheduled=other,canceled=other,queued=accepted,sending=accepted,receiving=other,undelivered=failed"},
	{name: "Chatwoot's messages table", format: "chatwoot-db", signature: "message_type|status|source_id|inbox_id|content_attributes", utc: true, number: "inbox:", user: "conversation:", contact: true,
		columns: "at=created_at,from=inbox_id,user=conversation_id,status=status,reason=content_attributes,id=source_id,text=content,direction=message_type", direction: "0=in,1=out,2=other,3=out,incoming=in,outgoing=out,activity=other,template=out",
		statuses: "0=sent,1=delivered,2=read,3=failed"},
	{name: "Glific's messages table", format: "glific-db", signature: "bsp_message_id|flow", utc: true, user: "contact:", contact: true,
		columns: "at=inserted_at,user=contact_id,sent=sent_at,from=,id=bsp_message_id,status=bsp_status,reason=errors,direction=flow,text=body", direction: "inbound=in,outbound=out"},
	{name: "frappe_whatsapp's messages", format: "frappe-csv", signature: "type|to|from|message_id|bulk_message_reference",
		columns: "at=creation,recipient=to,from=from,id=message_id,status=status,campaign=bulk_message_reference,direction=type", direction: "incoming=in,outgoing=out"},
	{name: "RapidPro's messages", format: "courier-csv", signature: "direction|status|external_id|created_on|sent_on",
		columns: "at=created_on,sent=sent_on,status=status,id=external_id,text=text,direction=direction,reason=failed_reason,user=contact_id", user: "contact:", direction: "i=in,o=out",
		statuses: "i=attempt,p=attempt,q=attempt,w=sent,s=sent,d=delivered,v=read,r=read,h=other,e=failed,f=failed"},
	{name: "wactl's own report", format: "wactl-report", signature: "line|recipient|status|code|meaning|message_id|sent_at", columns: "row=line,recipient=recipient,status=status,code=code,id=message_id,sent=sent_at,delivered=delivered_at,reason=",
		statuses: "held=attempt,uncertain=attempt,skipped=other,pending=other"},
	{name: "CloudWatch Logs Insights", format: "cloudwatch-insights-csv", signature: "@timestamp|@message", utc: true, columns: "at=@timestamp,record=@message,host=@logStream"},
	{name: "Datadog's log explorer", format: "datadog-csv", signature: "Date|Host|Service|Message", columns: "at=Date,host=Host,record=Message"},
	{name: "Kaleyra's report", format: formTable, signature: "MESSAGE_DIRECTION|REASON_FOR_FAILURE|CREATED_AT",
		columns: "at=CREATED_AT,sent=SENT_AT,delivered=DELIVERED_AT,read=READ_AT,failed=FAILED_AT,recipient=TO,from=FROM,reason=REASON_FOR_FAILURE,direction=MESSAGE_DIRECTION"},
	{name: "8x8's log", format: formTable, signature: "UMID|Channel|Destination", columns: "id=UMID,recipient=Destination,from=Source,status=Status,code=ErrorCode,reason=ErrorReason",
		note: strings.Replace(codesOwn, "%s", "11", 1)},
	{name: "Vonage's report", format: "vonage-csv", signature: "message_uuid|to|from|status", columns: "id=message_uuid,recipient=to,from=from,status=status,at=timestamp",
		note: strings.Replace(codesOwn, "%s", "CODE", 1)},
	{name: "Infobip's report", format: "infobip-csv", signature: "Message Id|Bulk Id|To|Sent At|Done At", columns: "id=Message Id,campaign=Bulk Id,recipient=To,from=From,sent=Sent At,delivered=Done At,status=Status",
		note: strings.Replace(codesOwn, "%s", "CODE", 1)},
	{name: "Infobip's report", format: "infobip-csv", signature: "messageId|bulkId|to|sentAt|doneAt", columns: "id=messageId,campaign=bulkId,recipient=to,from=from,sent=sentAt,delivered=doneAt,status=status",
		note: strings.Replace(codesOwn, "%s", "CODE", 1)},
	{name: "wolkvox's report", format: formTable, signature: "CAMPAIGN_ID|TELEPHONE|RESULT|DATE", columns: "at=DATE,recipient=TELEPHONE,campaign=CAMPAIGN_ID,status=RESULT,reason=ERROR"},
}

// presetOf is the preset whose signature a header row bears; nil: none.
func presetOf(header []string) *preset {
	there := map[string]bool{}
	for _, h := range header {
		there[foldHeader(h)] = true
	}
next:
	for i := range presets {
		for h := range strings.SplitSeq(presets[i].signature, "|") {
			if !there[foldHeader(h)] {
				continue next
			}
		}
		return &presets[i]
	}
	return nil
}

// pairsOf reads 0=sent,1=delivered into folded keys.
func pairsOf(text string) map[string]string {
	m := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if k, v, ok := strings.Cut(part, "="); ok {
			m[foldHeader(k)] = v
		}
	}
	return m
}

// statusWord is what words of one kind begin with, with | between, in folded form. Rows are tried in order: undelivered is no delivered.
type statusWord struct {
	kind  analyze.Kind
	words string
}

// statusWords are the states of a message in the languages of the exports.
var statusWords = []statusWord{
	{analyze.Failed, "undeliver|notdeliver|notsent|unsent|fail|reject|expire|error|bounce|invalid|undeliv|naoentreg|naoenviad|noentreg|noenviad|falh|erro|rejeitad|fall|fracas|rechaz|echec|echou|nonlivre|nonenvoye|rejete" +
		"|fehl|nichtzugestellt|nichtgesendet|abgelehnt|fallit|nonconsegnat|noninviat|rifiutat|gagal|ditolak|ошибка|недоставлен|basarisiz|失败|失敗|未送达|blocked|dropped|refused|permanent|temporaryfail|hardfail|ratelimit"},
	{analyze.Other, "scheduled|draft|cancel|skip|optedout|optout|unsubscrib|deleted|agendad|cancelad|programad|annul|geplant|storniert|terjadwal|dibatalkan|rascunho|borrador|notrun|duplicate|suppressed"},
	{analyze.Attempt, "pending|processing|inprogress|waiting|unknown|timeout|pendente|processando|pendiente|enproceso|enattente|ausstehend|inbearbeitung|inattesa|menunggu|tertunda|retrying"},
	{analyze.Read, "read|seen|opened|lid|leid|vist|lu|gelesen|lett|dibaca|прочитан|okundu|已读|既読|clicked|replied|respondid|played"},
	{analyze.Delivered, "deliver|dlvrd|entreg|livre|remis|zugestellt|geliefert|consegnat|terkirim|tersampaikan|доставлен|teslim|已送达|送达|配信済|success|sucesso|exito|succes|erfolgreich|berhasil|complet"},
	{analyze.Sent, "sent|submitted|dispatched|enviad|envoy|gesendet|versendet|inviat|dikirim|отправлен|gonderil|已发送|送信済"},
	{analyze.Accepted, "accept|queue|enqueue|created|ok|sending|aceit|acept|enfileirad|encolad|accepte|angenommen|accettat|diterima|buffered|enroute"},
}

// statusOf is the kind that a status names; false where it is not known.
func statusOf(status string) (analyze.Kind, bool) {
	f := foldHeader(status)
	for f != "" {
		for _, row := range statusWords {
			for w := range strings.SplitSeq(row.words, "|") {
				if strings.HasPrefix(f, w) && (len(w) > 2 || f == w) {
					return row.kind, true
				}
			}
		}
		rest, ok := strings.CutPrefix(f, "message")
		if !ok {
			break
		}
		f = rest
	}
	return analyze.Other, false
}

// directionWords are how exports say which way a message went; what is none of them went out.
var directionWords = pairsOf("in=in,inbound=in,incoming=in,received=in,receive=in,mo=in,user=in,customer=in,entrada=in,entrante=in,recebida=in,recebido=in,recibido=in,recu=in,entrant=in,eingehend=in,empfangen=in,ingresso=in,masuk=in,входящее=in,activity=other,system=other")
