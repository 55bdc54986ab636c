package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // also registers the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	applicationID = 0x77616374 // "wact", so that file(1) and other programs can tell
	checkUpTo     = 32 << 20   // bytes; a whole check of more would be felt at every start
)

// Options say how [Open] opens a state file. The zero value reads, writes and creates it.
type Options struct {
	ReadOnly bool          // never create, migrate or write
	Busy     time.Duration // how long to wait for another process's transaction; 0 is 20 seconds
}

// Store is an open state file. Many goroutines may use it; its writes go one after the other.
type Store struct {
	path    string
	readers *sql.DB
	rested  chan *session // readers that wait for the next reading, with what they have prepared
	writers *sql.DB       // one connection; nil when read-only
	writer  *session
	turn    chan struct{} // holds one token: whose turn it is to write
	tidier  *tidier       // nil when read-only
	mark    mark
}

// Open opens the state file at path, creates it with its folder when missing, and brings an older one up to date.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	return open(ctx, path, o, migrations)
}

func open(ctx context.Context, path string, o Options, steps []string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, stateError(path, "open", err)
	}
	if o.Busy == 0 {
		o.Busy = 20 * time.Second
	}
	if err := place(path, o.ReadOnly); err != nil {
		return nil, stateError(path, "open", err)
	}
	version, err := look(ctx, path, o, true, len(steps))
	if interrupted(err) && !o.ReadOnly {
		version, err = look(ctx, path, o, false, len(steps))
	}
	if err != nil {
		return nil, stateError(path, "open", err)
	}
	s := &Store{path: path}
	if err := s.connect(ctx, o, version, steps); err != nil {
		s.Close()
		return nil, stateError(path, "open", err)
	}
	return s, nil
}

// place sees to it that the file is there. Its mode is set before SQLite opens it: the -wal and -shm files inherit it.
func place(path string, readOnly bool) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%w: it is no regular file", ErrDamaged)
	case err == nil || readOnly || !errors.Is(err, os.ErrNotExist):
		return err
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close(), forgetMark(path))
}

// makeFolder makes folder and its parents for their owner only, whatever the umask; what is there stays as it is.
func makeFolder(folder string) error {
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return nil
	}
	if err := makeFolder(filepath.Dir(folder)); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return os.Chmod(folder, 0o700)
}

// address is the SQLite URI of path.
func address(path string, o Options, readOnly bool, pragmas ...string) string {
	v := url.Values{"_pragma": append(pragmas, fmt.Sprintf("busy_timeout(%d)", o.Busy.Milliseconds()))}
	if readOnly {
		v.Set("mode", "ro")
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: v.Encode()}
	return u.String()
}

// interrupted says that whoever made or changed the file was killed in the middle, before the file had its write-ahead log: SQLite has to undo
// what was begun, and cannot do that while it only reads.
func interrupted(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code() == sqlite3.SQLITE_READONLY_ROLLBACK
}

// look judges a file without writing to it: whether it is ours, whole and not too new. It returns the version, 0 for an empty file.
func look(ctx context.Context, path string, o Options, readOnly bool, newest int) (int, error) {
	db, err := sql.Open("sqlite", address(path, o, readOnly))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var id, version, tables int
	err = db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &tables)
	switch {
	case err != nil:
		return 0, err
	case id == 0 && version == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, fmt.Errorf("%w: it is another program's database", ErrDamaged)
	case version > newest:
		return 0, fmt.Errorf("%w: its version is %d, this wactl knows up to %d", ErrNewerVersion, version, newest)
	}
	return version, check(ctx, db, path)
}

