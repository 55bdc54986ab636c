package cmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/media"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/cmd/output"
)

// mediaFlags say which files of this machine may leave it, and whether links are fetched.
type mediaFlags struct {
	mediaRoot  string
	fetchMedia bool
	command    *cobra.Command
}

func (f *mediaFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.mediaRoot, "media-root", "", "`FOLDER` that local files may come from, where --param or --set gives a header's medium (default the campaign's folder)")
	c.Flags().BoolVar(&f.fetchMedia, "fetch-media", false, "fetch media links (https, public addresses only), look at them, upload each once and send it by id")
}

// attachments are the files that a campaign's messages carry: those of this machine that a flag names, and what links lead to.
type attachments struct {
	app     *app
	command *cobra.Command
	folder  string // that local files may come from; empty: none may
	root    *media.Root
	local   map[string]looked // by path, as the list has it
	fetcher *media.Fetcher    // nil: links are left to the platform
	fetched map[string]looked // by link
}

// looked is a file that was looked at, or why it does not leave.
type looked struct {
	media.File
	err error
}

func (f *mediaFlags) attachments(a *app, list string) *attachments {
	t := &attachments{app: a, command: f.command, folder: f.mediaRoot, local: map[string]looked{}, fetched: map[string]looked{}}
	if t.folder == "" && list != stdio {
		t.folder = filepath.Dir(list)
	}
	if f.fetchMedia {
		t.fetcher = media.NewFetcher(wactlVersion())
	}
	return t
}

// close gives back what was opened. It may be called for nil.
func (t *attachments) close() error {
	if t == nil {
		return nil
	}
	var errs []error
	if t.root != nil {
		errs = append(errs, t.root.Close())
	}
	if t.fetcher != nil {
		errs = append(errs, t.fetcher.Close())
	}
	return errors.Join(errs...)
}

// look is what a local file holds that a flag names as a medium. A flag that the current folder's settings set names none: the folder may come
// from anyone.
func (t *attachments) look(flag, path string) (template.File, error) {
	if f := t.command.Flags().Lookup(flag); f != nil && t.app.fromFolder(f) {
		return template.File{}, fmt.Errorf("--%s is set by the settings file of the current folder, which may send no local file", flag)
	}
	file, seen := t.local[path]
	if !seen {
		file.File, file.err = t.open(path)
		t.local[path] = file
	}
	return asContent(file.File), file.err
}

// localFiles looks into the files below a list's folder as send would, for whoever sends nothing. A list from stdin has no folder.
func localFiles(list string) func(flag, path string) (template.File, error) {
	if list == stdio {
		return nil
	}
	return func(_, path string) (template.File, error) {
		root, err := media.OpenRoot(filepath.Dir(list))
		if err != nil {
			return template.File{}, err
		}
		defer root.Close()
		file, err := root.Look(path, template.LargestFile(template.TypeDocument))
		return asContent(file), err
	}
}

func asContent(f media.File) template.File {
	return template.File{Type: f.Type, Odd: f.Odd, Size: f.Size, Sum: f.Sum}
}

func (t *attachments) open(path string) (f media.File, err error) {
	if t.folder == "" {
		return f, errors.New("a campaign from stdin has no folder; --media-root FOLDER says where its files are")
	}
	if t.root == nil {
		if t.root, err = media.OpenRoot(t.folder); err != nil {
			return f, fmt.Errorf("the media folder %s: %w", t.folder, err)
		}
	}
	return t.root.Look(path, template.LargestFile(template.TypeDocument))
}

// lookAt completes media with what they hold: local files as they were found, and links where they are to be fetched.
func (t *attachments) lookAt(ctx context.Context, links []preflight.Link) error {
	begin := time.Now()
	var bar *output.Bar
	if t.fetcher != nil {
		bar = t.app.out.Progress(len(links), "fetched")
	}
	defer bar.Close()
	for i := range links {
		l := &links[i]
		file, known := t.local[l.URL], l.Local
		if !l.Local && t.fetcher != nil {
			file, known = t.fetch(ctx, *l), true
		}
		if stop := context.Cause(ctx); stop != nil {
			return stop
		}
		if l.Err = file.err; known && file.err == nil {
			l.File = new(asContent(file.File))
		}
		bar.Update(output.Progress{Elapsed: time.Since(begin), Done: i + 1})
	}
	return nil
}

func (t *attachments) fetch(ctx context.Context, l preflight.Link) looked {
	file, seen := t.fetched[l.URL]
	if !seen {
		file.File, file.err = t.fetcher.Fetch(ctx, l.URL, template.LargestFile(l.Place))
		t.fetched[l.URL] = file
	}
	return file
}

// file is what a message's medium holds, where it is to be uploaded.
func (t *attachments) file(m template.Media) (f media.File, upload bool) {
	switch {
	case m.Path != "":
		return t.local[m.Path].File, true
	case m.Link != "" && t.fetcher != nil:
		return t.fetched[m.Link].File, true
	}
	return f, false
}

// any says whether something is to be uploaded at all.
func (t *attachments) any() bool { return t != nil && len(t.local)+len(t.fetched) > 0 }

// shownName is a file's name as the recipient's phone shows it: without what no name should hold.
func shownName(f media.File) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`"/\`, r) {
			return '_'
		}
		return r
	}, f.Name)
}
