package readlog

import (
	"os"
	"syscall"
)

// pipeRoom is how many bytes a pipe may hold, as far as every user may ask for on Linux: who writes and who reads then seldom wait for each other.
const (
	pipeRoom    = 1 << 20
	setPipeRoom = 1031 // F_SETPIPE_SZ
)

// widen makes a pipe hold more. A stream that is no pipe, or that may not grow, stays as it is: that costs time only.
func widen(f *os.File) {
	raw, err := f.SyscallConn() // Fd would make the file block
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) { syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeRoom, pipeRoom) })
}
