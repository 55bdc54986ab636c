package normalize

import (
	"net/url"
	"strings"
)

// foreignIDs are the ids of WhatsApp that name no phone number.
var foreignIDs = []struct{ suffix, rule string }{
	{"@lid", "lid-not-phone"}, {"@hosted.lid", "lid-not-phone"}, {"@g.us", "group-id"}, {"@broadcast", "broadcast-id"}, {"@newsletter", "newsletter-id"},
}

// personalID is the id of a person; what stands behind the digits tells devices apart.
var personalID = pattern(`^\+?(\d+)(?:[._]\d+)?(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$`)

// whatsAppID takes the number out of a person's id and refuses all other ids, whatever digits they hold.
func whatsAppID(t *text) *refusal {
	if !strings.Contains(t.s, "@") {
		return nil
	}
	lower := strings.ToLower(t.s)
	for _, id := range foreignIDs {
		if strings.HasSuffix(lower, id.suffix) {
			return refuse(Found(id.rule))
		}
	}
	m := personalID().FindStringSubmatch(lower)
	if m == nil {
		return refuse(Found("not-a-phone-number", short(t.s)))
	}
	t.s, t.plus, t.id = m[1], true, true
	return nil
}

var (
	anyLink  = pattern(`(?i)\b(?:[a-z]+://|www\.|wa\.me/|(?:[a-z]+\.)?whatsapp\.com/)\S*`)
	shortURL = pattern(`(?i)^(?:https?://)?(?:www\.)?wa\.me/(?:c/)?([^/?#]+)/?(?:[?#].*)?$`)
	sendURL  = pattern(`(?i)^(?:(?:https?://)?(?:www\.|api\.|web\.)?whatsapp\.com/send/?|whatsapp://send/?)\?([^#]*)`)
	linked   = pattern(`^\s*\+?[0-9][0-9 ().-]*$`)
)

// link takes the number out of a click-to-chat link. Digits anywhere else in a link are none.
func link(t *text) *refusal {
	at := anyLink().FindStringIndex(t.s)
	if at == nil {
		return nil
	}
	if strings.ContainsAny(t.s[:at[0]]+t.s[at[1]:], "0123456789") && !strings.HasPrefix(t.s, t.s[at[0]:at[1]]) {
		return refuse(Found("multiple-numbers"))
	}
	number := ""
	whole := t.s[at[0]:]
	if m := shortURL().FindStringSubmatch(whole); m != nil {
		number, _ = url.PathUnescape(m[1])
	} else if m := sendURL().FindStringSubmatch(whole); m != nil {
		query, _ := url.ParseQuery(m[1]) // what can't be read is no number
		number = query.Get("phone")
	}
	if number = strings.ReplaceAll(number, "+-", "+"); !linked().MatchString(number) && !linked().MatchString(strings.Replace(number, "-", "", 1)) {
		return refuse(Found("link-without-number"))
	}
	if strings.TrimSpace(t.s[:at[0]]) != "" {
		t.note(Found("label-text").as(Warning, ""))
	}
	t.s, t.plus = number, true
	return nil
}

var (
	scheme  = pattern(`(?i)^(?:tel|sms|smsto|callto|whatsapp|phone):\+?[0-9(-]`)
	context = pattern(`(?i);phone-context=(\+[0-9.-]+)(?:;|$)`)
	extPart = pattern(`(?i);(?:ext|postd)=[^;]*`)
)

// uri takes the scheme and the parameters off a tel: address or the like.
func uri(t *text) *refusal {
	if !scheme().MatchString(t.s) {
		return nil
	}
	_, t.s, _ = strings.Cut(t.s, ":")
	number, params, _ := strings.Cut(t.s, ";")
	number, _, _ = strings.Cut(number, "?")
	if m := context().FindStringSubmatch(t.s); m != nil && !strings.HasPrefix(number, "+") {
		number = m[1] + number
	}
	if extPart().MatchString(";" + params) {
		t.note(Found("extension-dropped"))
	}
	t.s = number
	return nil
}
