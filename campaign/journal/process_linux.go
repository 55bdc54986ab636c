package journal

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// startOf is when a process started, in clock ticks since the machine did, and whether it lives. A zombie does not: it can send nothing.
func startOf(pid int) (started string, lives bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		// /proc may hide other users' processes.
		hidden := errors.Is(err, fs.ErrNotExist) && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
		return "", hidden
	}
	return parseStat(string(b))
}

// parseStat reads the state and field 22 of /proc/PID/stat. The name, field 2, may hold spaces and brackets, so counting starts behind it.
func parseStat(line string) (started string, lives bool) {
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(fields) < 20 {
		return "", false
	}
	return fields[19], !strings.ContainsAny(fields[0], "ZX")
}
