package cmd

import (
	"io"
	"os"
	"path/filepath"
)

// result is a file on its way to its name. It gets the name when all of it is known, and is never seen half written.
type result struct {
	*os.File
	path   string // the name, links resolved; empty where the content has to be copied
	size   int64
	synced int64
}

// writeAhead is how much is written before the disk is set to work on it, in bytes.
const writeAhead = 2 << 20

// newResult begins a file that is to be called path. Where it can be, it is made in the folder where it will be, so that it need not be copied.
func newResult(path string) (*result, error) {
	if place, plain := placeOf(path); plain {
		if file, err := nameless(filepath.Dir(place)); err == nil {
			return &result{File: file, path: place}, nil
		}
	}
	file, err := tempFile()
	return &result{File: file}, err
}

// placeOf is where a file called path is made, and whether it is a regular one or not there yet.
func placeOf(path string) (place string, plain bool) {
	if path == "" || path == stdio {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	return path, os.IsNotExist(err) || err == nil && info.Mode().IsRegular()
}

// Write appends to the file.
func (r *result) Write(b []byte) (int, error) {
	n, err := r.File.Write(b)
	if r.size += int64(n); r.size-r.synced >= writeAhead {
		startWriting(r.File, r.synced, r.size-r.synced)
		r.synced = r.size
	}
	return n, err
}

// restart forgets what was written.
func (r *result) restart() error {
	r.size, r.synced = 0, 0
	if err := r.Truncate(0); err != nil {
		return err
	}
	_, err := r.Seek(0, io.SeekStart)
	return err
}

// put gives the file its name, or copies it where that is not possible.
func (a *app) put(r *result, path string) error {
	if r.path == "" {
		return a.writeFile(path, func(w io.Writer) error {
			if _, err := r.Seek(0, io.SeekStart); err != nil {
				return err
			}
			_, err := io.Copy(w, r.File)
			return err
		})
	}
	if err := r.take(); err != nil {
		return unusable("name a file that can be written, on a disk with some room", "write %s: %w", path, err)
	}
	return nil
}

// take gives the file its name, in place of the file that may have it.
func (r *result) take() error {
	if err := r.Sync(); err != nil {
		return err
	}
	free, err := os.CreateTemp(filepath.Dir(r.path), "."+filepath.Base(r.path)+".*")
	if err != nil {
		return err
	}
	free.Close()
	defer os.Remove(free.Name()) // it is gone already where all went well
	if err := os.Remove(free.Name()); err != nil {
		return err
	}
	if err := giveName(r.File, free.Name()); err != nil {
		return err
	}
	return os.Rename(free.Name(), r.path)
}
