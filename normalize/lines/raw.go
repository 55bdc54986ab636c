package lines

// Raw is the record as text of the file, with its quotes and without its line ending; empty for a row of a workbook.
func (r Record) Raw() string { return r.raw }
