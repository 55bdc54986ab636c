package readlog

import (
	"maps"
	"regexp"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// look is what cells of one kind look like.
type look struct {
	role  string
	share float64 // of the cells that are not empty must look so
	fits  func(cell string) bool
}

// looks are tried in this order, each for the columns that are left; the best column wins.
var looks = []look{
	{roleRecord, 0.8, looksLikeRecord},
	{roleID, 0.5, func(s string) bool { return strings.HasPrefix(s, "wamid.") }},
	{roleAt, 0.8, looksLikeTime},
	{roleRecipient, 0.8, cellIsPhone},
	{roleStatus, 0.7, func(s string) bool { _, ok := statusOf(s); return ok && len(s) < 30 }},
	{roleCode, 0.8, func(s string) bool { n := digits(s); return n == len(s) && n >= 3 && n <= 6 }},
	{roleReason, 0.3, func(s string) bool { return codeInCell(s) > 0 }},
}

// looksLikeTime says whether a cell is a time by its looks alone. A count since 1970 must lie in years that logs are from.
func looksLikeTime(s string) bool {
	st, ok := (&clock{}).text(s)
	return ok && st.at.Year() >= 2009 && st.at.Year() <= 2033 && (digits(s) < len(s) || len(s) == 10 || len(s) == 13)
}

// cellIsPhone says whether a cell is a phone number or a chat id.
func cellIsPhone(s string) bool {
	n, ok := party(s)
	return ok && isPhoneText(n)
}

// looksLikeRecord says whether a cell holds what the platform posts, or a record around it.
func looksLikeRecord(s string) bool {
	return (strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")) && (strings.Contains(s, `"entry"`) || strings.Contains(s, `"statuses"`) || strings.Contains(s, `"messaging_product"`))
}

// columnBy is the column that no role has yet and that looks most like l; -1: none does.
func columnBy(l look, rows []lines.Record, width int, taken roles) int {
	best, bestShare := -1, 0.0
next:
	for i := range width {
		for _, c := range taken {
			if c == i {
				continue next
			}
		}
		fit, all := 0, 0
		for _, r := range rows {
			if i >= len(r.Fields) {
				continue
			}
			if s := unwrapCell(r.Fields[i]); s != "" {
				all++
				if l.fits(s) {
					fit++
				}
			}
		}
		if share := float64(fit) / float64(max(all, 1)); share >= l.share && share > bestShare {
			best, bestShare = i, share
		}
	}
	return best
}

// findByLooks gives two roles to columns whose cells leave no doubt: platform message ids, and records.
func (t *table) findByLooks(rows []lines.Record) {
	for _, l := range looks[:2] {
		if _, named := t.options.Map[l.role]; named {
			continue
		}
		others := roles{}
		for role, c := range t.cols {
			if role != l.role && role != roleText && role != roleReason && l.role != roleRecord { // cells that hold records are nothing else, whatever their header says
				others[role] = c
			}
		}
		if i := columnBy(l, rows, len(t.header), others); i >= 0 {
			maps.DeleteFunc(t.cols, func(_ string, c int) bool { return c == i })
			t.cols[l.role] = i
			continue
		}
		if l.role == roleRecord && t.preset == nil {
			delete(t.cols, roleRecord) // a header may promise more than its cells hold
		}
	}
}

// ofLogLines says whether a table is an export of a log, with a column of lines that can be about messages, and gives that column its role.
func (t *table) ofLogLines(rows []lines.Record) bool {
	best, most := -1, 0
	for i := range t.header {
		n := 0
		for _, r := range rows {
			if i < len(r.Fields) && isLogLine(r.Fields[i]) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		return false
	}
	maps.DeleteFunc(t.cols, func(_ string, c int) bool { return c == best })
	t.cols[roleRecord] = best
	return true
}

// lineMarks are what only a line about messages has in it.
var lineMarks = regexp.MustCompile(`wamid\..*\s|\{.*wamid\.|messaging_product|(?i:phone_?number_?id)|whatsapp_business_account`)

// isLogLine says whether a cell is a line of a log about a message, and not an id or the reason of a failure.
func isLogLine(cell string) bool {
	return lineMarks.MatchString(cell) || pairInText.MatchString(cell) && phoneText.MatchString(cell)
}

// proposal is the help for a table whose columns are not known: a --map line made of the headers that are, and of what the cells look like.
func proposal(rows []lines.Record, header []string, known roles) string {
	m := Map{}
	taken := roles{}
	for role, i := range known {
		m[role], taken[role] = strings.TrimSpace(header[i]), i
	}
	for _, l := range looks[1:] {
		if _, ok := taken[l.role]; ok || l.role == roleAt && taken.hasTime() {
			continue
		}
		if i := columnBy(l, rows, len(header), taken); i >= 0 {
			m[l.role], taken[l.role] = strings.TrimSpace(header[i]), i
		}
	}
	for _, role := range []string{roleAt, roleRecipient, roleCode} {
		_, ok := m[role]
		if _, id := m[roleID]; role == roleRecipient && id {
			continue // a message's id says whom it went to
		}
		if _, reason := m[roleReason]; !ok && (role != roleAt || !taken.hasTime()) && (role != roleCode || !reason) {
			m[role] = "COLUMN"
		}
	}
	var names []string
	for _, h := range header[:min(len(header), 40)] {
		names = append(names, strings.TrimSpace(h))
	}
	return "no columns with time and recipient of messages are known in this table (its header: " + strings.Join(names, ", ") + "). Say which are which, for example: --map '" + strings.ReplaceAll(m.String(), "'", `'\''`) + "'"
}
