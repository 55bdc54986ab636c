//go:build linux

package cmd_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// faultRows is the table of everything that may go wrong with a send.
func faultRows() []faultRow {
	var rows []faultRow
	for _, s := range storms {
		rows = append(rows, faultRow{s.name, s.people, s.long, s.send})
	}
	return append(rows, []faultRow{
		{"API cannot be reached, then it can", 20, false, faultUnreachable}, // the longest first
		{"name of the API is not known", 10, false, faultNoName},
		{"kill -9 at random instants", 300, false, faultKills},
		{"kill -9 of the API half-way", 200, false, faultServerKilled},
		{"SIGSTOP half-way", 300, false, faultStopped},
		{"the API stands still for 20 s", 1000, true, faultStalled},
		{"disk full", 300, false, faultFull},
		{"file size limit reached", 300, false, faultFileLimit},
		{"state on a read-only disk", 100, false, faultReadOnly},
		{"WAL with rubbish at its end", 200, false, faultTail(func(wal []byte) []byte { return append(wal, make([]byte, 5000)...) })},
		{"WAL whose last bytes changed", 200, false, faultTail(flipTail)},
		{"WAL cut in its last frame", 200, false, faultTail(func(wal []byte) []byte { return wal[:len(wal)-100] })},
		{"WAL that lost its last frames", 200, false, faultTail(func(wal []byte) []byte { return wal[:len(wal)-min(len(wal)/3, 64<<10)] })},
		{"WAL removed", 200, false, faultTail(func([]byte) []byte { return nil })},
		{"state of a newer version", 60, false, faultNewer},
		{"second process on the campaign", 60, false, faultInUse},
		{"second process on the number", 60, false, faultInUse},
		{"state copied from another machine", 100, false, faultCopied},
		{"token invalid half-way", 150, false, faultToken},
		{"webhooks twice, late and in any order", 120, false, faultWebhooks},
		{"answers lost, settled by webhooks", 120, false, faultSettled},
		{"slow answers, 3 s", 60, false, func(c *faultCase) { c.serve("--latency", "3s"); c.rest("--mps", "40") }},
		{"answers after 60 s", 20, true, func(c *faultCase) { c.serve("--latency", "60s"); c.rest("--mps", "40", "--stop-after", "0") }},
		{"every request wrong, then mended", 60, false, faultWrong},
		{"storm of 130429: half the level that is known", 150, false, faultLevel},
		{"pair model bucket45", 60, false, faultPairs("bucket45")},
		{"pair model spaced", 60, false, faultPairs("spaced")},
	}...)
}

// storm is a kind of trouble with answers, as the emulator makes it.
type storm struct {
	name, fault string
	people      int
	long        bool
}

func (s storm) send(c *faultCase) {
	c.serve("--latency", "20ms", "--fault", s.fault)
	c.rest("--mps", "150", "--stop-after", "0")
	struck := slices.ContainsFunc(c.server.requests(), request.struck)
	if !struck && s.people >= 100 { // fewer may be spared by chance
		c.Error("no fault struck")
	}
}

// storms are answers that go wrong for a share of the requests, told to the emulator.
var storms = []storm{
	{"all at once", "130429:0.01,131056:0.02,500:0.02,html:0.02,cut:0.02,reset-before:0.02,drop-response:0.02,131026:0.02", 120, false}, // the longest first
	{"passing errors 131000, 131016 and 2", "131000:0.1,131016:0.1,2:0.05", 100, false},
	{"answers lost after acceptance", "drop-response:0.1", 150, false},
	{"JSON that is cut", "cut:0.1", 150, false},
	{"reset before a verdict", "reset-before:0.1", 150, false},
	{"HTTP 500", "500:0.1", 150, false},
	{"HTTP 503", "503:0.1", 150, false},
	{"HTTP 429 without a code", "429:0.03", 60, false},
	{"HTML with status 200", "html:0.1", 150, false},
	{"130429 for 4 % of the requests", "130429:0.04", 150, false},
	{"130429 for a third of the requests", "130429:0.3", 60, true},
	{"131056 for 5 % of the requests", "131056:0.05", 150, false},
	{"131056 for a quarter of the requests", "131056:0.25", 40, true},
	{"131057 for 2 % of the requests", "131057:0.02", 50, true},
	{"the number is upgraded for 60 s", "hold:0.01", 100, true},
	{"calls used up, 4 and 80007", "4:0.05,80007:0.05", 40, false},
	{"131026 for a tenth", "131026:0.1", 150, false},
	{"a code that nobody knows", "999999:0.1", 100, false},
	{"an answer that is a minute late for 2 %", "slow:0.02", 100, true},
}

func faultUnreachable(c *faultCase) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.Fatal(err)
	}
	address := closed.Addr().String()
	closed.Close()
	c.end(c.send("http://"+address, c.path), 3).says("could not be reached 5 times in a row")
	c.server = c.emulate("--listen", address)
	c.rest()
}

// The name must not exist anywhere, by its standard. Nobody is asked, so everybody stays pending.
func faultNoName(c *faultCase) {
	c.open = true
	c.end(c.send("https://api.wactl.invalid", c.path, "--force"), 3, 4)
}

