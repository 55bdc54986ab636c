package normalize

// The rules about rows that several rooms name, since a campaign judges its rows by them too.
const (
	Duplicate         = "duplicate"
	DuplicateConflict = "duplicate-conflict"
	Suppressed        = "suppressed"
)

// What to do, where several rules of rows say the same.
const (
	oneRow    = "leave one row for each person, or say which counts: --keep first or --keep last with normalize, --duplicates with send"
	mendCell  = "correct the cell"
	fillValue = "fill the cell, or give a value for empty ones with --default KEY=VALUE when you send"
)

// rowRules are the rules that need more than one phone cell: other rows, other lists, other columns, limits.
var rowRules = []Rule{
	{Duplicate, Warning, "same recipient as line %d (%s)", ""},
	{DuplicateConflict, Error, "same recipient as line %d (%s), with other content", oneRow},
	{"possible-duplicate", Warning, "perhaps the same recipient as line %d (%s), written with or without Argentina's 9", "write mobile numbers as +54 9 …"},
	{Suppressed, Error, "the recipient is on the list of opt-outs (%s)", ""},

	{"param-looks-like-serial", Warning, "%s looks like a spreadsheet's number of a day, %s", "format the column as text and write the date out"},
	{"text-outside-window", Error, "the recipient last wrote more than 24 hours ago: only a template may be sent", "send a template to them"},
	{"media-link", Warning, "%s by link, which the platform fetches again and again", "upload the medium once and send id:MEDIA_ID"},

	{"mojibake", Warning, "the text was read in a wrong encoding before; it should be %s", "export the list again as UTF-8"},
	{"formula-injection", Warning, "a spreadsheet takes this cell for a formula", "wactl normalize --safe-cells makes it plain text"},

	{"tier-exceeded", Warning, "%d recipients need %d windows of 24 hours at %d each", "send in parts, or ask for a higher messaging limit"},
	{"pair-debt", Warning, "message %d to the recipient of line %d: it goes %s after the first at the earliest", "put what one person is to read into one message"},
}

// contentRules are the rules of values and messages, as the template room names them in its faults.
var contentRules = []Rule{
	{"param-missing", Error, "nothing gives this value", "add a column, or name one with --param KEY=COLUMN"},
	{"param-extra", Warning, "the template takes no such value; it is left out", "leave the column out"},
	{"param-empty", Error, "the value is empty, and the platform refuses empty values", fillValue},
	{"param-newline", Error, "a line break; the platform refuses it in a parameter", mendCell},
	{"param-tab", Error, "a tab; the platform refuses it in a parameter", mendCell},
	{"param-spaces", Error, "more than 4 spaces in a row; the platform refuses them in a parameter", mendCell},
	{"param-too-long", Error, "the value is too long", "shorten it"},
	{"param-not-utf8", Error, "bytes that are no UTF-8 text", "save the list as UTF-8"},
	{"param-spreadsheet-error", Error, "a spreadsheet's error instead of a value", mendCell},
	{"param-unfilled-placeholder", Warning, "the value still holds a {{placeholder}}, and it would go out as it stands", mendCell},
	{"text-too-long", Error, "the text is too long", "shorten it"},
	{"caption-too-long", Error, "the caption is too long", "shorten it"},
	{"media-missing", Error, "no medium: an https:// link or id:MEDIA_ID is needed", mendCell},
	{"media-unsupported", Error, "neither an https:// link nor id:MEDIA_ID, nor a local file that a flag names", ""},
	{"media-type", Error, "the link, or the file itself, is of another kind", "use JPEG or PNG as image, MP4 or 3GP as video, PDF in a template's header"},
	{"media-too-large", Error, "the file is larger than the platform takes", "make the file smaller"},
	{"template-name", Error, "a template name has only a-z, 0-9 and _, at most 512 of them", mendCell},
	{"language-code", Error, "a language code looks like en, en_US or pt_BR", mendCell},
	{"coupon-code", Error, "a coupon code has only letters and digits", mendCell},
	{"content-missing", Error, "no template, text or medium in this row", mendCell},
	{"content-conflict", Error, "more than one kind of content in this row", "fill one of them"},
}
