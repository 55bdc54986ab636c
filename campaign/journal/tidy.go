package journal

import (
	"context"
	"sync"
)

// tidyEvery is after how many transactions the write-ahead log is brought into the file: about every three seconds at 1,000 messages per second.
// More often means more fsyncs of the file, and each of them can hold up those of the log.
const tidyEvery = 1024

// tidier brings the write-ahead log into the file beside the writes. SQLite would do it inside a COMMIT, which then takes 50 ms and more
// every few seconds, and no message could leave meanwhile.
type tidier struct {
	q      *session
	turn   chan struct{}
	writes int // by whose turn it is
	due    chan struct{}
	quit   chan struct{}
	once   sync.Once
	done   sync.WaitGroup
}

// startTidier starts the tidier of s; it ends with stop.
func startTidier(ctx context.Context, s *Store) (*tidier, error) {
	q, err := newSession(ctx, s.readers)
	if err != nil {
		return nil, err
	}
	t := &tidier{q: q, turn: s.turn, due: make(chan struct{}, 1), quit: make(chan struct{})}
	t.done.Go(t.run)
	return t, nil
}

// wrote counts a transaction.
func (t *tidier) wrote() {
	if t == nil {
		return
	}
	if t.writes++; t.writes%tidyEvery == 0 {
		select {
		case t.due <- struct{}{}:
		default: // still at it
		}
	}
}

func (t *tidier) run() {
	for {
		select {
		case <-t.quit:
			return
		case <-t.due:
			// Most of it goes while others write. The little that they add meanwhile goes when nobody writes: only after a complete
			// pass does the log start again from its beginning, instead of growing. The second pass leaves less for that than the first.
			t.pass()
			t.pass()
			select {
			case <-t.quit:
				return
			case t.turn <- struct{}{}:
				t.pass()
				<-t.turn
			}
		}
	}
}

// pass copies what no reader holds back. An error is no loss, everything is in the log, and the next COMMIT meets it too.
func (t *tidier) pass() {
	t.q.exec(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)")
}

// stop waits until a pass has ended.
func (t *tidier) stop() {
	if t == nil {
		return
	}
	t.once.Do(func() {
		close(t.quit)
		t.done.Wait()
		t.q.close()
	})
}
