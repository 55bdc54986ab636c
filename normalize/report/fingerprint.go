package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// digest is enough of a hash to tell problems apart.
type digest [16]byte

// fingerprints names problems by what they are and not by their line, so that a row put in above changes none of them.
//
// The name is made of the masked cell: a hash of the whole number could be found out by trying all numbers.
// Problems that are then equal are told apart by counting.
func fingerprints() func(Problem) string {
	seen := map[digest]int{}
	return func(p Problem) string {
		d := hash(nil, p.Rule, p.Path, maskedCell(p.Header), maskedCell(p.Value))
		seen[d]++
		d = hash(d[:], strconv.Itoa(seen[d]))
		return hex.EncodeToString(d[:])
	}
}

// hash is one digest of several texts that may hold any bytes.
func hash(salt []byte, parts ...string) digest {
	h := sha256.New()
	h.Write(salt)
	for _, part := range parts {
		h.Write(strconv.AppendInt(nil, int64(len(part)), 10)) // so that no two lists of parts read the same
		h.Write([]byte{':'})
		h.Write([]byte(part))
	}
	return digest(h.Sum(nil)[:len(digest{})])
}
