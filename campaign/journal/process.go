package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"time"
)

// Process is who holds a lease: enough to tell later whether it still lives, and to name it to a person.
type Process struct {
	PID     int
	Started string // start of the process in the system's own unit, empty where unknown
	Space   string // process id namespace: the same PID elsewhere is another process
	Host    string
	Machine string // id of the machine
	Boot    string // id of the machine's last start, empty where unknown
}

// ThisProcess describes the calling process.
func ThisProcess() Process {
	p := Process{PID: os.Getpid(), Boot: fileLine("/proc/sys/kernel/random/boot_id"), Machine: fileLine("/etc/machine-id")}
	p.Host, _ = os.Hostname()
	p.Space, _ = os.Readlink("/proc/self/ns/pid")
	p.Started, _ = startOf(p.PID)
	if p.Machine == "" {
		h := sha256.Sum256([]byte(p.Host))
		p.Machine = hex.EncodeToString(h[:16])
	}
	return p
}

// fileLine is the only line of a small system file, empty when it cannot be read.
func fileLine(name string) string {
	b, _ := os.ReadFile(name)
	return strings.TrimSpace(string(b))
}

// standing is what one process can say of the holder of a lease.
type standing int

const (
	alive   standing = iota // it may be sending right now
	dead                    // it sends nothing any more
	foreign                 // it is, or was, on another machine: only a person can know
)

// silence is how long the holder's heart may stand still where its process cannot be looked at.
const silence = 60 * time.Second

// judge says how the holder of a lease stands, seen from p. quiet is the time since its last heartbeat.
func (p Process) judge(holder Process, quiet time.Duration) standing {
	switch {
	case holder.Machine != p.Machine:
		return foreign
	case holder.Boot != p.Boot:
		return dead
	}
	if holder.Started == "" || holder.Space != p.Space {
		if quiet > silence {
			return dead
		}
		return alive
	}
	if started, lives := startOf(holder.PID); !lives || started != "" && started != holder.Started {
		return dead
	}
	return alive
}
