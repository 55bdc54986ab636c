package normalize

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Role is what a column is for.
type Role string

// The roles of columns that are found by their header.
const (
	RolePhone       Role = "phone"
	RoleName        Role = "name"
	RoleCountry     Role = "country"
	RoleLanguage    Role = "language"
	RoleConsent     Role = "consent"
	RoleLastInbound Role = "last-inbound"
)

// The ranks of phone columns, best first. A loose header such as "number" counts only where no better one exists.
const (
	rankWhatsApp = iota + 1
	rankMobile
	rankPhone
	rankOther
	rankLoose
)

// The kinds of consent columns: what a yes in the cell means.
const (
	consentGiven       = iota + 1 // yes: may be written to
	consentWithdrawn              // yes: must not be
	consentState                  // the cell names the state; any other value is a doubt
	consentMaybe                  // the same, but the column may be about something else: other values are passed over
	consentElsewhere              // as consentGiven, but for e-mail or SMS
	withdrawnElsewhere            // as consentWithdrawn, but for e-mail or SMS
)

// headerRow says what headers mean. Headers are written as people write them, with | between; they are compared in folded form.
type headerRow struct {
	role    Role
	kind    int // rank of a phone column, kind of a consent column
	headers string
}

// headerTable is every header that is known, by language within a row: tools and English, Portuguese, Spanish, French, German,
// Italian, Indonesian, Hindi, Arabic, others.
var headerTable = []headerRow{
	{RolePhone, rankWhatsApp, "whatsapp|whatsapp number|whatsapp phone number|whatsapp phone|whatsapp no|wa|wa_id|wa number|URN:whatsapp" +
		"|zap|wpp|telefone / whatsapp|celular (whatsapp)|whatsapp (celular)|número de whatsapp|número do whatsapp|telefone whatsapp|celular whatsapp" +
		"|teléfono whatsapp|número whatsapp|whatsapp nummer|numero whatsapp|no_wa|nomor_wa|No. HP/WA|no whatsapp|nomor whatsapp|व्हाट्सएप नंबर|رقم الواتساب|واتساب"},
	{RolePhone, rankMobile, "mobile|mobile number|mobile_no|mobile phone|mobile phone number|cell|cell phone|cell phone number|cell number|_MobileNumber|msisdn|SMS phone number" +
		"|celular|telefone celular|número de celular|telemóvel|cel|móvil|teléfono móvil|teléfono celular|número de móvil" +
		"|portable|téléphone portable|numéro de portable|n° de portable|GSM|mobil|handy|handynummer|mobilnummer|mobiltelefon|cellulare|telefono cellulare|cell." +
		"|no_hp|nomor_hp|hp|मोबाइल नंबर|मोबाइल|رقم الجوال|الجوال|موبايل|моб.|мобильный|cep telefonu|cep|手机|手机号|手机号码|携帯|携帯電話"},
	{RolePhone, rankPhone, "phone|phone number|phone no|telephone|telephone number|tel|contact number|customer_phone|URN:Tel|home phone|work phone|business phone|primary phone|main phone" +
		"|telefone|número de telefone|fone|DDD+telefone|telefone com DDD|teléfono|número de teléfono|téléphone|tél|numéro de téléphone|telefon|telefonnummer|rufnummer" +
		"|telefono|numero di telefono|telepon|nomor_telepon|no_telp|no_telepon|फ़ोन नंबर|संपर्क नंबर|رقم الهاتف|الهاتف|телефон|номер телефона|电话|电话号码|電話|電話番号"},
	{RolePhone, rankOther, "default address phone|address phone|billing phone|shipping phone|company phone|company main phone|other phone|assistant's phone|assistant phone" +
		"|emergency phone|emergency contact phone|spouse phone|relation phone|guardian phone|parent phone|telefone de emergência|telefone do responsável|teléfono de emergencia"},
	{RolePhone, rankLoose, "number|to|recipient|destination|identifier|channelContactId|contact|número|nº|contato|nro|contacto|numéro|nummer|numero|kontak|nomor"},

	{RoleName, 0, "name|full name|first name|last name|given name|family name|customer_name|contact|nome|nome completo|cliente|contato|razão social|nombre|nombres|nombre completo|contacto|apellidos" +
		"|nom|prénom|nom et prénom|client|raison sociale|vorname|nachname|cognome|nama|nama_lengkap|nama_pelanggan|pembeli|नाम|الاسم|имя|ad soyad|姓名|氏名"},
	{RoleCountry, 0, "country|country code|country/region|default address country code|default address country|country name|país|DDI|pais|pays|land|paese|nazione|negara|देश|الدولة|البلد|страна|ülke|国家|国"},
	{RoleLanguage, 0, "language|lang|locale|_Locale|languageCode|preferred language|idioma|língua|langue|sprache|lingua|bahasa|भाषा|اللغة|язык|dil|语言|言語"},
	{RoleLastInbound, 0, "last_inbound_at"},

	{RoleConsent, consentGiven, "subscribed|opt_in|opted_in|consent|whatsapp consent|whatsapp opt in|chatAllowed|accepts whatsapp|accepts whatsapp marketing|aceita whatsapp|aceita receber|consentimento|consentimiento|acepta whatsapp|consentement|einwilligung|consenso"},
	{RoleConsent, consentWithdrawn, "opt_out|opted_out|OptOut_Date|unsubscribed|unsubscribe|whatsapp opt out|do not contact|DNC|blocklist|blocked|suppressed|STOP" +
		"|descadastrado|não perturbe|bloqueado|cancelado|baja|dado de baja|no contactar|désabonné|désinscrit|ne pas contacter|abgemeldet|widerspruch|gesperrt|disiscritto|berhenti langganan|सदस्यता समाप्त|إلغاء الاشتراك|退订|отписан|отписался|abonelikten çıktı|配信停止"},
	{RoleConsent, consentState, "whatsapp_subscription_status|subscription_status|whatsapp status|opt in status|consent status"},
	{RoleConsent, consentMaybe, "status|_Status"},
}

