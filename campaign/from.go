package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// ErrOtherNumber matches the error for a list whose rows are to be sent from another number than those that send.
var ErrOtherNumber = errors.New("another sending number")

// columnFrom names the number that sends a row.
const columnFrom = "from"

// sender is the number that the row's own column names, as its place among the plan's numbers plus one; 0 when the row leaves it open.
func (p *Plan) sender(row *normalize.Row, list *normalize.List, o PlanOptions) (uint16, error) {
	number := uint16(0)
	for i, h := range list.Header {
		if h != columnFrom || i >= len(row.Fields) {
			continue
		}
		from := strings.TrimSpace(row.Fields[i])
		if from == "" {
			continue
		}
		var want string
		if number, want = p.named(from, o); number == 0 {
			return 0, fmt.Errorf("line %d, column %d: %w: the row is from %q, and the campaign is sent from %s", row.Line, i+1, ErrOtherNumber, from, want)
		}
	}
	return number, nil
}

// named finds a number by its id or its name. Where none is chosen yet, the first that the list names is it.
func (p *Plan) named(from string, o PlanOptions) (number uint16, want string) {
	if len(o.Numbers) == 0 {
		if p.from == "" {
			p.from = from
		}
		if from != p.from || o.NumberID != "" && from != o.NumberID {
			return 0, fmt.Sprintf("%q", cmp.Or(o.NumberID, p.from))
		}
		return 1, ""
	}
	i := slices.IndexFunc(o.Numbers, func(n Number) bool { return n.ID == from || n.Name == from && from != "" })
	if i < 0 {
		names := make([]string, len(o.Numbers))
		for i, n := range o.Numbers {
			names[i] = fmt.Sprintf("%q", n.ID)
		}
		return 0, strings.Join(names, ", ")
	}
	return uint16(i + 1), ""
}
