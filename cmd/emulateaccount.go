package cmd

import (
	"os"

	"github.com/wactl/wactl/campaign/emulator"
)

// emulatedAccount reads the file of `emulate --account`; without one the account fits whatever is asked.
func emulatedAccount(path string) (a emulator.Account, err error) {
	if path == "" {
		return a, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return a, unusable("name an existing file", "--account: %w", err)
	}
	if a, err = emulator.ParseAccount(text); err != nil {
		return a, unusable("see `wactl help sandbox`", "--account %s: %w", path, err)
	}
	return a, nil
}
