package cmd

import (
	"encoding/json"
	"strings"

	"github.com/wactl/wactl/campaign/cloudapi"
)

// previewJSON is one message as it would be sent: the request's body to the byte, and what its recipient sees.
//
// The id in biz_opaque_callback_data stands for that of a campaign, which is made anew for each.
type previewJSON struct {
	Line      int             `json:"line"`
	Recipient string          `json:"recipient"`
	Number    *string         `json:"phone_number_id"` // null: not chosen
	Body      json.RawMessage `json:"body"`
	Text      string          `json:"text"`
}

// previews are the first messages of the plan, as many as were asked for.
func (d *dryRun) previews() ([]previewJSON, error) {
	all := []previewJSON{}
	if d.flags.preview == 0 {
		return all, nil
	}
	spec, err := d.flags.spec()
	if err != nil {
		return nil, err
	}
	for step, err := range d.plan.Steps([16]byte{}, d.plan.options) {
		if err != nil {
			return nil, err
		}
		body, err := cloudapi.Body(step.Step)
		if err != nil {
			return nil, err
		}
		all = append(all, previewJSON{Line: step.Line, Recipient: step.Recipient.Phone, Number: known(step.NumberID), Body: body, Text: step.Message.Seen(spec.File)})
		if len(all) == d.flags.preview {
			break
		}
	}
	return all, nil
}

// showPreviews writes each message: where it comes from, the body in one line, and the text as it is seen.
func (d *dryRun) showPreviews(all []previewJSON) {
	for _, p := range all {
		d.out.Line("")
		d.out.Heading("line %d, to %s", p.Line, p.Recipient)
		d.out.Line("%s", p.Body)
		for line := range strings.SplitSeq(p.Text, "\n") {
			d.out.Line("  | %s", line)
		}
	}
}
