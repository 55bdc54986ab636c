package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// A wamid is "wamid." and base64 of: 1C, 18, length, the recipient as text; 15 02 00 11; 18, length 12, eighteen hex digits; 00. The
// form is undocumented and was read off the platform's own samples; nothing that matters may rest on it.
const (
	wamidPrefix = "wamid."
	wamidHead   = "\x1c\x18"
	wamidMiddle = "\x15\x02\x00\x11\x18\x12"
	wamidUnique = 9 // bytes that become the eighteen hex digits
)

// NewWamid makes a message id in the platform's form. The same recipient and entropy give the same id; entropy may have any length.
func NewWamid(waID string, entropy []byte) string {
	unique := sha256.Sum256(entropy)
	b := binary.AppendUvarint([]byte(wamidHead), uint64(len(waID)))
	b = slices.Concat(b, []byte(waID), []byte(wamidMiddle))
	b = append(b, strings.ToUpper(hex.EncodeToString(unique[:wamidUnique]))...)
	return wamidPrefix + base64.StdEncoding.EncodeToString(append(b, 0))
}

// WamidRecipient is the recipient's digits that a message id carries in clear; false for any other id or a recipient that is no number.
func WamidRecipient(id string) (digits string, ok bool) {
	encoded, ok := strings.CutPrefix(id, wamidPrefix)
	if !ok {
		return "", false
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil {
		return "", false
	}
	b, ok = bytes.CutPrefix(b, []byte(wamidHead))
	if !ok {
		return "", false
	}
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return "", false
	}
	digits = string(b[n : n+int(length)])
	if !isWaID(digits) {
		return "", false
	}
	return digits, true
}

// isWaID says whether s can be a phone number in digits: E.164 has at most 15, and no country gets by with fewer than 5.
func isWaID(s string) bool {
	return len(s) >= 5 && len(s) <= 15 && strings.Trim(s, "0123456789") == ""
}
