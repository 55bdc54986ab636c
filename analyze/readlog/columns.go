package readlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/wactl/wactl/normalize/lines"
)

// Map says which column of a table plays which role: role to header, as in at=created_at. Nil: found out by looking.
type Map map[string]string

// The roles that a column can play. They are the keys of a Map.
const (
	roleAt        = "at"        // when the message was asked for, or when the row's event was
	roleAccepted  = "accepted"  // when the API took it
	roleSent      = "sent"      // when the platform sent it on
	roleDelivered = "delivered" // when it arrived
	roleRead      = "read"      // when it was read
	roleFailed    = "failed"    // when it failed
	roleRecipient = "recipient"
	roleFrom      = "from" // the business number, or what stands for it
	roleStatus    = "status"
	roleHTTP      = "http" // the status of the API's answer
	roleCode      = "code"
	roleReason    = "reason"
	roleID        = "id"
	roleUser      = "user" // business-scoped user id
	roleTemplate  = "template"
	roleText      = "text"
	roleCampaign  = "campaign"
	roleRow       = "row"
	roleJob       = "job"
	roleClient    = "client"
	roleCategory  = "category"
	roleDirection = "direction"
	roleHost      = "host"
	roleRecord    = "record" // a cell that holds a record of its own, to be unwrapped
)

// column is one role and the headers that mean it, best first, with | between. They are compared in folded form.
type column struct{ role, headers string }

