package journal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/template"
)

// big is a campaign of n template messages, made while it is read.
func big(uid [16]byte, n int) iter.Seq2[Planned, error] {
	return func(yield func(Planned, error) bool) {
		for i := range n {
			p := person(uid, i, 5511900000000+i, "")
			p.Message = template.Message{Type: template.TypeTemplate, Template: "order_ready", Language: "pt_BR",
				Body: []template.Parameter{{Text: fmt.Sprint("Maria ", i)}, {Text: "4711"}}}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// BenchmarkMillion goes through what a campaign of 1,000,000 asks of the journal before and after the send.
func BenchmarkMillion(b *testing.B) {
	const n = 1_000_000
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "state.db")
		s := openTest(b, path)
		ctx := context.Background()
		uid := NewUID()
		lap := func(name string) func() {
			start := time.Now()
			return func() { b.ReportMetric(time.Since(start).Seconds(), name+"-s") }
		}
		done := lap("plan")
		for range big(uid, n) {
		}
		done()
		done = lap("create")
		c := must[Campaign](b)(s.Create(ctx, Campaign{Target: home, Name: "big", UID: uid}, big(uid, n)))
		done()
		done = lap("compare")
		must[Drift](b)(s.Compare(ctx, c, big(uid, n)))
		done()
		done = lap("pending")
		list := must[[]Waiting](b)(s.Pending(ctx, c))
		done()
		b.ReportMetric(float64(cap(list))*float64(unsafe.Sizeof(Waiting{}))/n, "B/pending")
		done = lap("counts")
		must[Counts](b)(s.Counts(ctx, c))
		done()
		l := must[*Lease](b)(s.Acquire(ctx, ThisProcess(), Claim{Target: home, Campaign: "big"}))
		run := must[*Run](b)(l.Run(ctx, c, false))
		done = lap("update")
		must[Drift](b)(run.Update(ctx, c, big(uid, n)))
		done()
		s.Close()
		done = lap("open")
		openTest(b, path)
		done()
		info := must[os.FileInfo](b)(os.Stat(path))
		b.ReportMetric(float64(info.Size())/n, "B/step")
	}
}

// commits writes n batches of 5 intents and the 5 answers of the batch before, and returns how long each took, in order of length.
func commits(b *testing.B, run *Run, n int) []time.Duration {
	times := make([]time.Duration, n)
	for i := range times {
		var intents []campaign.Intent
		var results []campaign.Result
		for k := range 5 {
			intents = append(intents, intent(5*i+k, 1))
			if i > 0 {
				a := accepted
				a.MessageID = "wamid." + campaign.StepID([16]byte{1}, "m", 5*i+k)
				results = append(results, answered(5*(i-1)+k, 1, campaign.Sent, a))
			}
		}
		start := time.Now()
		if err := run.Commit(context.Background(), intents, results); err != nil {
			b.Fatal(err)
		}
		times[i] = time.Since(start)
	}
	return sorted(times)
}

// appends is the least that durability costs: one short write and one fsync to a bare file.
func appends(b *testing.B, n int) []time.Duration {
	f := must[*os.File](b)(os.Create(filepath.Join(b.TempDir(), "log")))
	defer f.Close()
	record := make([]byte, 10*72)
	times := make([]time.Duration, n)
	for i := range times {
		start := time.Now()
		_, err := f.Write(record)
		if err = errors.Join(err, f.Sync()); err != nil {
			b.Fatal(err)
		}
		times[i] = time.Since(start)
	}
	return sorted(times)
}

func sorted(times []time.Duration) []time.Duration {
	slices.Sort(times)
	return times
}

// BenchmarkCommit compares a Commit of 5 intents and 5 answers with an append to a bare file in the same run.
func BenchmarkCommit(b *testing.B) {
	const n = 4000
	for b.Loop() {
		s := openTest(b, filepath.Join(b.TempDir(), "state.db"))
		ctx := context.Background()
		uid := NewUID()
		c := must[Campaign](b)(s.Create(ctx, Campaign{Target: home, Name: "big", UID: uid}, big(uid, 100_000)))
		l := must[*Lease](b)(s.Acquire(ctx, ThisProcess(), Claim{Target: home, Campaign: "big"}))
		run := must[*Run](b)(l.Run(ctx, c, false))
		ours, bare := commits(b, run, n), appends(b, n)
		for name, at := range map[string]int{"p50": n / 2, "p99": n * 99 / 100, "max": n - 1} {
			b.ReportMetric(ours[at].Seconds()*1e3, name+"-ms")
			b.ReportMetric(bare[at].Seconds()*1e3, "bare-"+name+"-ms")
		}
		b.ReportMetric(float64(ours[n/2])/float64(bare[n/2]), "p50-ratio")
	}
}
