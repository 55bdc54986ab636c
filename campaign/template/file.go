package template

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
)

// File is what a medium holds, found out by looking into it.
type File struct {
	Type string // MIME type by content, such as "image/png"; "application/octet-stream" for what nobody knows
	Odd  string // why the platform would not take it although the type is right, such as 16 bits a channel; empty for nothing
	Size int64  // bytes
	Sum  string // SHA-256 in hexadecimal
}

// The kinds of media by what they hold. A document of its own may be anything but a web page or a program's picture of an error.
var (
	image       = mediaKind{"an image is JPEG or PNG", []string{".jpg", ".jpeg", ".png"}, 5 * megabyte, []string{"image/jpeg", "image/png"}}
	video       = mediaKind{"a video is MP4 or 3GP", []string{".mp4", ".3gp"}, 16 * megabyte, []string{"video/mp4", "video/3gpp"}}
	pdf         = mediaKind{"the document in a template's header is PDF", []string{".pdf"}, 100 * megabyte, []string{"application/pdf"}}
	anyDocument = mediaKind{takes: "a document is a file and no web page", bytes: 100 * megabyte}
)

// places are where a message carries a medium, as Message.Medium names them.
var places = map[string]mediaKind{
	TypeImage: image, TypeVideo: video, TypeDocument: anyDocument,
	"header." + TypeImage: image, "header." + TypeVideo: video, "header." + TypeDocument: pdf,
}

// LargestFile is the most bytes that a medium in this place may have; 0 for what is no place.
func LargestFile(place string) int64 { return places[place].bytes }

// JudgeFile says why a file cannot go out in this place of a message, for people; empty when it can.
func JudgeFile(place string, f File) string { return places[place].judge(f).detail }

func (k mediaKind) judge(f File) verdict {
	switch {
	case k.bytes > 0 && f.Size > k.bytes:
		return verdict{mediaTooLarge, tooLarge(f.Size, k.bytes)}
	case f.Size == 0:
		return verdict{mediaType, "the file is empty"}
	case k.types == nil && f.Type == "text/html", k.types != nil && !slices.Contains(k.types, f.Type):
		return verdict{mediaType, "the file is " + f.Type + " by its content, and " + k.takes}
	case f.Odd != "":
		return verdict{mediaType, "the file has " + f.Odd + ", which the platform refuses"}
	}
	return verdict{}
}

// tooLarge is the words for a file over its place's size.
func tooLarge(size, most int64) string {
	return fmt.Sprintf("the file has %.1f MB; at most %d MB are allowed", math.Ceil(float64(size)/megabyte*10)/10, most/megabyte)
}

// fileMark begins the value of a medium that is a local file: its sum, ":" and the path follow. No cell can pose as one: shapeMedia takes no
// such scheme.
const fileMark = "file:"

// fit is a slot's form with local files: flag is the one that names the value, empty when none does and the file must not leave.
func (c *Content) fit(s *slot, flag, v string) (string, verdict) {
	clean, found := s.form.judge(v)
	if found.rule != mediaUnsupported || flag == "" || c.files == nil {
		return clean, found
	}
	path := strings.TrimSpace(v)
	if !isPath(path) {
		return clean, found
	}
	f, err := c.files(flag, path)
	if err != nil {
		return "", verdict{mediaUnsupported, shown(path) + ": " + err.Error()}
	}
	if found := places[s.key].judge(f); found.rule != fine {
		return "", verdict{found.rule, shown(path) + ": " + found.detail}
	}
	return fileMark + f.Sum + ":" + path, verdict{}
}

// isPath says whether a value that is no link names a file: whatever begins with the name of a scheme does not.
func isPath(v string) bool {
	scheme, _, found := strings.Cut(v, ":")
	if !found || len(scheme) == 1 || strings.ContainsAny(scheme, `/\`) {
		return true
	}
	u, err := url.Parse(scheme + ":x")
	return err != nil || u.Scheme == ""
}
