//go:build linux

package cmd_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"
)

var (
	listRows  = flag.Int("rows", 100_000, "rows of the list that BenchmarkLists reads")
	listPeers = flag.String("peers", "go,node,python,duckdb", "whom BenchmarkLists compares with, by commas")
)

// The make-up of the list, in rows of a hundred.
const (
	benchRepeats = 5
	benchInvalid = 5
	benchBrazil  = 40

	benchEarlier = 1 << 16 // rows of which one may be repeated
)

// benchWritings are how people write numbers: the region's share, and layouts in which each # is a digit.
var benchWritings = []struct {
	share   int
	layouts []string
}{
	{benchBrazil, []string{"+55119########", "+55 21 9####-####", "(11) 9####-####", "319########", "55419########", "051 9#### ####"}},
	{20, []string{"+5255########", "+52 1 55 #### ####", "+52 55 #### ####"}},
	{15, []string{"+54 9 11 5#######", "+54911#5######"}},
	{15, []string{"+1 212 5## ####", "+1 (415) 8##-####"}},
	{10, []string{"+91 98### #####", "+9199########"}},
}

var benchJunk = []string{"n/a", "+5511", "1234", "+999123456789", "11 9876", "sem telefone", "+55 11 1234"}

// writeBenchList writes a list of mixed writings, the same for every run.
func writeBenchList(path string, rows int) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w, r := bufio.NewWriterSize(file, 1<<20), rand.New(rand.NewPCG(1, 2))
	w.WriteString("name,phone,city,coupon,note\n")
	var earlier []string
	for range rows {
		if len(earlier) > 0 && r.IntN(100) < benchRepeats {
			w.WriteString(earlier[r.IntN(len(earlier))])
			continue
		}
		note := "cliente desde 2019"
		if r.IntN(50) == 0 {
			note = "\"pediu: azul, grande\""
		}
		row := fmt.Sprintf("Ana Souza %d,%s,São Paulo,CUPOM%d,%s\n", r.IntN(1_000_000), benchPhone(r), r.IntN(97), note)
		w.WriteString(row)
		if len(earlier) < benchEarlier {
			earlier = append(earlier, row)
		} else {
			earlier[r.IntN(benchEarlier)] = row
		}
	}
	return w.Flush()
}

// benchPhone is one phone cell.
func benchPhone(r *rand.Rand) string {
	if r.IntN(100) < benchInvalid {
		return benchJunk[r.IntN(len(benchJunk))]
	}
	at := r.IntN(100)
	for _, w := range benchWritings {
		if at -= w.share; at >= 0 {
			continue
		}
		cell := []byte(w.layouts[r.IntN(len(w.layouts))])
		for i, c := range cell {
			if c == '#' {
				cell[i] = byte('0' + r.IntN(10))
			}
		}
		return string(cell)
	}
	panic("the shares are fewer than a hundred")
}

// plainLoop is what one writes without thinking of size: encoding/csv, the phone library, a map.
func plainLoop(list, out string) error {
	in, err := os.Open(list)
	if err != nil {
		return err
	}
	defer in.Close()
	to, err := os.Create(out)
	if err != nil {
		return err
	}
	defer to.Close()
	r, w, seen := csv.NewReader(bufio.NewReader(in)), csv.NewWriter(to), map[string]bool{}
	header, err := r.Read()
	if err != nil {
		return err
	}
	phone := slices.Index(header, "phone")
	for err = w.Write(header); err == nil; {
		var row []string
		if row, err = r.Read(); err != nil {
			break
		}
		n, fault := phonenumbers.Parse(row[phone], "BR")
		if fault != nil || !phonenumbers.IsValidNumber(n) {
			continue
		}
		phonenumbers.GetNumberType(n)
		row[phone] = phonenumbers.Format(n, phonenumbers.E164)
		if !seen[row[phone]] {
			seen[row[phone]] = true
			err = w.Write(row)
		}
	}
	w.Flush()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, w.Error())
}

// run is what a whole process took.
type run struct {
	wall, cpu time.Duration // by the clock, and of the processors
	peak      int64         // KiB resident
}

// best keeps the least of two runs: what others do on the machine only adds.
func (r run) best(other run) run {
	if r.wall == 0 {
		return other
	}
	return run{min(r.wall, other.wall), min(r.cpu, other.cpu), min(r.peak, other.peak)}
}

// measured runs a command to its end. Rejected rows make wactl end with 1, which is no failure here.
//
// This program run anew stands between: Linux counts the memory of who starts a process as that process's own, and this one has held the
// peers' maps.
func measured(b *testing.B, name string, args ...string) run {
	b.Helper()
	c := exec.Command(os.Args[0], append([]string{name}, args...)...)
	c.Env = append(os.Environ(), measureVariable+"=1")
	out, err := c.CombinedOutput()
	var wall, cpu, peak int64
	last := bytes.LastIndexByte(bytes.TrimRight(out, "\n"), '\n') + 1
	if _, unread := fmt.Sscanf(string(out[last:]), measuredAs, &wall, &cpu, &peak); err != nil || unread != nil {
		b.Fatalf("%s: %v\n%s", name, err, out)
	}
	return run{time.Duration(wall), time.Duration(cpu), peak}
}

