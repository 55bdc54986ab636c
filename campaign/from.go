package campaign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// ErrOtherNumber matches the error for a list whose rows are to be sent from another number than the one that sends.
var ErrOtherNumber = errors.New("another sending number")

// columnFrom names the number that sends a row.
const columnFrom = "from"

// sender holds a row's sending number against the one that sends: a campaign goes out from one number, and a wrong one is not ours to choose.
func (p *Plan) sender(line int, list *normalize.List, cell func(int) string, numberID string) error {
	for i, h := range list.Header {
		from := strings.TrimSpace(cell(i))
		if h != columnFrom || from == "" {
			continue
		}
		if p.from == "" {
			p.from = from
		}
		if want := numberID; from != p.from || want != "" && from != want {
			if want == "" {
				want = p.from
			}
			return fmt.Errorf("line %d, column %d: %w: the row is from %q, and the campaign is sent from %q", line, i+1, ErrOtherNumber, from, want)
		}
	}
	return nil
}
