//go:build !linux

package largepages

// ask does nothing: other systems choose the size of pages themselves.
func ask(uintptr, uintptr) {}