// check reads a file that is not too large from end to end.
func check(ctx context.Context, db *sql.DB, path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > checkUpTo {
		return err
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	return nil
}

// connect opens the connections of s. The file has been found good, of the given version.
func (s *Store) connect(ctx context.Context, o Options, version int, steps []string) (err error) {
	s.turn, s.rested = make(chan struct{}, 1), make(chan *session, 2)
	if s.readers, err = sql.Open("sqlite", address(s.path, o, o.ReadOnly, "query_only(1)")); err != nil {
		return err
	}
	s.readers.SetMaxIdleConns(4)
	if o.ReadOnly {
		if version == 0 {
			return fmt.Errorf("%w: the file is empty", ErrMissing) // a command was killed before it wrote anything
		}
		if version < len(steps) {
			return fmt.Errorf("%w: it is of an older version and must be brought up to date first", ErrReadOnly)
		}
		return nil
	}
	if err := s.tighten(); err != nil {
		return err
	}
	// Unlike fsync, fdatasync does not wait for the file's times; what a commit promises is the same. Some systems have only fsync.
	sqlite.Fdatasync(true)
	s.writers, err = sql.Open("sqlite", address(s.path, o, false, "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"cache_size(-32768)", "wal_autocheckpoint(16000)", "journal_size_limit(67108864)"))
	if err != nil {
		return err
	}
	s.writers.SetMaxOpenConns(1)
	if s.writer, err = s.firstWriter(ctx, o.Busy); err != nil {
		return err
	}
	if err := s.migrate(ctx, o, steps); err != nil {
		return err
	}
	s.tidier, err = startTidier(ctx, s)
	return err
}

// tighten takes away what others may do with a file of ours that was made by hand or copied.
func (s *Store) tighten() error {
	for _, end := range []string{"", "-wal", "-shm", "-mark"} {
		info, err := os.Stat(s.path + end)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(s.path+end, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// firstWriter connects, again and again while another process is just making the same file: SQLite does not wait for a change of journal mode.
func (s *Store) firstWriter(ctx context.Context, patience time.Duration) (*session, error) {
	for deadline := time.Now().Add(patience); ; {
		q, err := newSession(ctx, s.writers)
		if err == nil || byResult[result(err)] != ErrBusy || time.Now().After(deadline) {
			return q, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Close ends the connections. Leases stay until they are released or found dead.
func (s *Store) Close() error {
	s.tidier.stop()
	var err error
	for len(s.rested) > 0 {
		err = errors.Join(err, (<-s.rested).close())
	}
	if s.readers != nil {
		err = errors.Join(err, s.readers.Close())
	}
	if s.writer != nil {
		err = errors.Join(err, s.writer.close())
	}
	if s.writers != nil {
		err = errors.Join(err, s.writers.Close())
	}
	s.mark.close()
	return stateError(s.path, "close", err)
}

// write runs f in one transaction and returns when it is on disk. After an error nothing of it is written.
func (s *Store) write(ctx context.Context, op string, f func(context.Context, *session) error) error {
	if s.writer == nil {
		return stateError(s.path, op, fmt.Errorf("%w: it was opened for reading", ErrReadOnly))
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return stateError(s.path, op, ctx.Err())
	}
	defer func() { <-s.turn }()
	err := transact(ctx, s.writer, "BEGIN IMMEDIATE", f)
	s.tidier.wrote()
	return stateError(s.path, op, err)
}

// read runs f on a connection of its own, which sees one moment of the file.
func (s *Store) read(ctx context.Context, op string, f func(context.Context, *session) error) error {
	q, err := s.reader(ctx)
	if err == nil {
		err = transact(ctx, q, "BEGIN", f)
		s.rest(q, err)
	}
	return stateError(s.path, op, err)
}

// reader is a session that may read: to prepare its statements costs more than most readings, so one that has them is taken where there is one.
func (s *Store) reader(ctx context.Context) (*session, error) {
	select {
	case q := <-s.rested:
		return q, nil
	default:
		return newSession(ctx, s.readers)
	}
}

// rest keeps a reader for the next reading. One that failed might still be in the middle of it.
func (s *Store) rest(q *session, err error) {
	if err == nil {
		select {
		case s.rested <- q:
			return
		default:
		}
	}
	q.close()
}

// transact runs f between begin and COMMIT. The COMMIT is not cancelled half-way, so that its outcome is never in doubt.
func transact(ctx context.Context, q *session, begin string, f func(context.Context, *session) error) error {
	_, err := q.exec(ctx, begin)
	if err == nil {
		err = f(ctx, q)
	}
	if err == nil {
		err = ctx.Err()
	}
	last := context.WithoutCancel(ctx)
	if err == nil {
		if _, err = q.exec(last, "COMMIT"); err == nil {
			return nil
		}
	}
	q.exec(last, "ROLLBACK") // there may be nothing to undo, and the first error is the one to tell
	return err
}
