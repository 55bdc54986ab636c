package template

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// mediaKind is what a medium in one place of a message may be. No endings: every file is taken.
type mediaKind struct {
	takes   string   // for people
	endings []string // of its files
	bytes   int64    // of a file at most
	types   []string // what its files are, by content
}

// megabyte is how the platform's sizes are read. Where it counts in thousands, a file in between is refused by it and not by us.
const megabyte = 1 << 20

// fileEndings are endings that tell what a file is. Others, such as .php, say nothing about what the server gives.
var fileEndings = strings.Fields(".jpg .jpeg .png .gif .webp .avif .bmp .tif .tiff .svg .heic .heif .psd" +
	" .mp4 .3gp .mov .avi .mkv .webm .wmv .flv .mpg .mpeg .mp3 .m4a .aac .amr .ogg .opus .wav .flac" +
	" .pdf .txt .csv .rtf .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .zip .rar .7z")

// formOf is the form of a medium of one kind.
func formOf(k mediaKind) form {
	return form{empty: mediaMissing, limit: maxURL, tooLong: paramTooLong, bytes: k.bytes, shape: k.shape}
}

// shape is shapeMedia, and refuses a link to a file that is surely of another kind.
func (k mediaKind) shape(v string) (string, verdict) {
	v, found := shapeMedia(v)
	if found.rule != fine || len(k.endings) == 0 || strings.HasPrefix(v, "id:") {
		return v, found
	}
	if ending := k.wrongEnding(v); ending != "" {
		return "", verdict{mediaType, "the link ends in " + ending + ", and " + k.takes}
	}
	return v, verdict{}
}

// wrongEnding is the ending of a link to a file of another kind; empty where it is right, or nobody can tell.
//
// A link that names the right kind elsewhere, as in a.webp?format=jpg, is converted by its server: nobody can tell.
func (k mediaKind) wrongEnding(link string) string {
	link, _, _ = strings.Cut(link, "#")
	link, query, _ := strings.Cut(link, "?")
	_, link, _ = strings.Cut(link, "://")
	_, file, _ := strings.Cut(link, "/")
	ending := path.Ext(file)
	lower := strings.ToLower(ending)
	if slices.Contains(k.endings, lower) || !slices.Contains(fileEndings, lower) {
		return ""
	}
	words := strings.FieldsFunc(strings.ToLower(strings.TrimSuffix(file, ending)+"?"+query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if slices.ContainsFunc(words, func(w string) bool { return w == "auto" || slices.Contains(k.endings, "."+w) }) {
		return ""
	}
	return lower
}
