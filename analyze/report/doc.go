// Package report shows what an analysis found: one analyze.Report goes in, one face for people or for programs comes out.
//
// Programs read Write (write.go), and Read (read.go) is its way back. People read Text (text.go) in a terminal or WriteHTML (html.go)
// in a browser. Both tell the same story (story.go): ranked incidents, each with its timeline (timeline.go), which draw.go
// draws with characters and svg.go with shapes.
//
// A log is a stranger's text. WithTexts (texts.go) is where a caller masks numbers and neutralises what could steer a terminal,
// before any face sees them; the page escapes for HTML by itself.
package report
