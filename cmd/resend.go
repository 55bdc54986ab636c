package cmd

import (
	"context"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/cmd/output"
)

// resend makes uncertain messages pending again where that was asked for, after it has said what that risks and asked once more.
func (s *sending) resend(ctx context.Context) error {
	if !s.flags.resendUncertain {
		return nil
	}
	n, err := s.store.Counts(ctx, s.campaign)
	if err != nil || n.Uncertain == 0 {
		return err
	}
	s.out.Warn("%s may have arrived, although no answer came: sent again, their people can get them twice, and each is charged",
		plural(n.Uncertain, "message", "messages"))
	if s.lost() == "" {
		s.out.Hint("webhooks settle them without a risk: `wactl listen`, or `wactl status --ingest FILE`")
	}
	if !s.flags.yes && !s.flags.sandbox {
		typed, err := s.out.Ask(ctx, "Type RESEND to send "+output.Count(n.Uncertain)+" again:")
		if err != nil {
			return err
		}
		if typed != "RESEND" {
			return output.ErrDeclined
		}
	}
	_, err = s.journal.ResendUncertain(ctx)
	return err
}

// cameBack is the reason why a run that met none has messages left: the platform took them and failed them later, too late for this run.
func (s *sending) cameBack(stop *campaign.Stopped, n journal.Counts) *campaign.Stopped {
	if stop != nil || n.Pending == 0 || s.flags.part() {
		return stop
	}
	return &campaign.Stopped{Why: plural(n.Pending, "message", "messages") + " came back after the platform had taken them, and wait again",
		Resume: "run the same command again: it sends them, and nobody gets anything twice"}
}
