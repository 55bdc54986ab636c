package normalize

import "iter"

// Batches yields the rows as Rows does, many at once, and good until the next batch. Before, each is called for every row: for those of one batch
// in their order, the last one of Verdicts being the row's, for several batches on several cores at once. What it makes of them is in Kept.
func (l *List) Batches(each func(b *Batch, row *Row)) iter.Seq2[*Batch, error] {
	return l.batches(batching{each: func(b *Batch, v *Verdict) { each(b, &v.Row) }})
}

// Likely is how many rows the list has in all if its other rows are as long as those of the batch; 0 where its size is not known.
func (b *Batch) Likely() int {
	if b.size == 0 {
		return 0
	}
	return int(b.l.size * int64(b.rows) / int64(b.size))
}
