package wire

import "testing"

func TestParseProxied(t *testing.T) {
	for _, c := range []struct {
		status  int
		body    string
		hasCode bool
		code    Code
	}{
		{401, `{"message":"Unauthorized"}`, true, 0},
		{401, `{"error":"invalid key"}`, true, 0},
		{401, `{"error":{"message":"expired","code":190}}`, true, 190},
		{401, `{"error":{"code":401,"message":"Unauthorized"}}`, true, 0}, // a code that repeats the status is none
		{401, `{}`, false, 0},
		{401, ``, false, 0},
		{401, `<html>sign in</html>`, false, 0},
		{401, `{"message":"Unauth`, false, 0},
		{403, `{"message":"Forbidden"}`, false, 0},
		{200, `{"message":"fine"}`, false, 0},
		{429, `{"error":"slow","meta":{"code":131056}}`, true, 131056},
	} {
		if a := ParseProxied(c.status, []byte(c.body)); a.HasCode != c.hasCode || a.Code != c.code {
			t.Errorf("%d %s: code %t %d, want %t %d", c.status, c.body, a.HasCode, a.Code, c.hasCode, c.code)
		}
	}
}
