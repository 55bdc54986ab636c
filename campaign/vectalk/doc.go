// Package vectalk sends a campaign's messages through Vectalk, a proxy of the WhatsApp Cloud API.
//
// Vectalk takes the platform's own body and gives the platform's own answers, codes and webhooks, so vectalk.go is the Cloud API's client at
// another address: the token, not the path, says which number sends. number.go reads the number's throughput level
// from Vectalk's list of numbers.
//
// Vectalk's public pages leave two things open, and Config has a field for each: whether paths begin with /api (samples of one page do, of
// another do not), and whether a recipient is written with its "+" (one page says without, while the platform advises to write it).
package vectalk
