package cmd

import (
	"io"
	"time"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
)

// readingBar shows how far a list was read. A nil one shows nothing.
type readingBar struct {
	bar   *output.Bar
	begun time.Time
	total int64
	sheet bool // the list is a workbook, which is read as a whole before its rows come
}

// reading shows a bar for one reading of the list, until the returned function is called.
func (s *source) reading(label string) (over func()) {
	if s.out == nil || s.info == nil {
		return func() {}
	}
	bar := s.out.ProgressBytes(int(s.info.Size()), label)
	if bar == nil {
		return func() {}
	}
	s.bar = &readingBar{bar: bar, begun: time.Now(), total: s.info.Size(), sheet: s.startsWith(workbookMark)}
	return func() {
		s.bar = nil
		bar.Close()
	}
}

// at tells that n bytes of the total are read.
func (b *readingBar) at(n, total int64) {
	p := output.Progress{Elapsed: time.Since(b.begun), Done: int(b.total)}
	if total > 0 {
		p.Done = int(float64(b.total) * min(1, float64(n)/float64(total)))
	}
	if seconds := p.Elapsed.Seconds(); seconds > 0 && p.Done > 0 {
		p.Rate = float64(p.Done) / seconds
		p.Left = time.Duration(float64(b.total-int64(p.Done)) / p.Rate * float64(time.Second))
	}
	b.bar.Update(p)
}

// sheetAt tells how much of a workbook's sheet is read; of text its reader tells it.
func (b *readingBar) sheetAt(l *normalize.List) {
	if b == nil || !b.sheet {
		return
	}
	if done, total := l.SheetRead(); total > 0 {
		b.at(done, total)
	}
}

// watched is a text whose reading the bar follows.
type watched struct {
	in   io.Reader
	bar  *readingBar
	read int64
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.in.Read(b)
	w.read += int64(n)
	w.bar.at(w.read, w.bar.total)
	return n, err
}
