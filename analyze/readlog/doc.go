// Package readlog reads message logs in whatever form they were exported, and yields what they show as events.
//
// One record goes this way: a source's bytes are unpacked and decoded (open.go), cut into records (jsoncut.go for JSON, a text line, a table
// row), each record is taken out of the layers that its way wrapped around it (unwrap.go: CloudWatch, Docker, n8n and so on, one row each in
// a table) and then recognised (recognise.go: webhook, API record, provider, one row each in a table). Everything is decided record by record,
// so that mixed files work; the source is named after the form that most of its records had.
//
// The shared words stand in record.go: a record, an instant, the reasons for which a line is skipped, and a pass over one source. Text logs
// (textlog*.go), flat tables (table*.go, presets.go) and dumps of databases (sql*.go) end in the same words. To add a shape, add a row to one of the tables and a sample.
//
// Most large logs are webhooks, one a line, and are read about a hundred times faster: a text is cut into blocks (blocks.go), two goroutines match their
// lines with templates of lines that the decoder has read (quick*.go), and the cutter takes what they found in its turn (blockread.go), line by line
// where nothing matched. An index of the blocks (blockindex.go) lets the second pass read only what it needs; of packed sources and streams the blocks
// are kept in a temporary file (spool.go). What the quick way finds is what the decoder finds: each template is tried against it before it is used.
package readlog
