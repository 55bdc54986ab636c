package webhook

import (
	"strings"
	"unicode"
)

// optOutWords are whole messages by which people say that they want nothing more, one row a language. They are written folded: see fold.
var optOutWords = []struct{ language, words string }{
	{"any", "stop|stopp|stop all|stopall|unsubscribe|unsub|opt out|optout"},
	{"English", "cancel|end|quit|revoke|remove me|remove|stop messages|stop promotions|stop sending|please stop|stop please|unsubscribe me"},
	{"Portuguese", "sair|parar|pare|cancelar|cancela|remover|remova|descadastrar|descadastre|nao quero|parar promocoes|parar mensagens|sair da lista|cancelar inscricao"},
	{"Spanish", "baja|de baja|darme de baja|dar de baja|alto|detener|parar|cancelar|salir|eliminar|no molestar|detener promociones|cancelar suscripcion"},
	{"French", "arret|arreter|arretez|stopper|desabonner|desabonnement|se desabonner|me desabonner|desinscrire|desinscription|annuler|arreter les promotions"},
	{"Italian", "annulla|cancella|cancellami|disiscrivi|disiscrivimi|disiscrizione|ferma|basta|esci|rimuovi"},
	{"German", "abmelden|abbestellen|austragen|beenden|stoppen|kuendigen|kundigen|aufhoren|aufhoeren"},
	{"Dutch", "afmelden|uitschrijven|stoppen"},
	{"Catalan", "atura|aturar|prou"},
	{"Romanian", "dezabonare|opreste|anulare"},
	{"Polish", "wypisz|wypisz mnie|rezygnuje|zatrzymaj"},
	{"Turkish", "dur|iptal|durdur|ret|listeden cik"},
	{"Indonesian and Malay", "berhenti|henti|batal|berhenti langganan"},
	{"Vietnamese", "huy|tu choi|dung"},
	{"Swahili", "acha|simama|ondoa"},
	{"Russian and Ukrainian", "стоп|отписаться|отписка|отмена|отписать|відписатися|скасувати"},
	{"Arabic", "توقف|ايقاف|الغاء|الغاء الاشتراك|قف"},
	{"Hebrew", "הסר|הסרה|הפסק|עצור"},
	{"Hindi", "बंद|बंद करो|रोकें|रोको"},
	{"Chinese", "退订|取消|停止|取消订阅|退訂|取消訂閱"},
	{"Japanese", "停止|配信停止|解除|ストップ"},
	{"Korean", "수신거부|중지|중단|그만"},
	{"Thai", "ยกเลิก|หยุด"},
}

// optOuts is the table as a set.
var optOuts = func() map[string]bool {
	set := map[string]bool{}
	for _, row := range optOutWords {
		for w := range strings.SplitSeq(row.words, "|") {
			set[fold(w)] = true
		}
	}
	return set
}()

// OptsOut says whether a text is, as a whole, a word by which people opt out, and which. Case, accents and punctuation do not matter; a sentence
// that only contains such a word is none.
func OptsOut(text string) (word string, ok bool) {
	if len(text) > 64 { // longer than any row of the table with its punctuation
		return "", false
	}
	word = fold(text)
	return word, optOuts[word]
}

// fold is a text in lower case without accents, with single spaces instead of all that is neither letter nor digit.
func fold(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range text {
		r = unicode.ToLower(r)
		switch {
		case unicode.Is(unicode.Mn, r) && !keptMarks(r), unicode.Is(unicode.Cf, r), r == 'ـ':
			continue // an accent of its own, an invisible character, a drawn-out Arabic letter
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteString(plain(r))
		default:
			gap = true
		}
	}
	return b.String()
}

// keptMarks are the signs that are letters in their scripts: without them a word of Hindi or Thai is another one.
func keptMarks(r rune) bool { return unicode.In(r, unicode.Devanagari, unicode.Thai) }

// accents are letters with their accents, behind the plain one.
var accents = func() map[rune]string {
	m := map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'أ': "ا", 'إ': "ا", 'آ': "ا", 'ى': "ي"}
	for _, row := range []string{"aàáâãäåāăąạảấầẩẫậắằẳẵặ", "cçćčĉ", "dđď", "eèéêëēėęěẹẻẽếềểễệ", "gğģ", "iìíîïīįıỉịĩ", "lłľļ", "nñńňņ", "oòóôõöøōőọỏốồổỗộớờởỡợơ", "rřŕ",
		"sśšşș", "tťţț", "uùúûüūůűųụủứừửữựưũ", "yýÿỳỷỹỵ", "zźżž"} {
		letters := []rune(row)
		for _, r := range letters[1:] {
			m[r] = string(letters[0])
		}
	}
	return m
}()

func plain(r rune) string {
	if s, ok := accents[r]; ok {
		return s
	}
	return string(r)
}
