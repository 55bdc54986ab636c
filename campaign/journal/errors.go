package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// fault is one way in which a state file fails its user: what is wrong and what to do next.
type fault struct{ text, hint string }

func (f *fault) Error() string { return f.text }

// What can be wrong with a state file. Match with errors.Is; the error itself is a [StateError].
var (
	ErrNewerVersion error = &fault{"it was written by a newer wactl", "install that version of wactl, or name another file with --state"}
	ErrDamaged      error = &fault{"it is damaged or no wactl state", "it was left as it is; restore it from a copy, or name another file with --state"}
	errCutOff       error = &fault{"it is damaged: the end of what was written to it is missing", "put the file back that ends in -wal and lay beside it, or a copy of both; " +
		"without one, remove the file beside it that ends in -mark to go on: people who were written to last may then get it twice"}
	ErrDiskFull   error = &fault{"the disk is full", "free some space and run the same command again: it resumes"}
	ErrDisk       error = &fault{"the disk failed to read or write", "look at the disk and its free space, then run the same command again: it resumes"}
	ErrReadOnly   error = &fault{"it cannot be written", "check the permissions of the file and its folder, or name another file with --state"}
	ErrBusy       error = &fault{"another process keeps it locked", "wait until the other command has loaded its list, then run this one again"}
	ErrMissing    error = &fault{"it does not exist", "nothing was sent with this state yet; check the name given with --state"}
	ErrExists     error = &fault{"the campaign exists already", "run the command again: it resumes the campaign that is there"}
	ErrUnknown    error = &fault{"there is no such campaign", "`wactl status` lists the campaigns of a state"}
	ErrNotPending error = &fault{"the step is not waiting to be sent", "run the command again: it reads afresh where every message stands"}
	ErrNoIntent   error = &fault{"the answer belongs to no open attempt", "run the command again: it reads afresh where every message stands"}
	ErrLeaseLost  error = &fault{"another process has taken over", "`wactl status` shows where the campaign stands; this process sends nothing more"}
)

// StateError says what failed with which state file. It matches one of the Err values where the cause is known.
type StateError struct {
	Path string // the state file
	Op   string // what was being done
	Err  error
}

func (e *StateError) Error() string { return fmt.Sprintf("state %s: %s: %v", e.Path, e.Op, e.Err) }

// Unwrap is the cause.
func (e *StateError) Unwrap() error { return e.Err }

// Hint says what to do next, empty when there is nothing to say.
func (e *StateError) Hint() string {
	if f, ok := errors.AsType[*fault](e.Err); ok {
		return f.hint
	}
	return ""
}

// byResult is what SQLite's primary result codes mean for the user of the file.
var byResult = map[int]error{
	sqlite3.SQLITE_FULL:     ErrDiskFull,
	sqlite3.SQLITE_IOERR:    ErrDisk,
	sqlite3.SQLITE_READONLY: ErrReadOnly,
	sqlite3.SQLITE_PERM:     ErrReadOnly,
	sqlite3.SQLITE_CANTOPEN: ErrReadOnly,
	sqlite3.SQLITE_CORRUPT:  ErrDamaged,
	sqlite3.SQLITE_NOTADB:   ErrDamaged,
	sqlite3.SQLITE_BUSY:     ErrBusy,
	sqlite3.SQLITE_LOCKED:   ErrBusy,
}

// byErrno is the same for the system's own errors.
var byErrno = []struct{ is, means error }{
	{syscall.ENOSPC, ErrDiskFull},
	{syscall.EROFS, ErrReadOnly},
	{fs.ErrPermission, ErrReadOnly},
	{fs.ErrNotExist, ErrMissing},
}

// result is SQLite's primary result code in err, 0 without one.
func result(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// cause puts the Err value that fits in front of err.
func cause(err error) error {
	if _, ok := errors.AsType[*fault](err); ok {
		return err
	}
	if means := byResult[result(err)]; means != nil {
		return fmt.Errorf("%w (%w)", means, err)
	}
	for _, row := range byErrno {
		if errors.Is(err, row.is) {
			return fmt.Errorf("%w (%w)", row.means, err)
		}
	}
	return err
}

// stateError places err at path and op; nil stays nil, and what is placed already stays as it is.
func stateError(path, op string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*StateError](err); ok {
		return err
	}
	return &StateError{Path: path, Op: op, Err: cause(err)}
}
