package cmd

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// nameless is a file without a name in a folder. It can be given one later; until then nothing of it stays when the process ends.
func nameless(folder string) (*os.File, error) {
	fd, err := unix.Open(folder, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: folder, Err: err}
	}
	return os.NewFile(uintptr(fd), folder), nil
}

// giveName makes a nameless file the one at path, where none may be.
func giveName(file *os.File, path string) error {
	err := unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", file.Fd()), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.PathError{Op: "link", Path: path, Err: err}
	}
	return nil
}

// startWriting lets the system write a stretch of the file to its disk while more is made, so that there is little left to wait for.
func startWriting(file *os.File, from, size int64) {
	_ = unix.SyncFileRange(int(file.Fd()), from, size, unix.SYNC_FILE_RANGE_WRITE) // it only saves time
}
