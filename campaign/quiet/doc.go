// Package quiet says when people are not to be disturbed: at which hours, and by which clocks.
//
// [Hours] is the rule, pure arithmetic on a day; [Zones] knows the clocks of a phone number from its numbering plan. Where a number may be in
// several zones, none of their clocks may show a quiet hour.
package quiet
