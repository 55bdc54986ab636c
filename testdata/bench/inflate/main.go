// Command inflate unpacks a gzip file and throws the text away, with the library that wactl unpacks with: the bound for any reading of that file.
//
//	go run ./testdata/bench/inflate log.jsonl.gz
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
)

func main() {
	if err := inflate(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func inflate(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one gzip file, not %d", len(args))
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, text)
	return err
}
