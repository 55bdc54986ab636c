package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// mediaLife is how long an uploaded file is used again. The platform keeps it 30 days; the rest is left for the send that begins now.
const mediaLife = 23 * 24 * time.Hour

// UploadedMedia is the platform's id of a file with this SHA-256 that number n has uploaded and that will live for another week; empty for none.
func (s *Store) UploadedMedia(ctx context.Context, n Target, sum string, now ratelimit.Instant) (id string, err error) {
	const query = `SELECT media_id FROM media JOIN numbers USING (number)
		WHERE provider = ? AND base_url = ? AND number_id = ? AND sum = ? AND uploaded_at BETWEEN ? AND ?`
	err = s.read(ctx, "read uploads", func(ctx context.Context, q *session) error {
		err := q.one(ctx, query, []any{n.Provider, n.BaseURL, n.NumberID, sum, now.Add(-mediaLife), now}, &id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return id, err
}

// KeepMedia notes that number n has uploaded a file with this SHA-256 under id. What has outlived its 30 days is forgotten.
func (s *Store) KeepMedia(ctx context.Context, n Target, sum, id string, at ratelimit.Instant) error {
	return s.write(ctx, "note an upload", func(ctx context.Context, q *session) error {
		row, err := number(ctx, q, n)
		if err != nil {
			return err
		}
		if _, err := q.exec(ctx, "DELETE FROM media WHERE uploaded_at < ?", at.Add(-mediaLife)); err != nil {
			return err
		}
		_, err = q.exec(ctx, "INSERT OR REPLACE INTO media (number, sum, media_id, uploaded_at) VALUES (?, ?, ?, ?)", row, sum, id, at)
		return err
	})
}
