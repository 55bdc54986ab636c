package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// SignatureHeader is where the platform puts its signature: "sha256=" and the HMAC of the raw body in hex.
const SignatureHeader = "X-Hub-Signature-256"

const signaturePrefix = "sha256="

// Signed says whether a header's value is the signature of these very bytes with the app's secret. It takes the same time for every wrong one.
func Signed(header string, body, secret []byte) bool {
	given, ok := strings.CutPrefix(strings.TrimSpace(header), signaturePrefix)
	claimed, err := hex.DecodeString(given)
	if !ok || err != nil || len(secret) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hmac.Equal(mac.Sum(nil), claimed)
}
