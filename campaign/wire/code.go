package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Code is a platform error code. It is written as a number, and read from a number or a string: the platform uses both.
type Code int

// UnmarshalJSON reads 131056 and "131056" alike.
func (c *Code) UnmarshalJSON(b []byte) error {
	var n int
	if err := json.Unmarshal(b, &n); err == nil {
		*c = Code(n)
		return nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("error code is neither number nor string: %.40s", b)
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return fmt.Errorf("error code %.40q is no number", s)
	}
	*c = Code(n)
	return nil
}
