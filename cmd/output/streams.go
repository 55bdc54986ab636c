package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/lipgloss"
	"golang.org/x/term"
)

// Options are what the user may ask of all output. The zero Options are colour where possible, notes shown, numbers in full.
type Options struct {
	NoColor bool // no colour even on a terminal
	Dumb    bool // the terminal cannot be steered: no progress
	Quiet   bool // no notes and no progress; warnings and errors stay
	Mask    bool // middle digits of phone numbers and all wamids hidden
}

// Streams are the three streams of a command and what is known about them. Its methods may be called from several goroutines.
type Streams struct {
	In  io.Reader
	Out io.Writer // results; a reader that went away is no error
	Err io.Writer // everything that is no result

	InTTY, OutTTY, ErrTTY bool           // which of them are terminals
	Width                 int            // columns of the terminal that Out is, 0 when it is none
	Options               Options        // as last given to New or Use
	Zone                  *time.Location // of the times that people read

	out, err *sink
	outStyle *lipgloss.Renderer
	errStyle *lipgloss.Renderer
	mu       sync.Mutex // guards writes to Err and bar
	bar      *Bar       // what is drawn on Err now, nil without one
}

// New are Streams over in, out and err; which of them are terminals is found out here.
func New(in io.Reader, out, err io.Writer, o Options) *Streams {
	s := &Streams{In: in, Options: o, Zone: time.Local, out: &sink{w: out}, err: &sink{w: err},
		outStyle: lipgloss.NewRenderer(out), errStyle: lipgloss.NewRenderer(err)}
	s.Out, s.Err = s.out, s.err
	s.InTTY, _ = terminal(in)
	s.OutTTY, s.Width = terminal(out)
	s.ErrTTY, _ = terminal(err)
	return s
}

// Use takes other options from here on: they are known only after the flags were read.
func (s *Streams) Use(o Options) { s.Options = o }

// terminal tells whether a stream is a terminal and how many columns it has.
func terminal(stream any) (bool, int) {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false, 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = 80 // a terminal that does not tell its size
	}
	return true, width
}

// Failed is the first error of writing a result, nil also when the reader merely went away.
func (s *Streams) Failed() error {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	return s.out.err
}

// Line writes one line of result text.
func (s *Streams) Line(format string, args ...any) {
	s.result(s.clean(fmt.Sprintf(format, args...)) + "\n")
}

// Heading writes one line of result text that stands out on a terminal.
func (s *Streams) Heading(format string, args ...any) {
	text := s.clean(fmt.Sprintf(format, args...))
	if s.outColor() {
		text = s.outStyle.NewStyle().Bold(true).Render(text)
	}
	s.result(text + "\n")
}

// JSON writes v as one indented object. With Options.Mask the strings in it are masked; numbers are never touched.
func (s *Streams) JSON(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write result as JSON: %w", err)
	}
	text := SafeJSON(b.String())
	if s.Options.Mask {
		text = maskStrings(text)
	}
	s.result(text)
	return nil
}

// result writes to Out, with the progress bar out of the way: both may be the same terminal.
func (s *Streams) result(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearBar()
	io.WriteString(s.Out, text) // the sink keeps the error for Failed
}

// Note tells what goes on. It is not shown with Options.Quiet.
func (s *Streams) Note(format string, args ...any) {
	if !s.Options.Quiet {
		s.say(noteLabel, fmt.Sprintf(format, args...))
	}
}

// Warn tells what may be wrong although the work goes on.
func (s *Streams) Warn(format string, args ...any) { s.say(warnLabel, fmt.Sprintf(format, args...)) }

// Error tells what went wrong and where. Further lines of the text are indented.
func (s *Streams) Error(format string, args ...any) { s.say(errorLabel, fmt.Sprintf(format, args...)) }

// Hint tells what to do next, after Error or Warn.
func (s *Streams) Hint(format string, args ...any) { s.say(hintLabel, fmt.Sprintf(format, args...)) }

// label is the word before a message, with its ANSI colour: those of compilers, legible on light and on dark.
type label struct{ word, color string }

var (
	noteLabel  = label{"note:", "6"}
	warnLabel  = label{"warning:", "5"}
	errorLabel = label{"error:", "1"}
	hintLabel  = label{"hint:", "6"}
)

// say writes one message to Err. Only its first line carries the label, so that no foreign text can pose as a message of its own.
func (s *Streams) say(l label, text string) {
	word := l.word
	if s.ErrTTY && !s.Options.NoColor {
		word = s.errStyle.NewStyle().Bold(true).Foreground(lipgloss.Color(l.color)).Render(word)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = s.clean(line)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearBar()
	fmt.Fprintf(s.Err, "%s %s\n", word, strings.Join(lines, "\n  "))
}

func (s *Streams) clean(text string) string {
	if s.Options.Mask {
		text = Mask(text)
	}
	return Safe(text)
}

func (s *Streams) outColor() bool { return s.OutTTY && !s.Options.NoColor }

// sink swallows writes once its reader went away, and remembers any other failure.
type sink struct {
	w    io.Writer
	mu   sync.Mutex
	gone bool
	err  error
}

func (k *sink) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.gone {
		return len(p), nil
	}
	n, err := k.w.Write(p)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		k.gone = true
		return len(p), nil
	}
	if err != nil && k.err == nil {
		k.err = err
	}
	return n, err
}