func faultKills(c *faultCase) {
	c.serve("--latency", "80ms")
	kills := 5 * *faultScale
	for range kills {
		r := c.begin("--mps", "300")
		time.Sleep(time.Duration(c.random.Int64N(int64(700 * time.Millisecond))))
		_ = r.Process.Kill()
		c.end(r, -1, 0, 1)
	}
	c.rest("--mps", "300")
	c.ended = []string{fmt.Sprintf("%d kills, then %s", kills, c.ended[len(c.ended)-1])}
}

func faultServerKilled(c *faultCase) {
	c.serve("--latency", "100ms")
	r := c.begin("--mps", "100")
	c.server.sends(50)
	_ = c.server.Process.Kill()
	_ = c.server.Cmd.Wait()
	c.serve("--latency", "20ms")
	c.end(r, 0, 1, 3)
	c.rest()
}

func faultStopped(c *faultCase) {
	c.server = c.emulate("--mps", "80", "--latency", "100ms")
	r := c.begin("--mps", "76")
	c.server.sends(50)
	for range *faultScale {
		c.signal(r, syscall.SIGSTOP)
		time.Sleep(1500*time.Millisecond + time.Duration(c.random.Int64N(int64(time.Second))))
		c.signal(r, syscall.SIGCONT)
		time.Sleep(200 * time.Millisecond)
	}
	c.end(r, 0, 1)
	if refused := c.server.ledger().refused(); refused > 0 {
		c.Errorf("%d were refused after the stop: it caught up", refused)
	}
}

// An API that stands still and then takes all at once must not be met with more than its level: nothing is refused, and nothing left open.
func faultStalled(c *faultCase) {
	c.server = c.emulate("--mps", "80", "--latency", "100ms")
	r := c.begin("--mps", "76")
	c.server.sends(100)
	if err := c.server.Process.Signal(syscall.SIGSTOP); err != nil {
		c.Fatal(err)
	}
	time.Sleep(20 * time.Second)
	if err := c.server.Process.Signal(syscall.SIGCONT); err != nil {
		c.Fatal(err)
	}
	c.end(r, 0, 1) // the API itself may cut a request off whose head it began to read before it stopped
	if refused := c.server.ledger().refused(); refused > 0 {
		c.Errorf("%d were refused after the API had stood still", refused)
	}
}

func (c *faultCase) signal(r *process, s syscall.Signal) {
	c.Helper()
	if err := r.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		c.Fatal(err)
	}
}

// smallDisk mounts a small disk and moves the case's state there.
func (c *faultCase) smallDisk() string {
	folder := filepath.Join(c.folder, "small")
	if err := os.Mkdir(folder, 0o700); err != nil {
		c.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm", 12**faultScale)); err != nil {
		c.Skipf("a small disk cannot be mounted here: %v", err)
	}
	c.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

func faultFull(c *faultCase) {
	folder := c.smallDisk()
	c.serve("--latency", "50ms")
	c.folder = folder // where the state is
	r := c.begin("--mps", "100")
	c.server.sends(30)
	ballast := filepath.Join(folder, "ballast")
	fill(c.program, ballast)
	c.end(r, 3).says("state.db", "the disk is full", "free some space")
	if err := os.Remove(ballast); err != nil {
		c.Fatal(err)
	}
	c.rest("--mps", "300")
}

// A limit on the size of files strikes the state's log as a full disk would.
func faultFileLimit(c *faultCase) {
	c.serve("--latency", "50ms")
	r := c.begin("--mps", "100")
	c.server.sends(30)
	info, err := os.Stat(c.state() + "-wal")
	if err != nil {
		c.Fatal(err)
	}
	size := uint64(info.Size())
	if err := unix.Prlimit(r.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: size}, nil); err != nil {
		c.Skipf("no limit can be set here: %v", err)
	}
	c.end(r, 3).says("state.db", "hint:")
	c.rest("--mps", "300")
}

func faultReadOnly(c *faultCase) {
	folder := c.smallDisk()
	c.serve("--latency", "20ms")
	c.folder = folder
	c.end(c.begin("--mps", "200", "--max", "30"), 0)
	remount := func(flags uintptr) {
		if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT|flags, ""); err != nil {
			c.Skipf("a disk cannot be made read-only here: %v", err)
		}
	}
	remount(syscall.MS_RDONLY)
	asked := len(c.server.requests())
	c.end(c.begin(), 2).says("state.db", "read-only", "hint:")
	if now := len(c.server.requests()); now != asked {
		c.Errorf("%d requests left although nothing could be written", now-asked)
	}
	remount(0)
	c.rest("--mps", "300")
}

