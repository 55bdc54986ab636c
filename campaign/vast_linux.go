package campaign

import (
	"syscall"
	"unsafe"
)

// hugePage is Linux's MADV_HUGEPAGE, which the standard library does not name.
const hugePage = 14

// largePages asks for large pages. It is advice: where the system does not take it, nothing but speed is lost. What is asked for is whole pages
// inside the memory, so that nothing beside it is touched.
func largePages(from unsafe.Pointer, size uintptr) {
	page := uintptr(syscall.Getpagesize())
	skip := -uintptr(from) & (page - 1)
	if size < skip+page {
		return
	}
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(from, skip)), (size-skip)&^(page-1)), hugePage)
}
