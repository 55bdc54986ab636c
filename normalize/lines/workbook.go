package lines

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

const zipMark = "PK\x03\x04"

// The bounds of a workbook, in bytes. A ratio over maxRatio in a part of more than smallPart is a zip bomb: real sheets stay below 50.
const (
	maxBook     = 256 << 20 // packed
	maxUnpacked = 4 << 30   // all parts together
	maxTexts    = 512 << 20 // the shared texts, which stay in memory
	maxPart     = 32 << 20  // every other part but the sheets
	maxRatio    = 200
	smallPart   = 4 << 20
)

// Sheet is one table of a workbook.
type Sheet struct {
	Name   string
	Hidden bool

	part string
}

// workbook is an XLSX file: its sheets are read as streams, its shared texts and formats are kept.
type workbook struct {
	path    string
	zip     *zip.Reader
	sheets  []Sheet // visible ones first
	texts   []string
	formats *formats
	sheet   *bounded // the sheet that is read
}

// zipKinds are files that are ZIP inside, by a part that gives them away.
var zipKinds = []struct{ part, name string }{
	{"xl/workbook.bin", "a binary Excel workbook (XLSB)"},
	{"content.xml", "an OpenDocument sheet (ODS)"},
	{"Index/Document.iwa", "an Apple Numbers sheet"},
	{"word/document.xml", "a Word document"},
	{"", "a ZIP archive"},
}

// openBook opens the file as a workbook, at its first sheet.
func (r *Reader) openBook(src io.Reader) error {
	all, err := io.ReadAll(io.LimitReader(src, maxBook+1))
	switch {
	case err != nil:
		return readError(r.Path, 0, err)
	case len(all) > maxBook:
		return &FileError{Path: r.Path, Err: ErrTooBig, Msg: "the workbook is larger than 256 MiB", Hint: saveAsCSV}
	}
	z, err := zip.NewReader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		return damaged(r.Path, "", err)
	}
	if err := checkSizes(r.Path, z.File); err != nil {
		return err
	}
	r.book = &workbook{path: r.Path, zip: z}
	r.Encoding = Workbook
	if err := r.book.open(); err != nil {
		return err
	}
	return r.Select(0)
}

// Sheets are the tables of a workbook, visible ones first; a text file has none.
func (r *Reader) Sheets() []Sheet {
	if r.book == nil {
		return nil
	}
	return r.book.sheets
}

// Select goes to the start of a sheet, by its index in Sheets.
func (r *Reader) Select(i int) error {
	f, err := r.book.part(r.book.sheets[i].part)
	if err != nil {
		return err
	}
	r.book.sheet = f
	r.ahead = nil
	r.closeInner()
	r.closeInner = func() { _ = f.Close() } // it was only read
	r.src = &sheet{book: r.book, name: r.book.sheets[i].Name, xml: xml.NewDecoder(f)}
	return nil
}

// checkSizes refuses a zip bomb by what its directory says; the unpacking stops where the directory lied.
func checkSizes(path string, parts []*zip.File) error {
	total := uint64(0)
	for _, p := range parts {
		total += p.UncompressedSize64
		bomb := p.UncompressedSize64 > smallPart && p.UncompressedSize64/maxRatio > p.CompressedSize64
		if bomb || total > maxUnpacked || p.UncompressedSize64 > maxUnpacked {
			return &FileError{Path: path, Err: ErrTooBig, Hint: saveAsCSV,
				Msg: fmt.Sprintf("the workbook unpacks to far more than its size (%s): it is a zip bomb or damaged", short(p.Name))}
		}
	}
	return nil
}

// short is a name from the file for a message.
func short(name string) string {
	const most = 60
	if len(name) > most {
		name = name[:most] + "…"
	}
	return fmt.Sprintf("%q", name)
}

// damaged is the refusal of a workbook that cannot be read.
func damaged(path, part string, err error) error {
	if e, ok := errors.AsType[*FileError](err); ok {
		return e
	}
	msg := "the workbook is damaged"
	if part != "" {
		msg += ", in its part " + short(part)
	}
	return &FileError{Path: path, Err: errors.Join(ErrFormat, err), Msg: msg + ": " + err.Error(), Hint: "open it in a spreadsheet program and save it again, or " + saveAsCSV}
}

// SheetRead is how many bytes of the sheet were unpacked so far, and of how many; 0 and 0 for a text file.
func (r *Reader) SheetRead() (done, total int64) {
	if r.book == nil || r.book.sheet == nil {
		return 0, 0
	}
	return r.book.sheet.size - r.book.sheet.left, r.book.sheet.size
}

