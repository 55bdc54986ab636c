package lines

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// The parts of a small workbook, as spreadsheets write them.
const (
	rootRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	bookRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="/xl/styles.xml"/>
<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
	book   = `<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>`
	styles = `<styleSheet><numFmts count="7"><numFmt numFmtId="164" formatCode="&quot;+&quot;0"/><numFmt numFmtId="165" formatCode="00 00000-0000"/>
<numFmt numFmtId="166" formatCode="0000000000"/><numFmt numFmtId="167" formatCode="dd/mm/yyyy"/><numFmt numFmtId="168" formatCode="[h]:mm"/><numFmt numFmtId="169" formatCode="0 &quot;days&quot;"/><numFmt numFmtId="170" formatCode="[Red]0.00"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="11"/><xf numFmtId="3"/><xf numFmtId="168"/><xf numFmtId="169"/><xf numFmtId="22"/><xf numFmtId="49"/><xf numFmtId="170"/></cellXfs></styleSheet>`
	texts = `<sst><si><t>Ana</t></si><si><r><t>+55 11 </t></r><r><rPr><b/></rPr><t>96123</t></r><rPh><t>hint</t></rPh></si><si><t>a_x000D_b</t></si></sst>`
)

// parts are the parts of a workbook whose one sheet holds the rows.
func parts(rows string) map[string]string {
	return map[string]string{
		"[Content_Types].xml": "<Types/>", "_rels/.rels": rootRels, "xl/workbook.xml": book, "xl/_rels/workbook.xml.rels": bookRels,
		"xl/styles.xml": styles, "xl/sharedStrings.xml": texts,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData>` + rows + `</sheetData><mergeCells/></worksheet>`,
	}
}

// zipped packs parts into a file.
func zipped(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readBook reads the sheet that a new reader stands at.
func readBook(t testing.TB, b []byte) (rows []Record, err error) {
	t.Helper()
	r, err := NewReader("list.xlsx", bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for rec, err := range r.Records() {
		if err != nil {
			return rows, err
		}
		rows = append(rows, rec)
	}
	return rows, nil
}

func TestCells(t *testing.T) {
	tests := map[string]struct {
		cell          string // without its reference
		shown, number string
		rule          string
	}{
		"shared":                    {`<c t="s"><v>0</v></c>`, "Ana", "Ana", ""},
		"rich, phonetic left out":   {`<c t="s"><v>1</v></c>`, "+55 11 96123", "+55 11 96123", ""},
		"escaped character":         {`<c t="s"><v>2</v></c>`, "a\rb", "a\rb", ""},
		"inline":                    {`<c t="inlineStr"><is><r><t>+5</t></r><r><t>5</t></r></is></c>`, "+55", "+55", ""},
		"number":                    {`<c><v>5511961234567</v></c>`, "5511961234567", "5511961234567", ""},
		"written +":                 {`<c s="1"><v>5511961234567</v></c>`, "+5511961234567", "+5511961234567", ""},
		"grouped by a format":       {`<c s="2"><v>11961234567</v></c>`, "11 96123-4567", "11961234567", ""},
		"shorter than its mask":     {`<c s="2"><v>961234567</v></c>`, "00 96123-4567", "961234567", ""},
		"one zero by a format":      {`<c s="3"><v>212345679</v></c>`, "0212345679", "0212345679", ""},
		"two zeros would dial":      {`<c s="3"><v>21234567</v></c>`, "0021234567", "21234567", ""},
		"exponent by a format":      {`<c s="5"><v>5511961234567</v></c>`, "5.51E+12", "5511961234567", ""},
		"thousands by a format":     {`<c s="6"><v>5511961234567</v></c>`, "5,511,961,234,567", "5511961234567", ""},
		"text format":               {`<c s="10"><v>11961234567</v></c>`, "11961234567", "11961234567", ""},
		"stored with exponent":      {`<c><v>5.511961234567E12</v></c>`, "5511961234567", "5511961234567", ""},
		"stored exponent, lossy":    {`<c><v>5.51196E+12</v></c>`, "5.51196E+12", "5.51196E+12", ""},
		"stored as a float":         {`<c><v>5511961234567.0</v></c>`, "5511961234567", "5511961234567", ""},
		"fraction":                  {`<c><v>11961234577.5</v></c>`, "11961234577.5", "11961234577.5", ""},
		"negative":                  {`<c><v>-9812345587</v></c>`, "-9812345587", "-9812345587", ""},
		"beyond 15 digits":          {`<c><v>120363000000000000</v></c>`, "120363000000000000", "120363000000000000", ""},
		"boolean":                   {`<c t="b"><v>1</v></c>`, "TRUE", "TRUE", ""},
		"error":                     {`<c t="e"><v>#N/A</v></c>`, "#N/A", "#N/A", ""},
		"date":                      {`<c s="4"><v>41219</v></c>`, "06/11/2012", "06/11/2012", ruleDate},
		"hours":                     {`<c s="7"><v>1.5</v></c>`, "36:00", "36:00", ruleDate},
		"ISO date":                  {`<c t="d"><v>2012-11-06</v></c>`, "2012-11-06", "2012-11-06", ruleDate},
		"quoted d is no date":       {`<c s="8"><v>3</v></c>`, "3 days", "3", ""},
		"colour is no date":         {`<c s="11"><v>3</v></c>`, "3.00", "3", ""},
		"formula, text":             {`<c t="str"><f>"+55"&amp;"11"</f><v>+5511</v></c>`, "+5511", "+5511", ""},
		"formula, number":           {`<c><f>A1*1</f><v>5511</v></c>`, "5511", "5511", ""},
		"formula, sign only":        {`<c><f>+5511961234567</f><v>5511961234567</v></c>`, "5511961234567", "5511961234567", ""},
		"formula, calculated":       {`<c><f>+55+11961234567</f><v>11961234622</v></c>`, "11961234622", "=+55+11961234567", ruleCalculated},
		"formula without value":     {`<c><f>CONCATENATE("+55",C9)</f></c>`, "", `=CONCATENATE("+55",C9)`, ruleNoValue},
		"formula with empty value":  {`<c><f>B2</f><v></v></c>`, "", "=B2", ruleNoValue},
		"formula, empty text":       {`<c t="str"><f>B2</f><v></v></c>`, "", "", ""},
		"unknown style":             {`<c s="99"><v>5</v></c>`, "5", "5", ""},
		"unknown shared text":       {`<c t="s"><v>99</v></c>`, "", "", ""},
		"comment and CDATA in text": {`<c t="str"><v>a<!-- x --><![CDATA[&b]]></v></c>`, "a&b", "a&b", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rows, err := readBook(t, zipped(t, parts(`<row r="7">`+tt.cell+`<c t="str"><v>end</v></c></row>`)))
			if err != nil || len(rows) != 1 || rows[0].Line != 7 || len(rows[0].Fields) != 2 {
				t.Fatalf("rows %v, error %v", rows, err)
			}
			number, rule := rows[0].Number(0)
			if rows[0].Fields[0] != tt.shown || number != tt.number || rule != tt.rule {
				t.Errorf("shown %q, number %q, rule %q, want %q, %q, %q", rows[0].Fields[0], number, rule, tt.shown, tt.number, tt.rule)
			}
		})
	}
}

