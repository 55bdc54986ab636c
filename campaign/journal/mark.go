package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

// mark is a small file beside the state that names the last intent whose commit had returned. When SQLite's log loses its end, what is left
// of it is a whole and older state, in which people are still to be written to who were: then the state does not know what the mark names.
//
// It is written after the commit and never synced, so it is never ahead of a disk that keeps its word. It holds no number of anybody. A mark
// that cannot be written guards less, and stops nothing.
type mark struct {
	once sync.Once
	file *os.File // nil: none could be made
}

const markSize = 20 // bytes: step, attempt, check sum

// open makes the mark ready, so that writing it later takes no room on the disk.
func (m *mark) open(path string) {
	m.once.Do(func() {
		f, err := os.OpenFile(path+"-mark", os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return
		}
		if info, err := f.Stat(); err == nil && info.Size() < markSize {
			_, _ = f.WriteAt(make([]byte, markSize), 0) // names nothing
		}
		m.file = f
	})
}

func (m *mark) close() {
	if m.file != nil {
		_ = m.file.Close() // nothing was promised of it
	}
}

// write names an intent that is on disk.
func (m *mark) write(step int64, attempt int) {
	if m.file == nil {
		return
	}
	b := binary.BigEndian.AppendUint64(make([]byte, 0, markSize), uint64(step))
	b = binary.BigEndian.AppendUint64(b, uint64(attempt))
	_, _ = m.file.WriteAt(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)), 0)
}

// readMark is the intent that the mark names; not ok where there is none.
func (s *Store) readMark() (step, attempt int64, ok bool) {
	f, err := os.Open(s.path + "-mark")
	if err != nil {
		return 0, 0, false
	}
	defer f.Close()
	var b [markSize]byte
	if _, err := io.ReadFull(f, b[:]); err != nil || binary.BigEndian.Uint32(b[16:]) != crc32.ChecksumIEEE(b[:16]) {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(b[:])), int64(binary.BigEndian.Uint64(b[8:])), true
}

// checkMark is an error where the state does not know the intent that the mark names.
func (s *Store) checkMark(ctx context.Context, q *session) error {
	step, attempt, ok := s.readMark()
	if !ok {
		return nil
	}
	var known bool
	err := q.one(ctx, "SELECT EXISTS (SELECT 1 FROM attempts WHERE step = ? AND attempt = ?)", []any{step, attempt}, &known)
	if err == nil && !known {
		err = errCutOff
	}
	return err
}

// forgetMark takes the mark away, before what it may name is erased on purpose and where a new state begins.
func forgetMark(path string) error {
	err := os.Remove(path + "-mark")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
