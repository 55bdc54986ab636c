package campaign

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

func TestRoomForInbound(t *testing.T) {
	tests := []struct {
		asked       ratelimit.Pace
		level, came int
		over        time.Duration
		want        ratelimit.Pace
	}{
		{76_000, 80, 0, 10 * time.Second, 76_000},
		{76_000, 80, 100, 10 * time.Second, 66_000},
		{40_000, 80, 100, 10 * time.Second, 40_000}, // both together stay below the level
		{76_000, 80, 1, 10 * time.Second, 75_900},
		{76_000, 80, 10_000, 10 * time.Second, 1_000}, // never stands still
		{500, 80, 10_000, 10 * time.Second, 500},
		{76_000, 80, 100, 0, 76_000},
	}
	for _, tt := range tests {
		if got := paceBeside(tt.asked, tt.level, tt.came, tt.over); got != tt.want {
			t.Errorf("%s asked, level %d, %d inbound over %s: %s, want %s", tt.asked, tt.level, tt.came, tt.over, got, tt.want)
		}
	}
}

func TestNewsChangeLimits(t *testing.T) {
	const now = ratelimit.Instant(1e12)
	tests := []struct {
		name        string
		news        News
		asked       ratelimit.Pace
		pace, later ratelimit.Pace
	}{
		{"nothing", News{}, 76_000, 76_000, 76_000},
		{"upgraded, and nobody asked for a pace", News{Level: 1000}, 76_000, 950_000, 950_000},
		{"upgraded beside a pace that was asked for", News{Level: 1000}, 50_000, 50_000, 50_000},
		{"another pace", News{Pace: 10_000}, 76_000, 10_000, 10_000},
		{"people write", News{Inbound: 100, InboundOver: 10 * time.Second}, 76_000, 66_000, 76_000},
	}
	for _, tt := range tests {
		p := ratelimit.NewPolicy(ratelimit.Throughput{Level: 80, Pace: tt.asked}, ratelimit.Pair{Interval: 6 * time.Second}, nil)
		later := tt.news.Limits(p, tt.asked, now)
		if p.Throughput.Pace != tt.pace || later != tt.later {
			t.Errorf("%s: pace %s, then %s; want %s, %s", tt.name, p.Throughput.Pace, later, tt.pace, tt.later)
		}
	}
	p := ratelimit.NewPolicy(ratelimit.Throughput{Level: 80, Pace: 76_000}, ratelimit.Pair{Interval: 6 * time.Second}, nil)
	News{Spent: map[uint64][]ratelimit.Instant{7: {now, now}}}.Limits(p, 76_000, now)
	if clear := p.Clear(7, now); clear != now.Add(12*time.Second) {
		t.Errorf("after two echoes the pair is clear at %s, want 12 s later", clear.Sub(now))
	}
}

// radio tells what is put on the air, and is silent at times.
type radio struct {
	asked int
	fails int
}

func (r *radio) News(context.Context, []Item) (News, error) {
	if r.asked++; r.asked <= r.fails {
		return News{}, errors.New("locked")
	}
	return News{Inbound: r.asked}, nil
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithTimeout(t.Context(), 1100*time.Millisecond)
		defer end()
		r := &radio{fails: 2}
		var told []int
		follow(ctx, r, nil, func(n News) { told = append(told, n.Inbound) })
		if len(told) != 2 || told[0] != 3 || told[1] != 4 {
			t.Errorf("told %v, want the third and the fourth", told)
		}
	})
}
