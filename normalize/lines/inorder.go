package lines

import (
	"errors"
	"io"
	"iter"
	"runtime"
	"sync"
)

// waiting is how many blocks stand between reading and handing out, beside one for each worker.
const waiting = 2

// task is a block on its way through a worker.
type task[T any] struct {
	block Block
	out   T
	done  chan struct{}
}

// InOrder hands out what work makes of each block of the file's rest, in file order. Work runs on all cores at once; reading and yield
// stay where InOrder is ranged over. An error of the file is the last pair, after all that stood before it.
func InOrder[T any](r *Reader, work func(Block) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		workers := runtime.GOMAXPROCS(0)
		jobs := make(chan *task[T], workers+waiting)
		var group sync.WaitGroup
		defer group.Wait()
		defer close(jobs)
		defer r.Close()
		for range workers {
			group.Go(func() {
				for t := range jobs {
					t.out = work(t.block)
					t.done <- struct{}{}
					runtime.Gosched() // who waits for the block goes first: it hands out the next ones
				}
			})
		}
		queue := &queue[T]{source: blocks{r: r, least: leastBlock}, jobs: jobs}
		for {
			t := queue.next()
			if t == nil {
				break
			}
			<-t.done
			if !yield(t.out, nil) {
				return
			}
			queue.free = append(queue.free, t)
		}
		if err := queue.source.ended; !errors.Is(err, io.EOF) {
			var none T
			yield(none, err)
		}
	}
}

// queue keeps the workers busy and remembers the order.
type queue[T any] struct {
	source blocks
	jobs   chan<- *task[T]
	inWork []*task[T]
	free   []*task[T]
	over   bool
}

// unused is a task that nobody works on any more, or a new one.
func (q *queue[T]) unused() (t *task[T]) {
	last := len(q.free) - 1
	if last < 0 {
		return &task[T]{done: make(chan struct{}, 1)}
	}
	t, q.free = q.free[last], q.free[:last]
	return t
}

// next is the oldest task, nil after the last one. Before it waits for it, it gives the workers what else they can take.
func (q *queue[T]) next() *task[T] {
	for !q.over && len(q.inWork) < cap(q.jobs) {
		t := q.unused()
		q.source.room = t.block.room
		block, err := q.source.next()
		if q.over = err != nil; q.over {
			break
		}
		if block.room == nil {
			block.room = t.block.room // it was cut with care
		}
		t.block = block
		q.inWork = append(q.inWork, t)
		q.jobs <- t
	}
	if len(q.inWork) == 0 {
		return nil
	}
	t := q.inWork[0]
	q.inWork = append(q.inWork[:0], q.inWork[1:]...)
	return t
}
