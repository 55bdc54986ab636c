package wire

import "net/http"

// ParseProxied is ParseAnswer for a proxy with access keys of its own: its bare 401 counts as code 0, the platform's word for a refused token.
func ParseProxied(status int, body []byte) Answer {
	a := ParseAnswer(status, body)
	// A page or a cut body may be anybody's. Only whole JSON is the proxy's own word.
	if status == http.StatusUnauthorized && !a.HasCode && !a.HTML && !a.Cut && a.Title != "" {
		a.HasCode = true
	}
	return a
}