func TestDatesFrom1904(t *testing.T) {
	p := parts(`<row><c s="4"><v>39757</v></c></row>`)
	p["xl/workbook.xml"] = strings.Replace(book, "<workbookPr/>", `<workbookPr date1904="1"/>`, 1)
	rows, err := readBook(t, zipped(t, p))
	if err != nil || len(rows) != 1 || rows[0].Fields[0] != "06/11/2012" {
		t.Errorf("rows %v, error %v, want 06/11/2012", rows, err)
	}
}

func TestRowsOfASheet(t *testing.T) {
	rows, err := readBook(t, zipped(t, parts(`<row r="1"/><row r="2"><c r="B2" t="str"><v>x</v></c><c r="D2" s="4"/></row>
<row r="5" hidden="1"><c r="A5" t="str"><v>y</v></c></row><row r="6"><c r="A6" s="3"/></row><row r="7" hidden="1"><c s="3"/></row><x:row xmlns:x="x"><x:c t="str"><x:v>z</x:v></x:c></x:row>`)))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, r := range rows {
		got = append(got, fmt.Sprint(r.Line, r.Fields, len(r.Notes()) == 1 && r.Notes()[0].Rule == ruleHidden, r.Char(0), r.Raw()))
	}
	want := []string{"2 [ x] false 0", "5 [y] true 0", "8 [z] false 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestBookRefused(t *testing.T) {
	row := `<row><c><v>1</v></c></row>`
	with := func(name, text string) map[string]string {
		p := parts(row)
		if p[name] = text; text == "" {
			delete(p, name)
		}
		return p
	}
	tests := map[string]struct {
		parts map[string]string
		want  error
		says  string
	}{
		"no root":          {with("_rels/.rels", ""), ErrFormat, "ZIP archive"},
		"binary":           {with("xl/workbook.bin", "x"), ErrFormat, "XLSB"},
		"OpenDocument":     {map[string]string{"mimetype": "x", "content.xml": "x"}, ErrFormat, "ODS"},
		"Word":             {with("word/document.xml", "x"), ErrFormat, "Word"},
		"no workbook":      {with("xl/workbook.xml", ""), ErrFormat, "missing"},
		"no sheet":         {with("xl/worksheets/sheet1.xml", ""), ErrFormat, "missing"},
		"no sheets":        {with("xl/workbook.xml", `<workbook/>`), ErrEmpty, "no sheet"},
		"broken workbook":  {with("xl/workbook.xml", `<workbook`), ErrFormat, "xl/workbook.xml"},
		"broken styles":    {with("xl/styles.xml", `<a><b></a>`), ErrFormat, "styles"},
		"broken texts":     {with("xl/sharedStrings.xml", `<sst><si`), ErrFormat, "sharedStrings"},
		"cut sheet":        {with("xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="3"><c>`), ErrFormat, "line 3"},
		"cut behind a row": {with("xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+row), ErrFormat, "EOF"},
		"row number":       {parts(`<row r="9999999"/>`), ErrFormat, "row number"},
		"column":           {parts(`<row><c r="ZZZZ1"><v>1</v></c></row>`), ErrFormat, "reference"},
		"endless cell":     {parts(`<row><c t="str"><v>` + strings.Repeat("x<!-- -->", maxRecord+1) + `</v></c></row>`), ErrTooBig, "bomb"},
		"bomb":             {parts(strings.Repeat(row, 500_000)), ErrTooBig, "bomb"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := readBook(t, zipped(t, tt.parts))
			e, ok := errors.AsType[*FileError](err)
			if !errors.Is(err, tt.want) || !ok || e.Hint == "" || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %v that says %q, with a hint", err, tt.want, tt.says)
			}
		})
	}
}

// TestLyingDirectory holds that the unpacking stops where the ZIP directory promised less.
func TestLyingDirectory(t *testing.T) {
	b := zipped(t, parts(strings.Repeat(`<row><c><v>1</v></c></row>`, 1000)))
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	w := &workbook{path: "list.xlsx", zip: z}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "sheet1.xml") {
			f.UncompressedSize64 = 100
		}
	}
	part, err := w.part("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, part); err == nil || n > 100 {
		t.Errorf("%d bytes read, error %v", n, err)
	}
}

// TestBookOfALibrary reads what another program wrote, several sheets with a hidden one.
func TestBookOfALibrary(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	for i, name := range []string{"Secret", "Cover", "List"} {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for line := range 3 {
			cell := fmt.Sprintf("B%d", line+1)
			if err := f.SetCellValue(name, cell, fmt.Sprintf("%d-%d", i, line)); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.SetActiveSheet(2) // the active one cannot be hidden
	if err := errors.Join(f.DeleteSheet("Sheet1"), f.SetSheetVisible("Secret", false)); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader("list.xlsx", &b)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, s := range r.Sheets() {
		if err := r.Select(i); err != nil {
			t.Fatal(err)
		}
		sound, _ := r.Peek(1)
		got = append(got, fmt.Sprint(s.Name, s.Hidden, sound[0].Line, sound[0].Fields))
	}
	want := []string{"Coverfalse 1 [ 1-0]", "Listfalse 1 [ 2-0]", "Secrettrue 1 [ 0-0]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sheets (-want +got):\n%s", diff)
	}
}

// FuzzSheet reads any XML as a sheet, with any format, and FuzzBook any bytes as a workbook: no crash, and errors with a place.
func FuzzSheet(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" s="1"><v>1</v></c></row>`, "0.00")
	f.Add(`<row><c t="s"><v>0</v></c><c><f>1-2</f><v>-1</v></c></row>`, `[$-416]d" de "mmmm;@`)
	f.Add(`<row><c t="inlineStr"><is><t>_x0041_</t></is></c></row`, "[h]:mm\\ ")
	f.Fuzz(func(t *testing.T, rows, code string) {
		p := parts(rows)
		p["xl/styles.xml"] = strings.Replace(styles, "dd/mm/yyyy", strings.NewReplacer("&", "", "<", "", `"`, "&quot;").Replace(code), 1)
		drain(t, zipped(t, p))
		isDateFormat(200, code)
		fm := newFormats(false)
		fm.styles = []format{{id: 200, code: code}}
		fm.show(0, "5511961234567")
	})
}

func FuzzBook(f *testing.F) {
	f.Add(zipped(f, parts(`<row><c><v>1</v></c></row>`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		drain(t, append([]byte(zipMark), b...))
		drain(t, b)
	})
}

func BenchmarkSheet(b *testing.B) {
	var rows strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d" t="s"><v>0</v></c><c r="B%d" s="2"><v>%d</v></c><c r="C%d" s="4"><v>%d</v></c></row>`, i+1, i+1, i+1, 11960000000+i*7919, i+1, 41000+i)
	}
	list := zipped(b, parts(rows.String()))
	b.SetBytes(int64(rows.Len()))
	for b.Loop() {
		if rows, err := readBook(b, list); err != nil || len(rows) != 20_000 {
			b.Fatal(len(rows), err)
		}
	}
}
