// Wactl plans, paces and sends campaigns over the official WhatsApp Cloud API, and emulates that API for tests.
package main

import (
	"os"

	"github.com/wactl/wactl/cmd"
)

func main() {
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
