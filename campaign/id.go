package campaign

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strconv"
	"strings"
)

// idAlphabet has no i, l, o and u, so an id that is read aloud or typed by hand stays the same id.
var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// StepID is the lasting id of a message: 26 characters made of campaign uid, canonical recipient and its ordinal, from 0.
//
// The uid is random, so nobody can find the phone number by trying all of them against an id.
func StepID(uid [16]byte, recipientKey string, ordinal int) string {
	h := sha256.New()
	h.Write(uid[:])
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(ordinal)))
	h.Write([]byte(recipientKey))
	return idAlphabet.EncodeToString(h.Sum(nil)[:16])
}

// Pair is the recipient as the limits know it: the digits of Phone as a number, or with the top bit set a hash of BSUID.
func (r Recipient) Pair() uint64 {
	if n, err := strconv.ParseUint(strings.TrimPrefix(r.Phone, "+"), 10, 63); err == nil {
		return n
	}
	h := sha256.Sum256([]byte(r.BSUID))
	return binary.BigEndian.Uint64(h[:]) | 1<<63
}
