package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// files maps the names in folder to their modes.
func files(t *testing.T, folder string) map[string]os.FileMode {
	t.Helper()
	list := map[string]os.FileMode{}
	for _, e := range must[[]os.DirEntry](t)(os.ReadDir(folder)) {
		list[e.Name()] = must[os.FileInfo](t)(e.Info()).Mode().Perm()
	}
	return list
}

func TestOnlyItsOwnerMayRead(t *testing.T) {
	top := t.TempDir()
	path := filepath.Join(top, "a", "b", "state with ? and %20 and #.db")
	s := openTest(t, path)
	sceneIn(t, s, "spring", 2)
	base := filepath.Base(path)
	wantDiff(t, "files", map[string]os.FileMode{base: 0o600, base + "-wal": 0o600, base + "-shm": 0o600, base + "-mark": 0o600}, files(t, filepath.Dir(path)))
	wantDiff(t, "folder", map[string]os.FileMode{"a": 0o700}, files(t, top))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	openTest(t, path).Close()
	wantDiff(t, "a state that others could read", map[string]os.FileMode{base: 0o600, base + "-mark": 0o600}, files(t, filepath.Dir(path)))
}

func TestPragmas(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "state.db"))
	want := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "locking_mode": "normal", "busy_timeout": "20000",
		"application_id": "2002871156", "user_version": fmt.Sprint(len(migrations))}
	for pragma, value := range want {
		var got string
		if err := s.writer.conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != value {
			t.Errorf("%s = %s, %v; want %s", pragma, got, err, value)
		}
	}
}

