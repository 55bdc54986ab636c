// Package cloudapi sends a campaign's messages through the official WhatsApp Cloud API.
//
// A step becomes a body (body.go), the body one HTTP exchange that is never repeated and never redirected (exchange.go, over the
// connections of transport.go), and what came back becomes an answer (judge.go).
package cloudapi
