package media

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Why a local file does not leave. Match with errors.Is.
var (
	ErrOutside = errors.New("the file lies outside of the media folder (--media-root)")
	ErrHidden  = errors.New("a name that begins with a dot is private, and such a file is not sent")
	ErrNoFile  = errors.New("it is no regular file")
)

// File is a file that can be sent: what it is, and a way to read it again.
type File struct {
	Name string // to show to the recipient's phone, without folders
	Type string // MIME type by content
	Odd  string // what is odd about it although its type is right, empty for nothing
	Size int64  // bytes
	Sum  string // SHA-256 in hexadecimal
	Open func() (io.ReadCloser, error)
}

// Root is a folder and all below it. Links inside are followed as long as they stay inside.
type Root struct {
	folder string // absolute, links resolved
	root   *os.Root
}

// OpenRoot opens the folder that local files may come from.
func OpenRoot(folder string) (*Root, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	if absolute, err = filepath.EvalSymlinks(absolute); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, err
	}
	return &Root{folder: absolute, root: root}, nil
}

// Close gives the folder back.
func (r *Root) Close() error { return r.root.Close() }

// Look opens a file below the folder and finds out what it is. No more than most bytes are read: of a larger file only its size is told.
//
// The path is as a list has it, seen from the folder, or absolute and inside. Any link out of the folder is refused, also an absolute one.
func (r *Root) Look(path string, most int64) (File, error) {
	name, err := r.inside(path)
	if err != nil {
		return File{}, err
	}
	file, size, err := r.open(name)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	f := File{Name: filepath.Base(name), Size: size, Open: func() (io.ReadCloser, error) {
		again, _, err := r.open(name)
		return again, err
	}}
	if size > most {
		f.Type = unknown
		return f, nil
	}
	sum := sha256.New()
	if n, err := io.Copy(sum, io.LimitReader(file, size+1)); err != nil || n != size {
		return File{}, errors.Join(err, fmt.Errorf("%s changed while it was read", name))
	}
	f.Sum = hex.EncodeToString(sum.Sum(nil))
	f.Type, f.Odd = Sniff(name, file, size)
	return f, nil
}

// inside is path as seen from the folder, with every link on the way resolved: a hidden folder must not be reached by a link either.
func (r *Root) inside(path string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", ErrNoFile
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.folder, path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		// Nothing is told about what lies outside, not even whether it is there.
		if below, bad := filepath.Rel(r.folder, filepath.Clean(path)); bad != nil || !filepath.IsLocal(below) {
			return "", ErrOutside
		}
		if errors.Is(err, fs.ErrNotExist) {
			return "", errors.New("there is no such file below the media folder (--media-root)")
		}
		return "", errors.New("it cannot be found")
	}
	below, err := filepath.Rel(r.folder, real)
	if err != nil || !filepath.IsLocal(below) {
		return "", ErrOutside
	}
	for part := range strings.SplitSeq(filepath.ToSlash(below), "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return "", ErrHidden
		}
	}
	return below, nil
}

// open opens a file without waiting for the other end of a pipe. The root itself refuses what meanwhile became a link out of it.
func (r *Root) open(name string) (*os.File, int64, error) {
	file, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, errors.New("it cannot be opened: " + reason(err))
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNoFile
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// reason is an error of the system without the path, which the message has already.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}
