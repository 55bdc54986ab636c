//go:build zonesgen

// Command gen writes zones.txt of package quiet from the table of time zones that the phonenumbers library carries.
//
// Each line is a prefix of digits, with the country code, and the names of its zones. Run it with go generate, whenever the library has a new version.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const library = "github.com/nyaruka/phonenumbers"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "zones: "+err.Error())
		os.Exit(1)
	}
}

func run() error {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}} {{.Version}}", library).Output()
	if err != nil {
		return err
	}
	dir, version, _ := strings.Cut(strings.TrimSpace(string(folder)), " ")
	f, err := os.Open(filepath.Join(dir, "data", "prefix_to_timezone.xml.gz"))
	if err != nil {
		return err
	}
	defer f.Close()
	raw, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s %s\n", library, version)
	if err := convert(bufio.NewReader(raw), &out); err != nil {
		return err
	}
	return os.WriteFile("zones.txt", []byte(out.String()), 0o644)
}

// convert reads names, then for each prefix the distance from the one before and the indexes of its names.
func convert(in *bufio.Reader, out io.Writer) error {
	var size, count uint32
	if err := binary.Read(in, binary.LittleEndian, &size); err != nil {
		return err
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return err
	}
	names := strings.Split(string(text), "\n")
	if err := binary.Read(in, binary.LittleEndian, &count); err != nil {
		return err
	}
	prefix := uint64(0)
	for range count {
		step, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		n, err := in.ReadByte()
		if err != nil {
			return err
		}
		prefix += step
		zones := make([]uint16, n)
		if err := binary.Read(in, binary.LittleEndian, zones); err != nil {
			return err
		}
		line := fmt.Sprint(prefix)
		for _, z := range zones {
			line += " " + names[z]
		}
		fmt.Fprintln(out, line)
	}
	return nil
}
