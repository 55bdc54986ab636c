package cmd

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/analyze/readlog"
	"github.com/wactl/wactl/cmd/output"
)

// logFlags are the flags of the commands that read message logs: where they are, and what they do not tell themselves.
type logFlags struct {
	logFormat string
	mapping   string
	timezone  string
	dateOrder *choice
	codeMap   []string
	region    string
	filesFrom string
}

// The date orders; the first is found out by looking.
var dateOrders = []string{"auto", "dmy", "mdy"}

func (f *logFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.logFormat, "log-format", "", "read the log as `FORMAT` instead of finding out; a wrong name lists them")
	flags.StringVar(&f.mapping, "map", "", "`FIELD=COLUMN,…` of a table that is not known: at, recipient, from, status, code, reason, id, template, text, campaign, direction")
	flags.StringVar(&f.timezone, "timezone", "", "`ZONE` of times without one, such as America/Sao_Paulo or -03:00")
	f.dateOrder = choiceFlag(c, "date-order", "how to read 03/04/2026", dateOrders...)
	flags.StringArrayVar(&f.codeMap, "code-map", nil, "`OWN=CODE`: a code of your provider and the platform's, such as 11=131056; may be repeated")
	flags.StringVar(&f.region, "region", "", "country of numbers that are written without one, such as `BR`")
	flags.StringVar(&f.filesFrom, "files-from", "", "read the names of logs from `FILE`, one a line; - is stdin")
}

// paths are the logs to read: those of the command line, then those of --files-from.
func (a *app) paths(f *logFlags, args []string) ([]string, error) {
	if f.filesFrom == "" {
		return args, nil
	}
	in := a.out.In
	if f.filesFrom != stdio {
		file, err := os.Open(f.filesFrom)
		if err != nil {
			return nil, unusable("--files-from names a file with the names of logs, one a line", "files-from: %w", err)
		}
		defer file.Close()
		in = file
	}
	paths := slices.Clone(args)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name := strings.TrimSuffix(lines.Text(), "\r"); name != "" {
			paths = append(paths, name)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, unusable("--files-from names a file with the names of logs, one a line", "read %s: %w", f.filesFrom, err)
	}
	if f.filesFrom == stdio && slices.Contains(paths, stdio) {
		return nil, unusable("write the names into a file", "stdin cannot be a log and the names of logs")
	}
	return paths, nil
}

// options are how the logs are to be read.
func (a *app) readOptions(f *logFlags, args []string) (o readlog.Options, err error) {
	if o.Paths, err = a.paths(f, args); err != nil {
		return o, err
	}
	if len(o.Paths) == 0 {
		return o, unusable("name a log file or a folder of them; - is stdin", "there is no log to read")
	}
	if o.Timezone, err = parseZone(f.timezone); err != nil {
		return o, err
	}
	if f.mapping != "" {
		if o.Map, err = readlog.ParseMap(f.mapping); err != nil {
			return o, &Fail{Exit: exitUnusable, Err: err, Hint: "write it as --map at=COLUMN,recipient=COLUMN,…"}
		}
	}
	if f.dateOrder.value != dateOrders[0] {
		o.DateOrder = f.dateOrder.value
	}
	o.Stdin, o.Format, o.Region = a.out.In, f.logFormat, f.region
	return o, nil
}

// parseZone reads the name of a zone, or an offset such as -03:00. Empty is nil.
func parseZone(text string) (*time.Location, error) {
	if text == "" {
		return nil, nil
	}
	for _, layout := range []string{"-07:00", "-0700", "Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			_, offset := t.Zone()
			return time.FixedZone(text, offset), nil
		}
	}
	zone, err := time.LoadLocation(text)
	if err != nil || text == "Local" {
		return nil, unusable("name a zone such as America/Sao_Paulo, or an offset such as -03:00", "--timezone %q is no zone that is known", text)
	}
	return zone, nil
}

// codeMap reads OWN=CODE pairs.
func (f *logFlags) codes() (map[int]int, error) {
	codes := map[int]int{}
	for _, pair := range splitAll(f.codeMap) {
		own, means, _ := strings.Cut(pair, "=")
		from, err1 := strconv.Atoi(strings.TrimSpace(own))
		to, err2 := strconv.Atoi(strings.TrimSpace(means))
		if err1 != nil || err2 != nil {
			return nil, unusable("write it as --code-map 11=131056", "--code-map %q is no pair of codes", pair)
		}
		codes[from] = to
	}
	return codes, nil
}

func splitAll(given []string) (all []string) {
	for _, g := range given {
		all = append(all, strings.Split(g, ",")...)
	}
	return all
}

// bytesRead draws how far the logs are read.
type bytesRead struct {
	bar   *output.Bar
	start time.Time
	done  atomic.Int64
	total int64
}

const mebibyte = 1 << 20

// begin draws the bar once it is known how much there is to read; until then nothing is counted.
func (b *bytesRead) begin(out *output.Streams, size int64) {
	b.total = size
	b.bar = out.Progress(int(size/mebibyte), "read, MiB:")
}

// add counts n more bytes.
func (b *bytesRead) add(n int64) {
	done := b.done.Add(n)
	p := output.Progress{Elapsed: time.Since(b.start), Done: int(done / mebibyte)}
	if p.Elapsed > 0 && done > 0 {
		p.Rate = float64(done) / mebibyte / p.Elapsed.Seconds()
		p.Left = time.Duration(float64(max(0, b.total-done)) / float64(done) * float64(p.Elapsed))
	}
	b.bar.Update(p)
}

func (b *bytesRead) close() { b.bar.Close() }
