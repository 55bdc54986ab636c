package lines

import (
	"encoding/xml"
	"io"
	"strings"
)

// readTexts reads the texts that cells share. Their runs of rich text are one text; phonetic hints are none.
func (w *workbook) readTexts(name string) error {
	f, err := w.part(name)
	if err != nil {
		return err
	}
	defer f.Close()
	d, size := xml.NewDecoder(f), 0
	var text strings.Builder
	for inText, phonetic := false, 0; ; {
		tok, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return damaged(w.path, name, err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "si":
				text.Reset()
			case "t":
				inText = true
			case "rPh":
				phonetic++
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "si":
				w.texts = append(w.texts, unescape(text.String()))
				size += text.Len() + 16 // its place in the table
			case "t":
				inText = false
			case "rPh":
				phonetic--
			}
		case xml.CharData:
			if inText && phonetic == 0 {
				text.Write(e)
			}
		}
		if text.Len()+size > maxTexts {
			return &FileError{Path: w.path, Err: ErrTooBig, Msg: "the texts of the workbook take more than 512 MiB", Hint: saveAsCSV}
		}
	}
}
