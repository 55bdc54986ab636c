package output

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrNoTerminal says that a question had to be asked and stdin is no terminal.
var ErrNoTerminal = errors.New("there is no terminal to ask")

// ErrDeclined says that a question was answered with anything but what it asked for.
var ErrDeclined = errors.New("the question was declined")

// Ask puts a question to Err and returns the typed line without spaces around it. It is ErrNoTerminal when In is no terminal.
func (s *Streams) Ask(ctx context.Context, prompt string) (string, error) {
	if !s.InTTY {
		return "", ErrNoTerminal
	}
	s.mu.Lock()
	s.clearBar()
	fmt.Fprintf(s.Err, "%s ", s.clean(prompt))
	s.mu.Unlock()

	type answer struct {
		line string
		err  error
	}
	typed := make(chan answer, 1)
	// A read from a terminal cannot be taken back: after an interrupt the goroutine stays in it until the process ends.
	go func() {
		line, err := bufio.NewReader(s.In).ReadString('\n')
		typed <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.Err)
		return "", context.Cause(ctx)
	case a := <-typed:
		if errors.Is(a.err, io.EOF) && a.line == "" {
			fmt.Fprintln(s.Err)
			return "", ErrDeclined
		}
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return "", fmt.Errorf("read the answer: %w", a.err)
		}
		return strings.TrimSpace(a.line), nil
	}
}

// ConfirmCount asks for the number of people and is nil only when exactly that was typed, with or without separators.
func (s *Streams) ConfirmCount(ctx context.Context, question string, people int) error {
	typed, err := s.Ask(ctx, fmt.Sprintf("%s Type the number of people to go on:", question))
	if err != nil {
		return err
	}
	plain := strings.NewReplacer(",", "", ".", "", " ", "", "\u00a0", "", "'", "").Replace(typed)
	if n, err := strconv.Atoi(plain); err != nil || n != people {
		return fmt.Errorf("%w: %q is not %s", ErrDeclined, typed, Count(people))
	}
	return nil
}
