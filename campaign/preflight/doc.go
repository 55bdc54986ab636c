// Package preflight judges, before anything is sent, what the platform says about the number, its account, the templates and the media.
//
// Whoever reads fills in Readings (readings.go). Judge takes them through one table of checks (checks.go), with the words for each of the
// platform's values in values.go, templates in templates.go and media in media.go. Nothing here reads, waits or sends.
package preflight
