package normalize

// fileRules are the rules about files, sheets and what a workbook's cells are. Their names come from the reader too.
var fileRules = []Rule{
	{"encoding-guessed", Warning, "%s", "export the list again as UTF-8"},
	{"cr-line-endings", Info, "%s", ""},
	{"sep-line", Info, "%s", ""},
	{"bare-quote", Warning, "%s", "put the whole field in quotes and write each quote in it twice (\"\")"},
	{"unclosed-quote", Error, "%s", "close the quote, or write it twice (\"\") where it is part of the text"},
	{"nul-byte", Warning, "%s", "export the list again: the file is damaged there"},
	{"no-header", Warning, "the list has no header line; numbers are taken from %s", "add a header line, for example name,phone"},
	{"rows-before-header", Warning, "rows before the header, which are left out: %d (the header is line %d)", "delete them"},
	{"blank-lines", Info, "blank lines, which are no rows: %d", ""},
	{"duplicate-header", Warning, "the header %s stands in column %d too; only the first column counts where it is named", "give the columns different names"},
	{"no-phone-column", Error, "no column has a header that means a phone number", "name it with --phone-column"},
	{"ambiguous-phone-column", Error, "several columns may hold the phone number", "say which one counts with --phone-column"},

	{"more-sheets", Warning, "the sheet %s has a phone column too; only %s is read", "save it as a list of its own"},
	{"sheet-without-phone-column", Info, "the sheet %s has no phone column; it is left out", ""},
	{"hidden-row", Warning, "%s; it is read all the same", "delete hidden rows that are not meant"},
	{"mixed-countries", Warning, "numbers without a country code were read for %s (%d of %d), but %d belong to other countries (%s)", "write all numbers with + and their country code, or add a country column"},
	{"formula-without-value", Error, "the cell is a formula whose result is not in the file", "open the workbook in a spreadsheet program and save it, or paste the column as values"},
	{"date-cell", Error, "the spreadsheet holds %s as a date", typeText},
}