// part opens a part of the workbook by its name, in any case.
func (w *workbook) part(name string) (*bounded, error) {
	for _, f := range w.zip.File {
		if strings.EqualFold(strings.ReplaceAll(f.Name, "\\", "/"), name) {
			r, err := f.Open()
			if err != nil {
				return nil, damaged(w.path, name, err)
			}
			size := int64(f.UncompressedSize64)
			return &bounded{r, w.path, name, size, size}, nil
		}
	}
	return nil, damaged(w.path, name, errMissing)
}

// errMissing and errLied say what is wrong with a part.
var (
	errMissing = errors.New("it is missing")
	errLied    = errors.New("it unpacks to more than the directory says")
)

// bounded stops the unpacking of a part at the size that was checked.
type bounded struct {
	io.ReadCloser
	path, name string
	size, left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, damaged(b.path, b.name, errLied)
	}
	if err == io.ErrUnexpectedEOF {
		err = damaged(b.path, b.name, err) // the XML reader takes it for its own
	}
	return n, err
}

// small reads a part that must fit into memory.
func (w *workbook) small(name string, most int64) ([]byte, error) {
	f, err := w.part(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, damaged(w.path, name, err)
	}
	if int64(len(b)) > most {
		return nil, &FileError{Path: w.path, Err: ErrTooBig, Msg: "the workbook's part " + short(name) + " is too large", Hint: saveAsCSV}
	}
	return b, nil
}

// relation says where a part stands that another one names.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// relations are what a part refers to, its targets as full names.
func (w *workbook) relations(of string) ([]relation, error) {
	folder, file := path.Split(of)
	name := folder + "_rels/" + file + ".rels"
	b, err := w.small(name, maxPart)
	if err != nil {
		return nil, err
	}
	var all struct {
		Relations []relation `xml:"Relationship"`
	}
	if err := xml.Unmarshal(b, &all); err != nil {
		return nil, damaged(w.path, name, err)
	}
	for i, r := range all.Relations {
		if strings.HasPrefix(r.Target, "/") {
			all.Relations[i].Target = r.Target[1:]
		} else {
			all.Relations[i].Target = path.Join(folder, r.Target)
		}
	}
	return all.Relations, nil
}

// kind says what a relation leads to: the last word of its type.
func (r relation) kind() string { return path.Base(r.Type) }

// open reads the workbook's parts up to its sheets.
func (w *workbook) open() error {
	if err := w.checkKind(); err != nil {
		return err
	}
	root, err := w.relations("")
	if err != nil {
		return err
	}
	main := "xl/workbook.xml"
	for _, r := range root {
		if r.kind() == "officeDocument" {
			main = r.Target
		}
	}
	rels, err := w.relations(main)
	if err != nil {
		return err
	}
	from1904, err := w.readSheets(main, rels)
	if err != nil {
		return err
	}
	w.formats = newFormats(from1904)
	for _, r := range rels {
		switch r.kind() {
		case "sharedStrings":
			err = w.readTexts(r.Target)
		case "styles":
			err = w.readStyles(r.Target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkKind refuses a ZIP file that is no XLSX workbook.
func (w *workbook) checkKind() error {
	has := map[string]bool{"": true}
	for _, f := range w.zip.File {
		has[f.Name] = true
	}
	if has["_rels/.rels"] && !has[zipKinds[0].part] && !has["word/document.xml"] {
		return nil
	}
	for _, k := range zipKinds {
		if has[k.part] {
			return &FileError{Path: w.path, Err: ErrFormat, Msg: "this is " + k.name + ", which is not read", Hint: "save it as XLSX, or as \"CSV UTF-8\""}
		}
	}
	return nil
}

// readSheets lists the sheets, visible ones first; charts are none. It also says from when the dates count.
func (w *workbook) readSheets(main string, rels []relation) (from1904 bool, err error) {
	b, err := w.small(main, maxPart)
	if err != nil {
		return false, err
	}
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := xml.Unmarshal(b, &book); err != nil {
		return false, damaged(w.path, main, err)
	}
	var hidden []Sheet
	for _, s := range book.Sheets {
		for _, r := range rels {
			if r.kind() != "worksheet" || r.ID != attr(s.Attrs, "id") {
				continue
			}
			if s.State == "hidden" || s.State == "veryHidden" {
				hidden = append(hidden, Sheet{s.Name, true, r.Target})
			} else {
				w.sheets = append(w.sheets, Sheet{s.Name, false, r.Target})
			}
		}
	}
	w.sheets = append(w.sheets, hidden...)
	if len(w.sheets) == 0 {
		return false, &FileError{Path: w.path, Err: ErrEmpty, Msg: "the workbook has no sheet with cells", Hint: "export the list again"}
	}
	return isTrue(book.Properties.Date1904), nil
}

// attr is the value of an attribute, whatever its namespace; empty without it.
func attr(all []xml.Attr, name string) string {
	for _, a := range all {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// isTrue reads an XML truth value.
func isTrue(s string) bool { return s == "1" || s == "true" || s == "on" }
