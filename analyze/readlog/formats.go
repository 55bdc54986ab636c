package readlog

import (
	"cmp"
	"maps"
	"slices"
)

// The forms that are recognised by what a record holds; the layers around it and the tables have their names in their own rows.
const (
	formWebhook   = "cloud-api-webhook"
	formMixed     = "mixed-api-and-webhook"
	formEmpty     = "empty"
	formUnknown   = "unknown"
	formOwnLog    = "wactl-log"
	formJournal   = "wactl-journal"
	formCRI       = "kubernetes-cri"
	formPlatform  = "platform-lines"
	formAPI       = "api-log-json"
	formPino      = "api-log-pino"
	formWinston   = "api-log-winston"
	formZap       = "api-log-zap"
	formStructlog = "api-log-structlog"
)

// sameForm are other names that --log-format takes.
var sameForm = map[string]string{
	"meta-webhook":                     formWebhook,
	"meta-webhook-jsonl":               formWebhook,
	"meta-webhook-pretty-concatenated": formWebhook,
	"api-log":                          formAPI,
}

// apiForms are the records of a sender's own log. A source that holds them and webhooks is a mixed one.
var apiForms = map[string]bool{formAPI: true, formPino: true, formWinston: true, formZap: true, formStructlog: true}

// textForms are the names that readers of text give.
var textForms = []string{formLogfmt, formText, formInspect, formPython, formRails, formLaravel, formProxy, formAccess, formPrintR, formLogsTail, formCRI, formPlatform}

// Formats is every name that a source's format can have and that Options.Format takes, sorted.
func Formats() []string {
	names := append(slices.Collect(maps.Keys(apiForms)), formWebhook, formMixed, formTable, formUnknownTable, formSQL)
	names = append(names, textForms...)
	for _, s := range shapes {
		names = append(names, s.format)
	}
	for _, f := range resources {
		names = append(names, f.format)
	}
	for _, w := range wrappings {
		names = append(names, w.format)
	}
	for _, t := range presets {
		names = append(names, t.format)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// formatOf names a source after the form that most of its records had.
func formatOf(records map[string]int) string {
	api := 0
	for form, n := range records {
		if apiForms[form] {
			api += n
		}
	}
	names := slices.Sorted(maps.Keys(records))
	if len(names) == 0 {
		return formUnknown
	}
	for _, form := range []string{formAccess, formPrintR, formUnknownTable, formText} { // what cannot be judged, and then plain sentences, stand in many a log: another form says more
		if i := slices.Index(names, form); i >= 0 && len(names) > 1 {
			names = slices.Delete(names, i, i+1)
		}
	}
	most := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(records[a], records[b]) }) // the first of equals
	if api > 0 && records[formWebhook] > 0 && (most == formWebhook || apiForms[most]) {
		return formMixed
	}
	return most
}
