package journal

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed schema.sql
var schema string

//go:embed schema2.sql
var schema2 string

//go:embed schema3.sql
var schema3 string

// migrations lead from version i to i + 1, one entry each; an empty file has version 0. An entry that was released never changes.
var migrations = []string{schema, schema2, schema3}

// migrate brings the file to the newest version in one transaction; an older state is copied beside it first.
func (s *Store) migrate(ctx context.Context, o Options, steps []string) error {
	return s.write(ctx, "bring up to date", func(ctx context.Context, q *session) error {
		// Only now, with the lock held, is the version certain: another process may have been faster.
		var version int
		if err := q.one(ctx, "SELECT user_version FROM pragma_user_version", nil, &version); err != nil {
			return err
		}
		if version >= len(steps) {
			return nil
		}
		if version > 0 {
			if err := s.copyBeside(ctx, o, version); err != nil {
				return fmt.Errorf("copy beside: %w", err)
			}
		}
		for _, step := range steps[version:] {
			if _, err := q.conn.ExecContext(ctx, step); err != nil {
				return err
			}
		}
		_, err := q.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps)))
		return err
	})
}

// copyBeside writes the state as last committed to PATH.v1.bak, or .v1.2.bak and so on: no earlier copy is overwritten.
func (s *Store) copyBeside(ctx context.Context, o Options, version int) error {
	f, err := createFree(fmt.Sprintf("%s.v%d", s.path, version))
	if err != nil {
		return err
	}
	defer f.Close()
	// The readers of a store may only query, and VACUUM INTO counts as writing.
	db, err := sql.Open("sqlite", address(s.path, o, true))
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", f.Name()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	// SQLite does not sync such a copy.
	if err := f.Sync(); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(s.path))
}

// createFree makes the first of stem.bak, stem.2.bak, … that is not there, readable by its owner only.
func createFree(stem string) (*os.File, error) {
	name := stem + ".bak"
	for n := 2; ; n++ {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if err == nil {
			return f, f.Chmod(0o600)
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		name = fmt.Sprintf("%s.%d.bak", stem, n)
	}
}

// syncFolder makes a new name in folder durable. Systems that cannot open a folder need no such thing.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	f.Sync()
	return nil
}
