package normalize

import (
	"strings"
	"sync"
)

// The answers that a consent cell can give.
const (
	saysNothing = iota
	saysYes     // yes to what the header asks
	saysNo
	saysIn  // opted in, whatever the header asks
	saysOut // opted out, whatever the header asks
	saysUnread
)

// answerWords are the cell values of consent columns, with | between, compared in folded form.
var answerWords = map[int]string{
	saysYes: "yes|y|true|1|x|✓|✔|on|sim|s|verdadeiro|sí|si|verdadero|oui|o|vrai|ja|j|wahr|vero|ya|iya|हाँ|हां|نعم|да|evet|是|はい",
	saysNo:  "no|n|false|0|off|não|falso|non|faux|nein|falsch|tidak|नहीं|لا|нет|hayır|否|いいえ",
	saysIn:  "opt_in|opted in|subscribed|subscribe|agreed|accepted|active|同意|订阅|ativo|activo|aceito|aceptado|inscrito|abonné|angemeldet|iscritto",
	saysOut: "opt_out|opted out|unsubscribed|unsubscribe|withdrawn|declined|refused|stop|blocked|suppressed|inactive|退订|descadastrado|cancelado|bloqueado|inativo|inactivo|baja|de baja|désabonné|désinscrit|abgemeldet|gesperrt|disiscritto|saiu|sair",
}

var answers = sync.OnceValue(indexAnswers)

func indexAnswers() map[string]int {
	m := map[string]int{}
	for says, words := range answerWords {
		for w := range strings.SplitSeq(words, "|") {
			m[fold(w)] = says
		}
	}
	return m
}

// answer reads a consent cell.
func answer(cell string) int {
	if strings.TrimSpace(cell) == "" {
		return saysNothing
	}
	if says, ok := answers()[fold(cell)]; ok {
		return says
	}
	return saysUnread
}

// optedOut says what an answer means under its column: whether the recipient opted out, and whether the cell could be read.
func optedOut(kind, says int) (out, read bool) {
	switch says {
	case saysNothing, saysIn:
		return false, true
	case saysOut:
		return true, true
	case saysUnread:
		return false, kind != consentGiven && kind != consentWithdrawn && kind != consentState
	}
	if kind == consentWithdrawn || kind == withdrawnElsewhere {
		return says == saysYes, true
	}
	return says == saysNo, true
}

// consentFindings are what the consent columns say about a row. A cell that cannot be read holds the row back: in doubt nobody is written to.
func (h *hand) consentFindings(fields []string) []Finding {
	var found []Finding
	for _, col := range h.l.columns.consents {
		if col.index >= len(fields) {
			continue
		}
		cell := fields[col.index]
		out, read := optedOut(col.kind, h.answers.of(cell, answer))
		switch {
		case !read:
			f := Found("opted-out", cell).as(Error, "it cannot be read whether the recipient opted out: "+short(cell))
			found = append(found, f.in(col.index, cell))
		case !out:
		case col.kind == consentElsewhere, col.kind == withdrawnElsewhere:
			found = append(found, Found("consent-other-channel", cell).in(col.index, cell))
		default:
			found = append(found, Found("opted-out", cell).in(col.index, cell))
		}
	}
	return found
}
