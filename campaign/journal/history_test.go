package journal

import (
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// TestHistory holds what left a portfolio against what was written: own and other campaigns, echoes, open attempts, service windows.
func TestHistory(t *testing.T) {
	w := newScene(t, 4)
	accepted := campaign.Answer{Class: outcome.Accepted, HTTPStatus: 200, MessageID: "m"}
	w.send(0, campaign.Sent, accepted)
	w.send(1, campaign.Failed, campaign.Answer{Class: outcome.RecipientFailed, Code: 131026, HTTPStatus: 400})
	w.intend(2, 1)
	w.exec("UPDATE steps SET last_inbound_at = ? WHERE phone = 5511900000002", intent(2, 1).At.Add(-time.Hour))
	if err := w.l.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := sceneIn(t, w.Store, "another campaign", 1)
	other.send(0, campaign.Sent, campaign.Answer{Class: outcome.Accepted, HTTPStatus: 200, MessageID: "n"})
	w.exec("INSERT INTO sightings (number, phone, at, source) SELECT number, 4479, ?, 'echo' FROM numbers", intent(3, 1).At)
	w.exec("INSERT INTO inbound (message_id, number_id, phone, at) VALUES ('a', ?1, 1, ?2), ('b', ?1, 2, ?2), ('c', '9', 2, ?2)", home.NumberID, intent(0, 1).At)

	at := func(seq int) campaign.Result { return answered(seq, 1, campaign.Sent, accepted) }
	want := map[Departure]bool{
		{Recipient: 5511900000000, Left: at(0).Left, Answered: at(0).At, Class: outcome.Accepted, Own: true, Number: true}:                      true,
		{Recipient: 5511900000001, Left: at(1).Left, Answered: at(1).At, Class: outcome.RecipientFailed, Code: 131026, Own: true, Number: true}: true,
		{Recipient: 5511900000002, Left: intent(2, 1).At, Own: true, Number: true, Free: true}:                                                  true,
		{Recipient: 5511900000000, Left: at(0).Left, Answered: at(0).At, Class: outcome.Accepted, Number: true}:                                 true,
		{Recipient: 4479, Left: intent(3, 1).At, Answered: intent(3, 1).At, Class: outcome.Accepted, Number: true}:                              true,
	}
	got := map[Departure]bool{}
	last := intent(0, 1).At.Add(-time.Hour)
	for d, err := range w.History(t.Context(), w.c, 0, intent(9, 9).At) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Left < last {
			t.Error("not in order of departure")
		}
		last, got[d] = d.Left, true
	}
	wantDiff(t, "history", want, got)
	for _, err := range w.History(t.Context(), w.c, intent(9, 9).At.Add(time.Hour), intent(9, 9).At.Add(2*time.Hour)) {
		t.Errorf("something left later: %v", err)
	}
	if peak := must[int](t)(w.InboundPeak(t.Context(), home, 0, intent(9, 9).At)); peak != 2 {
		t.Errorf("%d messages came in in one second, want 2", peak)
	}
	if peak := must[int](t)(w.InboundPeak(t.Context(), home, intent(0, 1).At.Add(time.Hour), intent(0, 1).At.Add(2*time.Hour))); peak != 0 {
		t.Errorf("%d messages came in later, want none", peak)
	}
}
