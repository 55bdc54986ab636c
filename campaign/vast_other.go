//go:build !linux

package campaign

import "unsafe"

// largePages does nothing where there is no advice for it, or none that is known.
func largePages(unsafe.Pointer, uintptr) {}
