package largepages

import "syscall"

// hugePage is Linux's MADV_HUGEPAGE, which the standard library has not on every processor.
const hugePage = 14

func ask(start, length uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, length, hugePage)
}
