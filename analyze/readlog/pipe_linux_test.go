package readlog

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The kernel says how much a pipe holds.
func TestWidenedPipeHoldsMore(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if most := mostPipeRoom(t); most < pipeRoom {
		t.Skipf("this machine lets a pipe hold %d bytes at most", most)
	}
	if before := pipeHolds(t, r); before >= pipeRoom {
		t.Fatalf("a pipe holds %d bytes from the beginning", before)
	}
	widen(r)
	if after := pipeHolds(t, r); after < pipeRoom {
		t.Errorf("the pipe holds %d bytes, want %d", after, pipeRoom)
	}
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	widen(file) // no pipe: nothing happens
	if _, err := file.WriteString("{}\n"); err != nil {
		t.Error(err)
	}
}

// mostPipeRoom is what the administrator allows.
func mostPipeRoom(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/sys/fs/pipe-max-size")
	if err != nil {
		t.Skip(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// pipeHolds asks the kernel for the size of a pipe.
func pipeHolds(t *testing.T, f *os.File) (size int) {
	t.Helper()
	const getPipeRoom = 1032 // F_GETPIPE_SZ
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Control(func(fd uintptr) {
		n, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, getPipeRoom, 0)
		if size = int(n); errno != 0 {
			t.Fatal(errno)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}