// faultTail kills a send and spoils the end of the log that it leaves.
func faultTail(spoil func(wal []byte) []byte) func(c *faultCase) {
	return func(c *faultCase) {
		c.serve("--latency", "50ms")
		r := c.begin("--mps", "150")
		c.server.sends(60 + c.random.IntN(80))
		_ = r.Process.Kill()
		c.end(r, -1)
		log := c.state() + "-wal"
		whole, err := os.ReadFile(log)
		if err != nil || len(whole) < 200 {
			c.Fatalf("the kill left no log: %v", err)
		}
		if err := os.WriteFile(log, spoil(append([]byte(nil), whole...)), 0o600); err != nil {
			c.Fatal(err)
		}
		asked := len(c.server.requests())
		again := c.end(c.begin("--mps", "200"), 0, 1, 2)
		if again.ProcessState.ExitCode() != 2 {
			return // nothing that was promised is missing, or the judge will see it
		}
		again.says("state.db", "damaged", "hint:")
		if now := len(c.server.requests()); now != asked {
			c.Errorf("%d requests left with a damaged state", now-asked)
		}
		if err := os.WriteFile(log, whole, 0o600); err != nil { // as from a backup
			c.Fatal(err)
		}
		c.rest("--mps", "200")
	}
}

// flipTail changes bytes in the last frame that the log holds.
func flipTail(wal []byte) []byte {
	for i := len(wal) - 300; i < len(wal)-200; i++ {
		wal[i] ^= 0x5a
	}
	return wal
}

func faultNewer(c *faultCase) {
	c.serve("--latency", "20ms")
	c.end(c.begin("--max", "20"), 0)
	set := func(version string) {
		db := c.program.open(c.state())
		if _, err := db.Exec("PRAGMA user_version = " + version); err != nil {
			c.Fatal(err)
		}
		db.Close()
	}
	db := c.program.open(c.state())
	var version string
	if err := db.QueryRow("SELECT user_version FROM pragma_user_version").Scan(&version); err != nil {
		c.Fatal(err)
	}
	db.Close()
	set("99")
	asked := len(c.server.requests())
	c.end(c.begin(), 2).says("state.db", "newer wactl", "hint:")
	if now := len(c.server.requests()); now != asked {
		c.Errorf("%d requests left with a state that it does not know", now-asked)
	}
	set(version)
	c.rest("--mps", "200")
}

func faultInUse(c *faultCase) {
	c.serve("--latency", "100ms")
	holder := c.begin("--mps", "20")
	c.server.sends(3)
	pid := fmt.Sprintf("process %d", holder.Process.Pid)
	if strings.HasSuffix(c.Name(), "number") {
		c.end(c.begin("--campaign", "other"), 5).says("number 1", pid)
	} else {
		c.end(c.begin(), 5).says("campaign", pid)
	}
	c.end(holder, 0)
}

// A state that was copied while its campaign was under way elsewhere is refused until somebody says that nothing runs there any more.
func faultCopied(c *faultCase) {
	c.serve("--latency", "50ms")
	r := c.begin("--mps", "100")
	c.server.sends(30)
	_ = r.Process.Kill()
	c.end(r, -1)
	db := c.program.open(c.state())
	for _, query := range []string{"UPDATE leases SET machine = 'elsewhere', host = 'far-away', boot = 'b'", "UPDATE campaigns SET machine = 'elsewhere', host = 'far-away'"} {
		if _, err := db.Exec(query); err != nil {
			c.Fatal(err)
		}
	}
	db.Close()
	asked := len(c.server.requests())
	c.end(c.begin(), 5).says("far-away", "--take-over")
	if now := len(c.server.requests()); now != asked {
		c.Errorf("%d requests left with a copied state", now-asked)
	}
	c.rest("--mps", "300", "--take-over")
}

func faultToken(c *faultCase) {
	old := c.write("old", c.token+"\n")
	c.server = c.emulate("--mps", "1000", "--token-file", old, "--latency", "50ms")
	r := c.begin("--mps", "60")
	c.server.sends(20)
	c.server.stop()
	c.server = c.emulate("--mps", "1000", "--listen", c.server.address(), "--token-file", c.write("new", "renewed\n"), "--latency", "50ms")
	c.end(r, 4).says("190")
	c.token = "renewed"
	c.rest("--mps", "200")
}

// A template that does not fit makes all requests wrong alike. Nobody fails for it, and all go out when it is mended.
func faultWrong(c *faultCase) {
	c.serve("--latency", "20ms", "--fault", "132000:1")
	c.end(c.begin("--mps", "100"), 4).says("132000")
	c.server.stop()
	c.serve("--latency", "20ms")
	c.end(c.begin("--mps", "100"), 0)
}

// faultPairs sends several messages to some people, while the platform reads its pair rule in its own way.
func faultPairs(model string) func(c *faultCase) {
	return func(c *faultCase) {
		for who := range 4 {
			c.list.add(who)
		}
		c.path = c.write("list.csv", c.list.text.String())
		c.serve("--latency", "50ms", "--pair-model", model)
		c.end(c.begin("--mps", "100"), 0)
		if refused := c.server.ledger().refused(); refused > 0 {
			c.Errorf("%d were refused", refused)
		}
	}
}

// The number may send half of what is believed, so the platform refuses until the sender has found its pace.
func faultLevel(c *faultCase) {
	c.server = c.emulate("--mps", "40", "--latency", "50ms")
	c.end(c.begin("--mps", "76"), 0)
	if refused := c.server.ledger().Refused["throughput"]; refused == 0 {
		c.Error("nothing was refused: there was no storm")
	}
}
