// Package emulator is an [http.Handler] that behaves like the WhatsApp Cloud API and refuses by the published limits.
//
// A request flows through one file each: serve.go reads it, body.go and template.go check it, verdict.go judges it under one
// lock (pair.go and window.go count), fault.go may spoil it, journal.go writes it down. transport.go offers the same without sockets.
//
// The package is an oracle: it counts accepted messages in its own plain way and shares no limit arithmetic with the programs it judges.
// It listens to nothing and trusts nobody; whoever serves it keeps it on the loopback address.
package emulator