// The tables are out in the world once released: a change to them is a migration.
func TestSchemaGolden(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "state.db"))
	var got strings.Builder
	err := s.read(t.Context(), "test", func(ctx context.Context, q *session) error {
		const query = `SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
			UNION ALL SELECT name, tbl_name, 'index', 0, 0 FROM sqlite_schema WHERE type = 'index' ORDER BY 1, 2`
		return q.each(ctx, query, nil, func(scan func(...any) error) error {
			var table, column, kind string
			var notNull, key int
			err := scan(&table, &column, &kind, &notNull, &key)
			got.WriteString(table + " " + column + " " + kind + [2]string{"", " not null"}[notNull] + [2]string{"", " key"}[min(key, 1)] + "\n")
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "schema.golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := must[[]byte](t)(os.ReadFile(golden))
	wantDiff(t, "tables", strings.Split(string(want), "\n"), strings.Split(got.String(), "\n"))
}

// madeState writes a state with one campaign and returns its bytes.
func madeState(t *testing.T, path string, steps int) []byte {
	t.Helper()
	s := openTest(t, path)
	sceneIn(t, s, "spring", steps)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return must[[]byte](t)(os.ReadFile(path))
}

func TestUnusableFilesStayAsTheyAre(t *testing.T) {
	good := madeState(t, filepath.Join(t.TempDir(), "state.db"), 500)
	patched := func(at int, bytes ...byte) []byte {
		b := slices.Clone(good)
		copy(b[at:], bytes)
		return b
	}
	foreign := func(t *testing.T) []byte {
		path := filepath.Join(t.TempDir(), "other.db")
		s := &Store{path: path}
		if err := s.connect(t.Context(), Options{Busy: time.Second}, 0, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.writer.conn.ExecContext(t.Context(), "CREATE TABLE bookmarks (x)"); err != nil {
			t.Fatal(err)
		}
		s.Close()
		return must[[]byte](t)(os.ReadFile(path))
	}(t)
	tests := []struct {
		name  string
		bytes []byte
		want  error
		says  string
	}{
		{"text", []byte("phone;name\n+5511987654321;Ana\n" + strings.Repeat("x", 4096)), ErrDamaged, ""},
		{"short text", []byte("hello"), ErrDamaged, ""},
		{"header damaged", patched(0, 'X'), ErrDamaged, ""},
		{"page size damaged", patched(16, 0x13, 0x37), ErrDamaged, ""},
		{"a page damaged", patched(4096*2, bytes.Repeat([]byte{0xaa}, 4096)...), ErrDamaged, ""},
		{"tail cut", good[:len(good)-4096*3], ErrDamaged, ""},
		{"half a page cut", good[:len(good)-2000], ErrDamaged, ""},
		{"other program's", foreign, ErrDamaged, "another program"},
		{"newer", patched(60, 0, 0, 0, 7), ErrNewerVersion, fmt.Sprintf("version is 7, this wactl knows up to %d", len(migrations))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.db")
			if err := os.WriteFile(path, tt.bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path, Options{})
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("Open = %v, want %v that says %q and where", err, tt.want, tt.says)
			}
			if e, ok := errors.AsType[*StateError](err); !ok || e.Hint() == "" {
				t.Errorf("Open = %#v, want a hint", err)
			}
			if after := must[[]byte](t)(os.ReadFile(path)); !bytes.Equal(after, tt.bytes) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestDamageFoundLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	w := sceneIn(t, openTest(t, path), "spring", 500)
	w.Close()
	b := must[[]byte](t)(os.ReadFile(path))
	for i := 4096; i < len(b); i++ {
		b[i] ^= 0x55
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Store{path: path}
	defer s.Close()
	err := s.connect(t.Context(), Options{Busy: time.Second}, 1, migrations)
	if err == nil {
		_, _, err = s.Find(t.Context(), home, "spring")
	}
	if err = stateError(path, "x", err); !errors.Is(err, ErrDamaged) {
		t.Errorf("reading a damaged page = %v, want ErrDamaged", err)
	}
}

func TestFolderIsNoState(t *testing.T) {
	if _, err := Open(t.Context(), t.TempDir(), Options{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("Open of a folder = %v, want ErrDamaged", err)
	}
}

func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	if _, err := Open(t.Context(), path, Options{ReadOnly: true}); !errors.Is(err, ErrMissing) {
		t.Errorf("Open of a missing file for reading = %v, want ErrMissing", err)
	}
	madeState(t, path, 3)
	s := must[*Store](t)(Open(t.Context(), path, Options{ReadOnly: true}))
	defer s.Close()
	c, found, err := s.Find(t.Context(), home, "spring")
	if !found || err != nil {
		t.Fatalf("Find = %v, %v", found, err)
	}
	if n := must[Counts](t)(s.Counts(t.Context(), c)); n.Pending != 3 {
		t.Errorf("Counts = %+v", n)
	}
	if _, err := s.Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: "spring"}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Acquire = %v, want ErrReadOnly", err)
	}
	// SQLite's own refusal means the same.
	_, err = s.readers.ExecContext(t.Context(), "DELETE FROM steps")
	if err = stateError(path, "x", err); !errors.Is(err, ErrReadOnly) {
		t.Errorf("write = %v, want ErrReadOnly", err)
	}
}

func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "state.db")
	madeState(t, path, 3)
	for name, change := range map[string]func() error{
		"file":   func() error { return os.Chmod(path, 0o400) },
		"folder": func() error { return errors.Join(os.Remove(path), os.Chmod(folder, 0o500)) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: Open = %v, want ErrReadOnly", name, err)
		}
	}
	os.Chmod(folder, 0o700)
}

func TestDiskFull(t *testing.T) {
	w := newScene(t, 50)
	ctx := t.Context()
	w.send(0, campaign.Sent, accepted)
	w.intend(1, 1)
	before := w.counts()
	limit := func(n string) {
		if _, err := w.writer.conn.ExecContext(ctx, "PRAGMA max_page_count = "+n); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // means the present size
	big := refusal(outcome.PairWait, 131056)
	big.Details = strings.Repeat("x", 1<<20)
	intents := []campaign.Intent{intent(2, 1)}
	results := []campaign.Result{answered(1, 1, campaign.Pending, big)}
	if err := w.run.Commit(ctx, intents, results); !errors.Is(err, ErrDiskFull) {
		t.Fatalf("Commit on a full disk = %v, want ErrDiskFull", err)
	}
	wantDiff(t, "counts after the disk was full", before, w.counts())
	limit("1000000")
	if err := w.run.Commit(ctx, intents, results); err != nil {
		t.Errorf("Commit with space again = %v", err)
	}
}

func TestCancelledCommitLeavesNothing(t *testing.T) {
	w := newScene(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.run.Commit(ctx, []campaign.Intent{intent(0, 1)}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit = %v, want context.Canceled", err)
	}
	w.intend(0, 1)
}

func TestBusy(t *testing.T) {
	w := newScene(t, 1)
	s := must[*Store](t)(Open(t.Context(), w.path, Options{Busy: 20 * time.Millisecond}))
	defer s.Close()
	err := w.write(t.Context(), "hold", func(ctx context.Context, _ *session) error {
		_, err := s.Acquire(ctx, ThisProcess(), Claim{Target: home, Campaign: "x"})
		return err
	})
	if !errors.Is(err, ErrBusy) {
		t.Errorf("Acquire while another writes = %v, want ErrBusy", err)
	}
	if _, found, err := s.Find(t.Context(), home, "spring"); !found || err != nil {
		t.Errorf("Find while another writes = %v, %v; want the campaign", found, err)
	}
}

func TestMigration(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "state.db")
	old := madeState(t, path, 3)
	ctx := t.Context()
	next := append(slices.Clone(migrations), "CREATE TABLE extra (x); INSERT INTO extra VALUES (7);")
	broken := append(slices.Clone(migrations), "CREATE TABLE extra (x); INSERT INTO nowhere VALUES (7);")

	if _, err := open(ctx, path, Options{}, broken); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Fatalf("a broken migration: %v", err)
	}
	s := must[*Store](t)(Open(ctx, path, Options{}))
	if _, found, err := s.Find(ctx, home, "spring"); !found || err != nil {
		t.Fatalf("after a broken migration Find = %v, %v; want the old state", found, err)
	}
	s.Close()

	s = must[*Store](t)(open(ctx, path, Options{}, next))
	var x, version int
	if err := s.readers.QueryRowContext(ctx, "SELECT x, (SELECT user_version FROM pragma_user_version) FROM extra").Scan(&x, &version); err != nil || x != 7 || version != len(next) {
		t.Errorf("after the migration x, version = %d, %d, %v; want 7, %d", x, version, err, len(next))
	}
	s.Close()
	if _, err := Open(ctx, path, Options{}); !errors.Is(err, ErrNewerVersion) {
		t.Errorf("Open by the older program = %v, want ErrNewerVersion", err)
	}
	// The broken one has left the first copy, the good one a second; both are the old state.
	copied := fmt.Sprintf("state.db.v%d", len(migrations))
	for _, name := range []string{copied + ".bak", copied + ".2.bak"} {
		if mode := files(t, folder)[name]; mode != 0o600 {
			t.Errorf("%s has mode %o, want 600", name, mode)
		}
		s := must[*Store](t)(Open(ctx, filepath.Join(folder, name), Options{}))
		if _, found, err := s.Find(ctx, home, "spring"); !found || err != nil {
			t.Errorf("%s: Find = %v, %v; want the campaign", name, found, err)
		}
		s.Close()
	}
	if len(old) == 0 {
		t.Error("no old state")
	}
}

// The log is brought into the file while it is written to, so that it does not grow with the campaign.
func TestLogStaysSmall(t *testing.T) {
	const n = 4 * tidyEvery
	w := newScene(t, n)
	for seq := range n {
		w.intend(seq, 1)
	}
	info := must[os.FileInfo](t)(os.Stat(w.path + "-wal"))
	if limit := int64(n * 6 << 10); info.Size() > limit {
		t.Errorf("after %d transactions the log has %d bytes, want less than %d", n, info.Size(), limit)
	}
}

// TestKilledBeforeTheLog opens a file whose maker was killed in the middle of a transaction, before it had its write-ahead log: what was begun is undone.
func TestKilledBeforeTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	if err := openTest(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	db := must[*sql.DB](t)(sql.Open("sqlite", "file:"+path))
	defer db.Close()
	conn := must[*sql.Conn](t)(db.Conn(t.Context()))
	defer conn.Close()
	for _, query := range []string{"PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 2", "BEGIN IMMEDIATE",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO messages SELECT i, hex(randomblob(200)) FROM n"} {
		if _, err := conn.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	killed := filepath.Join(t.TempDir(), "state.db")
	for _, end := range []string{"", "-journal"} {
		if err := os.WriteFile(killed+end, must[[]byte](t)(os.ReadFile(path+end)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := openTest(t, killed)
	var left int
	if err := s.writer.conn.QueryRowContext(t.Context(), "SELECT count(*) FROM messages").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows of what was begun are left, %v", left, err)
	}
}