// elsewhere and one of the other two mark a consent column of another channel, such as "Unsubscribed from all email".
var (
	elsewhere    = []string{"email", "mail", "sms", "newsletter"}
	consentWords = []string{"subscri", "optin", "optedin", "accept", "marketing", "consent"}
	leavingWords = []string{"unsubscri", "optout", "optedout", "descadastr", "desinscri", "desabonn"}
)

// meaning is one thing a header can mean.
type meaning struct {
	role Role
	kind int
}

var meanings = sync.OnceValue(indexHeaders)

func indexHeaders() map[string][]meaning {
	m := map[string][]meaning{}
	for _, row := range headerTable {
		for h := range strings.SplitSeq(row.headers, "|") {
			known := func(x meaning) bool { return x.role == row.role } // another language has the same word; the better rank came first
			if f := fold(h); !slices.ContainsFunc(m[f], known) {
				m[f] = append(m[f], meaning{row.role, row.kind})
			}
		}
	}
	return m
}

// meaningsOf is what a header can mean: "phone 2" what "phone" means, "Phone 2 - Value" (Google) a phone.
func meaningsOf(header string) []meaning {
	f := fold(header)
	if m := meanings()[f]; m != nil {
		return m
	}
	if stem, ok := strings.CutSuffix(f, "value"); ok && trimDigits(stem) == "phone" && stem != "phone" {
		return []meaning{{RolePhone, rankPhone}}
	}
	if containsAny(f, elsewhere) {
		switch {
		case containsAny(f, leavingWords):
			return []meaning{{RoleConsent, withdrawnElsewhere}}
		case containsAny(f, consentWords):
			return []meaning{{RoleConsent, consentElsewhere}}
		}
	}
	var out []meaning
	for _, m := range meanings()[trimDigits(f)] {
		if m.role == RolePhone {
			out = append(out, m)
		}
	}
	if out == nil && containsAny(f, phoneWords) && !containsAny(f, aboutPhones) {
		out = []meaning{{RolePhone, rankOther}}
	}
	return out
}

// phoneWords in a header that is not known make it somebody's or some place's phone; aboutPhones make it say something about one.
var (
	phoneWords  = []string{"phone", "whatsapp", "mobile", "telefon", "telefono", "celular", "movil", "telemovel", "handynummer", "cellulare", "nohp", "notelp", "телефон", "手机", "电话", "電話", "携帯", "الهاتف", "الجوال", "मोबाइल", "फ़ोन"}
	aboutPhones = []string{"type", "label", "model", "consent", "opt", "subscri", "status", "country", "code", "ext", "verified", "valid", "carrier", "date", "time", "last", "count", "email", "name", "nome", "nombre",
		"nom", "tipo", "operadora", "ddd", "ddi", "pais", "has", "tem", "brand", "marca", "message", "mensagem", "link", "note", "source", "error"}
)

// trimDigits takes a number of at most two digits off the end of a header.
func trimDigits(s string) string {
	short := strings.TrimRight(s, "0123456789")
	if len(s)-len(short) > 2 {
		return s
	}
	return short
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// accents are the Latin letters that are compared without their marks. Marks of other scripts are letters of their own and stay.
var accents = strings.NewReplacer(
	"á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "ì", "i", "î", "i", "ï", "i",
	"ñ", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ö", "o", "ú", "u", "ù", "u", "û", "u", "ü", "u", "ý", "y", "ÿ", "y", "ş", "s", "ğ", "g", "ı", "i")

// plainText says whether a text has nothing but ASCII.
func plainText(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldPlain is fold for ASCII, which most cells are.
func foldPlain(s string) string {
	b := make([]byte, 0, 32)
	for _, c := range []byte(s) {
		switch {
		case strings.IndexByte("_-.():/?# \t\n\v\f\r", c) >= 0:
		case 'A' <= c && c <= 'Z':
			b = append(b, c|0x20)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// fold is the form in which headers are compared: lower case, without spaces, punctuation and Latin accents.
func fold(s string) string {
	if len(s) <= 32 && plainText(s) {
		return foldPlain(s)
	}
	s = strings.ToLower(strings.TrimSpace(s))
	s = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c), c == '\ufeff', strings.ContainsRune("_-.():/?#°", c), 0x300 <= c && c <= 0x36f:
			return -1
		}
		return c
	}, s)
	return accents.Replace(s)
}
