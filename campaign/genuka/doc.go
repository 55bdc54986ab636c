// Package genuka sends a campaign's messages through Genuka WA, which passes them on to the WhatsApp Cloud API in a body of its own.
//
// A step becomes the platform's message with connectionId in place of a number in the path (genuka.go). The answer holds the platform's
// under data, or a refusal in error, message and meta.code (answer.go). The request itself is made by the Cloud API's client.
//
// What Genuka WA publishes is short. Known are the path, the key in the header, connectionId and to, and where success and failure stand.
// Not known, and so open to change: the path on another installation and whether to has a "+" (Config), the rest of the body (taken to be
// the platform's own), the place of the message's id inside data (looked for under every usual name). Nothing says that the platform's
// callback data is passed on, so none is sent: a message whose answer never came stays uncertain, and no webhook can settle it.
package genuka
