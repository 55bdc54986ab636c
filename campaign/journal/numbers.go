package journal

import (
	"context"
	"fmt"

	"github.com/wactl/wactl/campaign"
)

// PairNumbers is who writes to whom: for every recipient that a number of t's provider and base URL was to write to, the id of the latest such
// number; where c is to write to somebody, c's own. It is what keeps a pair on its number across runs and campaigns.
func (s *Store) PairNumbers(ctx context.Context, t Target, c Campaign) (numbers map[uint64]string, err error) {
	const query = `SELECT coalesce(s.phone, 0), coalesce(s.bsuid, ''), n.number_id FROM steps s JOIN numbers n USING (number)
		WHERE n.provider = ? AND n.base_url = ? AND (s.listed = 1 OR s.state <> 'pending') ORDER BY s.step BETWEEN ? AND ?, s.step`
	first, last := c.span()
	numbers = map[uint64]string{}
	ids := map[string]string{} // one string for each number, not for each row
	err = s.read(ctx, "read who writes to whom", func(ctx context.Context, q *session) error {
		return q.each(ctx, query, []any{t.Provider, t.BaseURL, first, last}, func(scan func(...any) error) error {
			var phone uint64
			var bsuid, id string
			err := scan(&phone, &bsuid, &id)
			if _, known := ids[id]; !known {
				ids[id] = id
			}
			numbers[pair(phone, bsuid)] = ids[id]
			return err
		})
	})
	return numbers, err
}

// PendingNumbers is the id of the number that sends each pending step of c, by position.
func (s *Store) PendingNumbers(ctx context.Context, c Campaign) (numbers map[uint32]string, err error) {
	first, last := c.span()
	numbers = map[uint32]string{}
	ids := map[string]string{}
	err = s.read(ctx, fmt.Sprintf("campaign %q: read the numbers", c.Name), func(ctx context.Context, q *session) error {
		return q.each(ctx, `SELECT s.step, n.number_id FROM steps s JOIN numbers n USING (number)
			WHERE s.step BETWEEN ? AND ? AND s.state = ? AND s.listed = 1`, []any{first, last, string(campaign.Pending)}, func(scan func(...any) error) error {
			var step int64
			var id string
			err := scan(&step, &id)
			if _, known := ids[id]; !known {
				ids[id] = id
			}
			numbers[uint32(step-first)] = ids[id]
			return err
		})
	})
	return numbers, err
}

// SharedWith is the number under which a campaign of this name is known that number t sends a part of; not shared where there is none.
func (s *Store) SharedWith(ctx context.Context, t Target, name string) (number string, shared bool, err error) {
	const query = `SELECT t.number_id FROM campaigns c JOIN targets t USING (target) WHERE c.name = ?1 AND t.provider = ?2 AND t.base_url = ?3 AND t.number_id <> ?4
		AND EXISTS (SELECT 1 FROM steps s JOIN numbers n USING (number) WHERE n.number_id = ?4 AND s.step BETWEEN c.campaign << 32 AND ((c.campaign + 1) << 32) - 1)
		ORDER BY c.campaign LIMIT 1`
	err = s.read(ctx, "look for a campaign of several numbers", func(ctx context.Context, q *session) error {
		return q.each(ctx, query, []any{name, t.Provider, t.BaseURL, t.NumberID}, func(scan func(...any) error) error {
			shared = true
			return scan(&number)
		})
	})
	return number, shared, err
}
