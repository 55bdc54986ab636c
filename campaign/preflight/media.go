package preflight

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/wactl/wactl/campaign/template"
)

// ownHosts are hosts of the platform's own stores, by the end of their names. It does not fetch from them itself: a template's sample
// picture taken as a link is accepted, and fails later with 131053.
var ownHosts = []string{"fbcdn.net", "fbsbx.com", "whatsapp.net"}

// ownHost says whether a link leads to the platform's own store.
func ownHost(link string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	first, _, _ := strings.Cut(host, ".")
	return strings.HasPrefix(first, "scontent") || slices.ContainsFunc(ownHosts, func(own string) bool { return host == own || strings.HasSuffix(host, "."+own) })
}

// media judges every medium by what it is, and sums up what is fine.
func media(r Readings) []finding {
	switch {
	case !r.Campaign:
		return []finding{{verdict: Unknown, detail: "no campaign was named"}}
	case len(r.Links) == 0:
		return []finding{{verdict: OK, detail: "the campaign sends no link and no file"}}
	}
	samples := map[string]bool{}
	for _, t := range r.Templates {
		for _, s := range t.Samples {
			samples[s] = true
		}
	}
	sum := mediaSum{}
	for _, l := range r.Links {
		sum.add(l, samples[l.URL])
	}
	return sum.findings()
}

// mediaSum is what the campaign's media come to.
type mediaSum struct {
	bad           int
	first         finding // of the bad ones
	looked, plain int     // media whose content was seen, and links that nobody opened
	bytes         int64
	shared        int // messages that share a link which nobody uploads
}

func (s *mediaSum) add(l Link, sample bool) {
	why, advice := l.fault(sample)
	switch {
	case why != "":
		if s.bad++; s.bad == 1 {
			s.first = finding{verdict: Stop, code: 131053, detail: fmt.Sprintf("line %d: %s: %s", l.Line, shown(l.URL), why), advice: advice}
		}
	case l.File != nil:
		s.looked++
		s.bytes += l.File.Size
	default:
		s.plain++
		if l.Messages > 1 {
			s.shared += l.Messages
		}
	}
}

// fault is why a medium cannot go out, empty when it can, and what to do.
func (l Link) fault(sample bool) (why, advice string) {
	switch {
	case sample, !l.Local && ownHost(l.URL):
		return "it leads to the platform's own store, from which the platform itself cannot fetch", "use a link to your own server, or upload the file and write id:MEDIA_ID"
	case l.Err != nil:
		return l.Err.Error(), "mend the link, or leave --fetch-media out and let the platform fetch it"
	case l.File != nil:
		return template.JudgeFile(l.Place, *l.File), "use JPEG or PNG as image, MP4 or 3GP as video, PDF in a template's header"
	}
	return "", ""
}

func (s mediaSum) findings() (all []finding) {
	if s.bad > 0 {
		if s.bad > 1 {
			s.first.detail += fmt.Sprintf(", and %s more", count(s.bad-1))
		}
		all = append(all, s.first)
	}
	if s.looked > 0 {
		all = append(all, finding{verdict: OK, detail: fmt.Sprintf("%s of the right kind and size, %.1f MB together; each is uploaded once", plural(s.looked, "file"), float64(s.bytes)/(1<<20))})
	}
	if s.shared > 0 {
		all = append(all, finding{verdict: Warning, detail: fmt.Sprintf("%s messages share links, and the platform fetches a link again for every message", count(s.shared)),
			advice: "--fetch-media fetches each link once, looks at it and sends it by id"})
	}
	if s.plain > 0 {
		all = append(all, finding{verdict: Unknown, detail: fmt.Sprintf("%s that only the platform opens", plural(s.plain, "link")), advice: "--fetch-media fetches each link once and looks at it"})
	}
	return all
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}
