package journal

import (
	"context"
	"database/sql"
)

// session is one connection with the statements prepared on it. It is used by one goroutine at a time.
type session struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

func newSession(ctx context.Context, db *sql.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &session{conn: conn, stmts: map[string]*sql.Stmt{}}, nil
}

func (q *session) close() error {
	for _, s := range q.stmts {
		s.Close()
	}
	return q.conn.Close()
}

// prepared is the statement for query, prepared once per session: queries are constants, so there are few.
func (q *session) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := q.stmts[query]; s != nil {
		return s, nil
	}
	s, err := q.conn.PrepareContext(ctx, query)
	if err == nil {
		q.stmts[query] = s
	}
	return s, err
}

// exec runs query and says how many rows it changed.
func (q *session) exec(ctx context.Context, query string, args ...any) (int64, error) {
	s, err := q.prepared(ctx, query)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (q *session) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := q.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// one reads the single row of query into dest; without a row it is sql.ErrNoRows.
func (q *session) one(ctx context.Context, query string, args []any, dest ...any) error {
	s, err := q.prepared(ctx, query)
	if err != nil {
		return err
	}
	return s.QueryRowContext(ctx, args...).Scan(dest...)
}

// each reads every row of query: row gets the scanner of one.
func (q *session) each(ctx context.Context, query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := q.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// keys reads the one whole number of each row of query.
func (q *session) keys(ctx context.Context, query string, args ...any) (list []int64, err error) {
	err = q.each(ctx, query, args, func(scan func(...any) error) error {
		var n int64
		err := scan(&n)
		list = append(list, n)
		return err
	})
	return list, err
}

// batch inserts many rows with few statements: one statement a row costs twice the time.
type batch struct {
	head  string // "INSERT INTO t (a, b) VALUES "
	row   string // "(?, ?)"
	args  []any
	width int
	query string // head and batchRows rows
}

const batchRows = 64

func newBatch(head, row string, width int) *batch {
	b := &batch{head: head, row: row, width: width, args: make([]any, 0, batchRows*width)}
	b.query = b.text(batchRows)
	return b
}

func (b *batch) text(rows int) string {
	text := make([]byte, 0, len(b.head)+rows*(len(b.row)+1))
	text = append(text, b.head...)
	for i := range rows {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, b.row...)
	}
	return string(text)
}

func (b *batch) add(ctx context.Context, q *session, args ...any) error {
	b.args = append(b.args, args...)
	if len(b.args) < batchRows*b.width {
		return nil
	}
	_, err := q.exec(ctx, b.query, b.args...)
	b.args = b.args[:0]
	return err
}

// flush inserts what add has kept back.
func (b *batch) flush(ctx context.Context, q *session) error {
	if len(b.args) == 0 {
		return nil
	}
	_, err := q.conn.ExecContext(ctx, b.text(len(b.args)/b.width), b.args...)
	b.args = b.args[:0]
	return err
}
