package report

import (
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/template"
)

// WriteCampaign writes steps as a campaign file: the phone and the content columns that any of them needs. steps is read twice.
//
// Steps whose content was erased have their phone only. Cells stand as they are, since they are to be sent again; a value that a
// spreadsheet would take for a formula stays what it was.
func WriteCampaign(w io.Writer, steps iter.Seq2[campaign.Step, error]) error {
	columns, err := columnsOf(steps)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(append([]string{"phone"}, columns...)); err != nil {
		return err
	}
	for s, err := range steps {
		if err != nil {
			return err
		}
		values := cells(s.Message)
		row := []string{s.Recipient.Phone}
		for _, c := range columns {
			row = append(row, values[c])
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// columnsOf is the content columns that the steps need, sorted.
func columnsOf(steps iter.Seq2[campaign.Step, error]) ([]string, error) {
	seen := map[string]bool{}
	var columns []string
	for s, err := range steps {
		if err != nil {
			return nil, err
		}
		for c := range cells(s.Message) {
			if !seen[c] {
				seen[c] = true
				columns = append(columns, c)
			}
		}
	}
	slices.Sort(columns)
	return columns, nil
}

// cells is a message as content columns.
func cells(m template.Message) map[string]string {
	v := map[string]string{}
	put := func(key, value string) {
		if value != "" {
			v[key] = value
		}
	}
	put("template", m.Template)
	put("language", m.Language)
	put("text", m.Text)
	put("caption", m.Caption)
	put(m.Type, medium(m.Media))
	if h := m.Header; h != nil {
		put("header.text", h.Text)
		put("header."+h.Type, medium(h.Media))
		if h.Media != nil {
			put("header.filename", h.Media.Filename)
		}
	}
	for i, p := range m.Body {
		name := p.Name
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		put("body."+name, p.Text)
	}
	for _, b := range m.Buttons {
		put("button."+strconv.Itoa(b.Index), b.Text)
	}
	return v
}

func medium(m *template.Media) string {
	switch {
	case m == nil:
		return ""
	case m.ID != "":
		return "id:" + m.ID
	}
	return m.Link
}
