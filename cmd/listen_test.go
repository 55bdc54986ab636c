package cmd

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptTell is `tell URL FILE SECRETFILE`: it posts FILE as a webhook that is signed with the secret; the answer's status and body become stdout.
func scriptTell(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: tell URL FILE SECRETFILE")
	}
	body := []byte(ts.ReadFile(args[1]))
	mac := hmac.New(sha256.New, []byte(strings.TrimSpace(ts.ReadFile(args[2]))))
	mac.Write(body)
	request, err := http.NewRequest(http.MethodPost, args[0], bytes.NewReader(body))
	ts.Check(err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	answer(ts, request)
}