// columns is every header that is known: tools first, then English, Portuguese, Spanish, French, German, Italian, Indonesian.
var columns = []column{
	{roleAt, "created_at|CreatedAt|accepted_at|request_time|requested_at|submitted_at|submit_time|send_time|created|timestamp|@timestamp|datetime|date time|date_time|event_time|time|date|ts" +
		"|inserted_at|creation|created on|created date|date created|creation_time|event_timestamp|at|log time|TimeGenerated|TimeGenerated (UTC)|Timestamp (UTC)|date_submitted|submitted at|submission time|date_received|time (UTC)|date (UTC)|created_at (UTC)|message time|message date|sent on|when" +
		"|criado em|data de criação|data e hora|data/hora|data hora|data|hora|horário|data do envio|data de envio|momento|creado en|fecha de creación|fecha y hora|fecha/hora|fecha|fecha de envío|fecha envío" +
		"|créé le|date de création|date et heure|date/heure|horodatage|date d'envoi|heure|erstellt am|erstellt|datum|zeitpunkt|zeitstempel|datum/uhrzeit|uhrzeit|zeit|creato il|data e ora|data invio|data creazione|ora" +
		"|waktu|tanggal|tgl|dibuat|waktu kirim|дата|время|дата и время|tarih|zaman|时间|日期|发送时间|日時|送信日時|समय|तारीख|التاريخ|الوقت|LAST_UPDATE|updated_at|last updated"},
	{roleAccepted, "accepted_at|accepted time|accepted on|accepted|queued_at|queued"},
	{roleSent, "sent_at|sentat|SentDate|date_sent|sent date|sent time|sent_time|sent_on|DateSent|sent timestamp|enviado em|enviada em|enviado el|envoyé le|gesendet am|inviato il|dikirim pada"},
	{roleDelivered, "delivered_at|delivered time|delivered_time|delivered date|delivery time|delivered on|entregue em|entregado el|livré le|zugestellt am|terkirim pada"},
	{roleRead, "read_at|read time|read_time|read date|seen_at|read on|lido em|lida em|leído el|lu le|gelesen am"},
	{roleFailed, "failed_at|failed time|failed_time|failed date|failure time|failed on|falhou em|fallido el|échoué le|fehlgeschlagen am"},
	{roleRecipient, "recipient|recipient_id|recipient phone|recipient number|to|to number|to_number|to phone|destination|destination number|destination_addr|msisdn|wa_id|waid|contact_phone|contact phone|phone|phone number|phone_number" +
		"|customer phone|customer number|user phone|mobile|mobile number|whatsapp number|whatsapp|receiver|receiver number|receiver_phone|telephone|tel|contact number|contact|number|cell|chat_id|contact_urn|urn|addressee" +
		"|destinatário|destino|telefone|celular|número|numero|para|telefone do contato|contato|número do destinatário|destinatario|teléfono|móvil|número de teléfono|contacto|destinataire|téléphone|portable|numéro|numéro de téléphone" +
		"|empfänger|telefon|telefonnummer|rufnummer|mobilnummer|handynummer|an|nummer|destinatario|telefono|cellulare|numero di telefono|a|penerima|nomor|nomor hp|no hp|no wa|nomor wa|tujuan|ke|получатель|телефон|alıcı|手机号|手机|收件人|電話番号|宛先|फ़ोन|الهاتف|المستلم"},
	{roleFrom, "phone_number_id|phonenumberid|phone id|phone_id|business_phone_number_id|sender_phone_number_id|waba number|business number|business phone|business_phone|from|from number|from_number|source|source number|source_addr|sender|sender id|sender number" +
		"|channel number|whatsapp account|connection id|connectionid|inbox_id|inbox|sender_phone|remetente|de|origem|número de origem|remitente|origen|desde|expéditeur|de la part de|absender|von|quelle|mittente|da|pengirim|dari|отправитель|gönderen|发件人|送信元"},
	{roleStatus, "status|message status|message_status|msg_status|delivery status|delivery_status|bsp_status|current status|last status|state|result|outcome|event|event type|event_type|final status|send status|estado|estado do envio|situação|estado del mensaje|estado de entrega|resultado" +
		"|statut|état|résultat|zustand|ergebnis|stato|esito|risultato|hasil|статус|durum|状态|ステータス|स्थिति|الحالة"},
	{roleHTTP, "http_status|httpstatus|http code|http_code|status_code|statuscode|response code|response_code|http status code"},
	{roleCode, "meta_error_code|meta error code|meta code|error_code|errorcode|error code|failure code|failed code|failedcode|failure_code|err_code|errcode|reason code|reason_code|code|error number|error_no|wa error code|whatsapp error code" +
		"|código do erro|código de erro|codigo erro|código|código de error|codigo error|code erreur|code d'erreur|fehlercode|fehler-code|codice errore|codice|kode|kode error|kode kesalahan|код ошибки|hata kodu|错误代码|错误码|エラーコード"},
	{roleReason, "external_error|content_attributes|error_message|errormessage|error message|error_reason|errorreason|error reason|failure reason|failure_reason|reason for failure|reason_for_failure|fail reason|failed reason|failed_reason|failreason|failed detail|error_description" +
		"|error description|error details|error_details|error detail|error_title|error title|error|errors|reason|failure|description|remarks|remark|comment|details|error text|failure details|rejection reason|response|api response|note" +
		"|motivo da falha|motivo do erro|motivo|erro|descrição do erro|mensagem de erro|motivo de fallo|motivo del fallo|motivo del error|descripción del error|mensaje de error|raison de l'échec|raison|motif|erreur|message d'erreur|fehlergrund|grund|fehler|fehlermeldung|fehlertext" +
		"|motivo errore|errore|messaggio di errore|alasan|alasan gagal|kesalahan|причина|ошибка|hata|失败原因|错误|エラー|失敗理由"},
	{roleID, "wamid|whatsapp_message_id|whatsapp message id|wa_message_id|meta message id|meta_message_id|message_id|messageid|message id|msg_id|msgid|bsp_message_id|provider_message_id|provider message id|external_id|external id|message_uuid|messageuuid|message uuid|umid|sid|message sid|messagesid|source_id" +
		"|tracking id|transaction id|transaction_id|uuid|guid|id da mensagem|id mensagem|id del mensaje|id mensaje|id du message|nachrichten-id|nachricht-id|id messaggio|id pesan|id"},
	{roleUser, "user_id|bsuid|recipient_user_id|business scoped user id"},
	{roleTemplate, "template|template_name|template name|template_id|modelo|nome do modelo|plantilla|nombre de plantilla|modèle|vorlage|modello|templat|шаблон|模板|テンプレート"},
	{roleText, "body|text|message|message text|message_text|content|message body|message content|msg|mensagem|texto|conteúdo|mensaje|contenido|contenu|texte|nachricht|inhalt|testo|messaggio|contenuto|pesan|isi pesan|сообщение|текст|mesaj|内容|消息|本文|メッセージ"},
	{roleCampaign, "campaign_id|campaign|campaign name|campaign_name|broadcast|broadcast_id|broadcast name|broadcast_name|bulk_message_reference|bulkid|bulk id|bulk_id|batch_id|batch|list|list_id|flow_id|campanha|nome da campanha|id da campanha|disparo|campaña|nombre de campaña|campagne|kampagne|campagna|kampanye"},
	{roleRow, "row|line|row number|row_number|row_id|line number|line_number|linha|fila|ligne|zeile|riga|baris|#|no|seq|sequence|position"},
	{roleJob, "job_id|job|task_id|request_id|idempotency_key|correlation_id|correlation id|client_ref|client_reference|local_message_id|reference|ref"},
	{roleClient, "user_agent|useragent|client|source system|source_system|system|api_key|created_by|sent by|sent_by|agent|usuário|operador|usuario|agente|benutzer"},
	{roleCategory, "category|message category|template category|conversation_category|pricing_category|categoria|categoría|catégorie|kategorie|kategori"},
	{roleDirection, "direction|message_direction|message direction|message_type|flow|way|sent_by_type|in/out|inbound/outbound|sentido|direção|dirección|sens|richtung|direzione|arah|type|tipo"},
	{roleHost, "host|hostname|instance|pod|container"},
	{roleRecord, "@message|meta_data|raw payload|raw_payload|webhook payload|payload|raw|request body|event_data|json|jsonpayload"},
}

// ErrMap is the reason why the text of a Map is refused.
var ErrMap = errors.New("column map is not readable")

