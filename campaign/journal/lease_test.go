package journal

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// deadPID is the id of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux looks at processes")
	}
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func TestJudge(t *testing.T) {
	me := ThisProcess()
	if me.PID == 0 || me.Machine == "" {
		t.Fatalf("ThisProcess = %+v", me)
	}
	with := func(change func(*Process)) Process {
		h := me
		change(&h)
		return h
	}
	gone := deadPID(t)
	tests := []struct {
		name   string
		holder Process
		quiet  time.Duration
		want   standing
	}{
		{"this very process", me, time.Hour, alive},
		{"ended process", with(func(h *Process) { h.PID = gone }), 0, dead},
		{"its id was given to another process", with(func(h *Process) { h.Started = "1" }), 0, dead},
		{"machine was started again", with(func(h *Process) { h.Boot = "b" }), 0, dead},
		{"other machine, long ago", with(func(h *Process) { h.Machine = "m"; h.Boot = "b" }), 1000 * time.Hour, foreign},
		{"other container, beating", with(func(h *Process) { h.Space = "pid:[1]"; h.PID = gone }), 59 * time.Second, alive},
		{"other container, silent", with(func(h *Process) { h.Space = "pid:[1]" }), 61 * time.Second, dead},
		{"nothing known of its start, beating", with(func(h *Process) { h.Started = "" }), time.Second, alive},
		{"nothing known of its start, silent", with(func(h *Process) { h.Started = "" }), 2 * time.Minute, dead},
		{"clock went back", with(func(h *Process) { h.Started = "" }), -time.Hour, alive},
	}
	for _, tt := range tests {
		if got := me.judge(tt.holder, tt.quiet); got != tt.want {
			t.Errorf("%s: judge = %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestAcquire(t *testing.T) {
	me := ThisProcess()
	far := me
	far.Machine, far.Host = "another", "elsewhere"
	tests := []struct {
		name     string
		p        Process
		claim    Claim
		want     error // nil: granted
		whatHeld string
	}{
		{"same campaign", me, Claim{Target: home, Campaign: "a"}, ErrInUse, `campaign "a"`},
		{"other campaign, same number", me, Claim{Target: home, Campaign: "b"}, ErrInUse, "number 106540352242922"},
		{"one of two numbers", me, Claim{Target: Target{home.Provider, home.BaseURL, "9"}, Campaign: "b", Numbers: []string{"2"}}, ErrInUse, "number 2"},
		{"living process is not robbed", me, Claim{Target: home, Campaign: "a", TakeOver: true}, ErrInUse, `campaign "a"`},
		{"from another machine", far, Claim{Target: home, Campaign: "a"}, ErrOtherMachine, `campaign "a"`},
		{"from another machine, asked to", far, Claim{Target: home, Campaign: "a", TakeOver: true}, nil, ""},
		{"other number", me, Claim{Target: Target{home.Provider, home.BaseURL, "3"}, Campaign: "a"}, nil, ""},
		{"same number elsewhere", me, Claim{Target: Target{"cloud", home.BaseURL, home.NumberID}, Campaign: "a"}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openTest(t, filepath.Join(t.TempDir(), "state.db"))
			held := must[*Lease](t)(s.Acquire(t.Context(), me, Claim{Target: home, Campaign: "a", Numbers: []string{"2"}}))
			l, err := s.Acquire(t.Context(), tt.p, tt.claim)
			if !errors.Is(err, tt.want) {
				t.Fatalf("Acquire = %v, want %v", err, tt.want)
			}
			if tt.want == nil {
				if err := l.Release(t.Context()); err != nil {
					t.Fatal(err)
				}
				return
			}
			e, ok := errors.AsType[*InUseError](err)
			if !ok || e.What != tt.whatHeld || e.Holder != me || e.Since.IsZero() || e.Hint() == "" || !errors.Is(err, ErrInUse) {
				t.Errorf("Acquire = %#v, want %s held by this process", e, tt.whatHeld)
			}
			if err := held.Beat(t.Context()); err != nil {
				t.Errorf("the holder lost something: %v", err)
			}
			free := Claim{Target: Target{home.Provider, home.BaseURL, "9"}, Campaign: "free"}
			must[*Lease](t)(s.Acquire(t.Context(), me, free)) // a refused claim leaves nothing behind
			if err := held.Release(t.Context()); err != nil {
				t.Fatal(err)
			}
			must[*Lease](t)(s.Acquire(t.Context(), me, Claim{Target: home, Campaign: "a", Numbers: []string{"2"}}))
		})
	}
}

func TestCopiedStateIsRefused(t *testing.T) {
	w := newScene(t, 2)
	ctx := t.Context()
	if err := w.l.Release(ctx); err != nil {
		t.Fatal(err)
	}
	far := ThisProcess()
	far.Machine, far.Host = "another", "elsewhere"
	claim := Claim{Target: home, Campaign: "spring"}
	_, err := w.Acquire(ctx, far, claim)
	if !errors.Is(err, ErrOtherMachine) || !strings.Contains(err.Error(), w.l.p.Host) {
		t.Fatalf("Acquire on another machine = %v, want ErrOtherMachine that names %s", err, w.l.p.Host)
	}
	claim.TakeOver = true
	l := must[*Lease](t)(w.Acquire(ctx, far, claim))
	if err := l.Release(ctx); err != nil {
		t.Fatal(err)
	}
	claim.TakeOver = false
	must[*Lease](t)(w.Acquire(ctx, far, claim)) // taken over once is enough
}

func TestTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "state.db")
	uid := NewUID()
	const n = 4
	var wg sync.WaitGroup
	opened, leased, created := make([]error, n), make([]error, n), make([]error, n)
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			var s *Store
			if s, opened[i] = Open(t.Context(), path, Options{}); opened[i] != nil {
				return
			}
			defer s.Close()
			_, leased[i] = s.Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: "spring"})
			_, created[i] = s.Create(t.Context(), Campaign{Target: home, Name: "spring", UID: uid}, sequence(testPlan(uid, 100, nil)))
		})
	}
	close(start)
	wg.Wait()
	won := func(errs []error, other error) (n int) {
		for _, err := range errs {
			if err == nil {
				n++
			} else if !errors.Is(err, other) {
				t.Errorf("%v, want nil or %v", err, other)
			}
		}
		return n
	}
	if n := won(opened, nil); n != len(opened) {
		t.Fatalf("%d of %d could open the new file", n, len(opened))
	}
	if n := won(leased, ErrInUse); n != 1 {
		t.Errorf("%d got the lease, want 1", n)
	}
	if n := won(created, ErrExists); n != 1 {
		t.Errorf("%d made the campaign, want 1", n)
	}
}
