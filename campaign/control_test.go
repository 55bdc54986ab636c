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

func TestNewsChangePace(t *testing.T) {
	paced := func(p ratelimit.Pace) *ratelimit.Pace { return &p }
	tests := []struct {
		name    string
		news    NumberNews
		ordered *ratelimit.Pace
		started ratelimit.Pace
		fixed   bool
		want    ratelimit.Throughput
	}{
		{"nothing", NumberNews{}, nil, 76_000, false, ratelimit.Throughput{Level: 80, Pace: 76_000}},
		{"upgraded, and nobody asked for a pace", NumberNews{Level: 1000}, nil, 76_000, false, ratelimit.Throughput{Level: 1000, Pace: 950_000}},
		{"upgraded beside a pace that was asked for", NumberNews{Level: 1000}, nil, 50_000, true, ratelimit.Throughput{Level: 1000, Pace: 50_000}},
		{"upgraded, with room that was left for inbound", NumberNews{Level: 1000}, nil, 70_000, false, ratelimit.Throughput{Level: 1000, Pace: 944_000}},
		{"lowered", NumberNews{Level: 20}, nil, 76_000, false, ratelimit.Throughput{Level: 20, Pace: 19_000}},
		{"another pace", NumberNews{}, paced(10_000), 76_000, false, ratelimit.Throughput{Level: 80, Pace: 10_000}},
		{"another pace and a level", NumberNews{Level: 1000}, paced(10_000), 76_000, false, ratelimit.Throughput{Level: 1000, Pace: 10_000}},
		{"the pace of the start", NumberNews{}, paced(0), 76_000, false, ratelimit.Throughput{Level: 80, Pace: 76_000}},
		{"people write", NumberNews{Inbound: 100, InboundOver: 10 * time.Second}, nil, 76_000, false, ratelimit.Throughput{Level: 80, Pace: 66_000}},
	}
	for _, tt := range tests {
		a := asking{started: tt.started, fixed: tt.fixed}
		if got := a.hear(tt.news, tt.ordered, ratelimit.Throughput{Level: 80, Pace: tt.started}); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}

	a, now := asking{started: 76_000}, ratelimit.Throughput{Level: 80, Pace: 76_000}
	now = a.hear(NumberNews{Inbound: 100, InboundOver: 10 * time.Second}, nil, now)
	if now = a.hear(NumberNews{}, nil, now); now.Pace != 66_000 {
		t.Errorf("without a word of inbound messages the pace is %s, want 66/s", now.Pace)
	}
	if now = a.hear(NumberNews{InboundOver: 10 * time.Second}, nil, now); now.Pace != 76_000 {
		t.Errorf("when nobody writes any more the pace is %s, want 76/s", now.Pace)
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
	return News{Numbers: []NumberNews{{Inbound: r.asked}}}, nil
}

func (r *radio) Withdraw(context.Context, []int, string) (int, error) { return 0, nil }

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithTimeout(t.Context(), 1100*time.Millisecond)
		defer end()
		r := &radio{fails: 2}
		var told []int
		follow(ctx, r, nil, func(n News) { told = append(told, n.Numbers[0].Inbound) })
		if len(told) != 2 || told[0] != 3 || told[1] != 4 {
			t.Errorf("told %v, want the third and the fourth", told)
		}
	})
}