// How this program is told to measure a command, and how it tells what that took.
const (
	measureVariable = "WACTL_TEST_MEASURE"
	measuredAs      = "took %d ns, %d ns of the processors and %d KiB\n"
)

// measure runs a command and tells what it took. It ends with 1 where the command failed.
func measure(name string, args ...string) int {
	c := exec.Command(name, args...)
	start := time.Now()
	out, err := c.CombinedOutput()
	wall := time.Since(start)
	exit, failed := errors.AsType[*exec.ExitError](err)
	if err != nil && (!failed || exit.ExitCode() != 1 || filepath.Base(name) != "wactl") {
		fmt.Printf("%v\n%s", err, out)
		return 1
	}
	u := c.ProcessState.SysUsage().(*syscall.Rusage) // this file is for Linux
	fmt.Printf(measuredAs, wall, c.ProcessState.UserTime()+c.ProcessState.SystemTime(), u.Maxrss)
	return 0
}

func init() {
	if os.Getenv(measureVariable) != "" {
		os.Exit(measure(os.Args[1], os.Args[2:]...))
	}
}

// inOneCore runs the plain loop in this process, on one core. Its memory is not known apart.
func inOneCore(b *testing.B, list, out string) run {
	b.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	start, before := time.Now(), used(b)
	if err := plainLoop(list, out); err != nil {
		b.Fatal(err)
	}
	return run{wall: time.Since(start), cpu: used(b) - before}
}

// used is what this process has had of the processors.
func used(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLists runs whole commands and their peers by turns on one list, and prints how many times faster wactl is: by the clock, and in
// time of the processors, which says more on a busy machine. A peer that is not there is named. NODE_PATH leads to libphonenumber-js and @duckdb/node-api.
//
//	NODE_PATH=…/node_modules go test ./cmd -run '^$' -bench Lists -benchtime 3x -rows 1000000
func BenchmarkLists(b *testing.B) {
	folder := b.TempDir()
	list, program := filepath.Join(folder, "list.csv"), filepath.Join(folder, "wactl")
	if out, err := exec.Command("go", "build", "-o", program, housePath).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	if err := writeBenchList(list, *listRows); err != nil {
		b.Fatal(err)
	}
	out := filepath.Join(folder, "out.csv")
	runs := map[string]func() run{
		"normalize": func() run { return measured(b, program, "normalize", list, "--region", "BR", "-o", out) },
		"lint":      func() run { return measured(b, program, "lint", list, "--region", "BR") },
	}
	for name, peer := range peers(b, list, out) {
		runs[name] = peer
	}
	best := map[string]run{}
	for b.Loop() {
		for _, name := range slices.Sorted(maps.Keys(runs)) {
			best[name] = best[name].best(runs[name]())
		}
	}
	ours := best["normalize"]
	for name, r := range best {
		if name != "normalize" {
			b.ReportMetric(r.wall.Seconds()/ours.wall.Seconds(), "times-"+name)
			b.ReportMetric(r.cpu.Seconds()/ours.cpu.Seconds(), "cpu-times-"+name)
		}
		if r.peak > 0 {
			b.ReportMetric(float64(r.peak)/1024, name+"-MiB")
		}
	}
	b.ReportMetric(float64(*listRows)/ours.wall.Seconds(), "rows/s")
	b.ReportMetric(ours.cpu.Seconds(), "cpu-s")
}

// peers are those who were asked for and are there.
func peers(b *testing.B, list, out string) map[string]func() run {
	scripts := filepath.Join(houseRoot, "testdata", "bench")
	all := map[string]struct{ check, command []string }{
		"node":   {[]string{"node", "-e", "require('libphonenumber-js')"}, []string{"node", filepath.Join(scripts, "normalize.cjs")}},
		"python": {[]string{"/usr/bin/python3", "-c", "import phonenumbers"}, []string{"/usr/bin/python3", filepath.Join(scripts, "normalize.py")}},
		"duckdb": {[]string{"node", "-e", "require('@duckdb/node-api')"}, []string{"node", filepath.Join(scripts, "distinct.cjs")}},
	}
	there := map[string]func() run{}
	for name := range strings.SplitSeq(*listPeers, ",") {
		p, known := all[name]
		switch {
		case name == "go":
			there[name] = func() run { return inOneCore(b, list, out) }
		case !known:
			b.Fatalf("no peer is called %q", name)
		case exec.Command(p.check[0], p.check[1:]...).Run() != nil:
			b.Logf("%s is absent: %q fails", name, p.check)
		default:
			there[name] = func() run { return measured(b, p.command[0], append(slices.Clone(p.command[1:]), list, out)...) }
		}
	}
	return there
}