// ParseMap reads at=created_at,recipient=phone. An empty header says that there is no such column; a comma in a header is written \,.
func ParseMap(text string) (Map, error) {
	m := Map{}
	const comma = "\x00"
	for part := range strings.SplitSeq(strings.ReplaceAll(text, `\,`, comma), ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		role, header, ok := strings.Cut(part, "=")
		role = strings.ToLower(strings.TrimSpace(role))
		if !ok || !slices.ContainsFunc(columns, func(c column) bool { return c.role == role }) {
			return nil, fmt.Errorf("%w: %q is no role=header; the roles are %s", ErrMap, strings.TrimSpace(part), strings.Join(roleNames(), ", "))
		}
		if _, twice := m[role]; twice {
			return nil, fmt.Errorf("%w: %s is given twice", ErrMap, role)
		}
		m[role] = strings.TrimSpace(strings.ReplaceAll(header, comma, ","))
	}
	return m, nil
}

// String is the text that ParseMap reads, with the roles in the order of their table.
func (m Map) String() string {
	var parts []string
	for _, role := range roleNames() {
		if header, ok := m[role]; ok {
			parts = append(parts, role+"="+strings.ReplaceAll(header, ",", `\,`))
		}
	}
	return strings.Join(parts, ",")
}

// roleNames are the roles in the order of the table.
func roleNames() []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.role
	}
	return names
}

// headerMeaning is what a header can mean, and how well it does: 0 is best.
type headerMeaning struct {
	role string
	rank int
}

var headerMeanings = indexColumns()

func indexColumns() map[string][]headerMeaning {
	m := map[string][]headerMeaning{}
	for _, c := range columns {
		rank := 0
		for h := range strings.SplitSeq(c.headers, "|") {
			f := foldHeader(h)
			m[f] = append(m[f], headerMeaning{c.role, rank})
			rank++
		}
	}
	return m
}

// foldHeader is the form in which headers are compared: lower case, letters and digits only, without Latin accents.
func foldHeader(s string) string {
	return plainLetters.Replace(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '@' || r == '#' {
			return unicode.ToLower(r)
		}
		return -1
	}, s))
}

// plainLetters takes the marks off Latin letters, and parts of a header that say nothing.
var plainLetters = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "ì", "i", "î", "i", "ï", "i",
	"ñ", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ö", "o", "ú", "u", "ù", "u", "û", "u", "ü", "u", "ş", "s", "ğ", "g", "ı", "i")

// roles is which column (from 0) plays which role.
type roles map[string]int

// rolesOf finds the roles of a header row by meaning: the best header of each role, the first of equals. A column plays one role.
func rolesOf(header []string) roles {
	type claim struct {
		headerMeaning
		column int
	}
	var claims []claim
	for i, h := range header {
		for _, m := range headerMeanings[foldHeader(h)] {
			claims = append(claims, claim{m, i})
		}
	}
	slices.SortStableFunc(claims, func(a, b claim) int {
		if a.role == b.role {
			return a.rank - b.rank
		}
		return roleOrder[a.role] - roleOrder[b.role]
	})
	found, taken := roles{}, map[int]bool{}
	for _, c := range claims {
		if _, ok := found[c.role]; !ok && !taken[c.column] {
			found[c.role], taken[c.column] = c.column, true
		}
	}
	return found
}

// roleOrder is who chooses first where a header means several things: the particular before the general.
var roleOrder = func() map[string]int {
	order := map[string]int{}
	for i, role := range []string{roleSent, roleAccepted, roleDelivered, roleRead, roleFailed, roleRecipient, roleFrom, roleStatus, roleHTTP, roleCode, roleReason, roleID} {
		order[role] = i - 100
	}
	for i, name := range roleNames() {
		if order[name] == 0 {
			order[name] = i
		}
	}
	return order
}()

// headerSearch is how many rows may stand above the header: titles, dates and names of a report.
const headerSearch = 20

// findHeader is the row, of the first ones, whose cells mean the most roles; -1: none means what a table of messages needs.
func findHeader(rows []lines.Record) (int, roles) {
	best, found := -1, roles(nil)
	for i, rec := range rows[:min(len(rows), headerSearch)] {
		r := rolesOf(rec.Fields)
		if len(r) >= 2 && len(r) > len(found) && (r.tell() || r.has(roleRecord) || presetOf(rec.Fields) != nil) {
			best, found = i, r
		}
	}
	return best, found
}

// has says whether a role is played.
func (r roles) has(role string) bool {
	_, ok := r[role]
	return ok
}

// timeRoles are the columns that hold times.
var timeRoles = []string{roleAt, roleAccepted, roleSent, roleDelivered, roleRead, roleFailed}

// hasTime says whether any column holds times.
func (r roles) hasTime() bool { return slices.ContainsFunc(timeRoles, r.has) }

// tell says whether a table with these columns can say who got what when.
func (r roles) tell() bool {
	return r.hasTime() && (r.has(roleRecipient) || r.has(roleID) || r.has(roleUser))
}
