package cmd

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/media"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// takesFiles is a provider that media can be uploaded to.
type takesFiles interface {
	Upload(ctx context.Context, numberID, name, kind string, size int64, open func() (io.ReadCloser, error)) (id string, err error)
}

// uploadBatch is how many waiting messages are looked at together.
const uploadBatch = 1000

// upload gives the platform every file that a waiting message carries, each once, and lets the provider send it by its id from here on.
func (s *sending) upload(ctx context.Context) error {
	if !s.plan.attached.any() {
		return nil
	}
	u := &uploader{sending: s, ids: map[fileOf]string{}, begin: time.Now()}
	bar := s.out.Progress(len(s.pending), "looked at for media")
	defer bar.Close()
	for from := 0; from < len(s.pending); from += uploadBatch {
		to := min(from+uploadBatch, len(s.pending))
		seqs := make([]int, 0, uploadBatch)
		for _, w := range s.pending[from:to] {
			seqs = append(seqs, int(w.Seq))
		}
		steps, err := s.journal.Steps(ctx, seqs)
		if err != nil {
			return err
		}
		for _, step := range steps {
			if err := u.take(ctx, step); err != nil {
				return err
			}
		}
		bar.Update(output.Progress{Elapsed: time.Since(u.begin), Done: to})
	}
	for i := range s.lines {
		s.lines[i].provider = byID{s.lines[i].provider, u}
	}
	return nil
}

// uploader is one run's uploads.
type uploader struct {
	*sending
	begin time.Time

	mu  sync.Mutex        // sends run beside each other
	ids map[fileOf]string // media id
}

// fileOf is a file, by its content's sum, as a number has uploaded it: no other number may use the id.
type fileOf struct{ number, sum string }

// take sees to it that a message's file is uploaded.
func (u *uploader) take(ctx context.Context, step campaign.Step) (err error) {
	_, medium := step.Message.Medium()
	if medium == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	file, upload := u.plan.attached.file(*medium)
	key := fileOf{step.NumberID, file.Sum}
	if !upload || file.Sum == "" || u.ids[key] != "" {
		return nil // what is not there is told when the message is to be sent
	}
	now := ratelimit.At(time.Now())
	target := u.target
	target.NumberID = step.NumberID // an id belongs to the number that uploaded
	id, err := u.store.UploadedMedia(ctx, target, file.Sum, now)
	if err != nil {
		return err
	}
	if id == "" {
		if id, err = u.give(ctx, step, file); err != nil {
			return err
		}
		if err = u.store.KeepMedia(ctx, target, file.Sum, id, now); err != nil {
			return err
		}
	}
	u.ids[key] = id
	return nil
}

// providerOf is the way of a number's messages, which its files take too.
func (u *uploader) providerOf(number string) campaign.Provider {
	for i := range u.lines { // its pace may be changed meanwhile: nothing but these two is looked at
		if u.lines[i].ID != number {
			continue
		}
		if p, ok := u.lines[i].provider.(byID); ok {
			return p.Provider
		}
		return u.lines[i].provider
	}
	return nil
}

func (u *uploader) give(ctx context.Context, step campaign.Step, file media.File) (string, error) {
	api, can := u.providerOf(step.NumberID).(takesFiles)
	if !can {
		return "", unusable("write id:MEDIA_ID, or a link without --fetch-media", "line %d: this provider takes no files", step.Line)
	}
	id, err := api.Upload(ctx, step.NumberID, shownName(file), file.Type, file.Size, file.Open)
	if stop := context.Cause(ctx); err != nil && stop != nil {
		return "", stop
	}
	if err != nil {
		return "", &Fail{Exit: exitStopped, Err: fmt.Errorf("line %d: %w", step.Line, err), Hint: "run the same command again; what is uploaded is not uploaded again"}
	}
	return id, nil
}

// id is the media id of a file, uploaded now where it was not: a message that failed late may come back into the middle of a send.
func (u *uploader) id(ctx context.Context, step campaign.Step, sum string) (string, error) {
	if err := u.take(ctx, step); err != nil {
		return "", err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.ids[fileOf{step.NumberID, sum}], nil
}

// byID is a provider that sends uploaded media by their ids. A local path never leaves: without an id the message is refused here.
type byID struct {
	campaign.Provider
	uploads *uploader
}

// Send implements campaign.Provider.
func (p byID) Send(ctx context.Context, step campaign.Step) campaign.Answer {
	place, medium := step.Message.Medium()
	if medium == nil {
		return p.Provider.Send(ctx, step)
	}
	file, upload := p.uploads.plan.attached.file(*medium)
	if !upload {
		return p.Provider.Send(ctx, step)
	}
	id, err := p.uploads.id(ctx, step, file.Sum)
	switch {
	case err != nil:
		return campaign.Answer{Class: outcome.RetryFew, Details: err.Error()}
	case id == "":
		return campaign.Answer{Class: outcome.RequestWrong, Details: fmt.Sprintf("line %d: its file is not in the campaign file any more; run it with --update", step.Line)}
	}
	sent := template.Media{ID: id, Filename: medium.Filename}
	if sent.Filename == "" && (place == template.TypeDocument || place == "header."+template.TypeDocument) {
		sent.Filename = shownName(file) // by id, nothing else tells the recipient's phone
	}
	step.Message = step.Message.WithMedium(sent)
	return p.Provider.Send(ctx, step)
}

// CloseIdleConnections passes on what a sender asks after a long sleep.
func (p byID) CloseIdleConnections() {
	if c, ok := p.Provider.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
