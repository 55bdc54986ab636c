//go:build numplangen

// Command gen compiles the metadata of the phonenumbers library into the tables of package numplan.
//
// It reads all plans (plans.go), turns their patterns into one digit automaton (automaton.go) and their prefixes into another
// (prefix.go), and writes table.bin and tables.go. Run it with go generate, whenever the library has a new version.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "numplan: "+err.Error())
		os.Exit(1)
	}
}

func run() error {
	version, err := libraryVersion("../../go.mod")
	if err != nil {
		return err
	}
	codes, err := readCodes()
	if err != nil {
		return err
	}
	rows := newRows()
	for _, c := range codes {
		if err := c.compile(rows); err != nil {
			return fmt.Errorf("code %d: %w", c.number, err)
		}
	}
	if err := os.WriteFile("table.bin", rows.bytes(), 0o644); err != nil {
		return err
	}
	source, err := goSource(version, codes, rows)
	if err != nil {
		return err
	}
	fmt.Printf("%d states, %d labels, %d cuts, %d plans of %d country codes\n", rows.count(), len(rows.labels), len(rows.cuts), countPlans(codes), len(codes))
	return os.WriteFile("tables.go", source, 0o644)
}
