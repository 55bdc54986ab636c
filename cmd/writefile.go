package cmd

import (
	"io"
	"os"
	"path/filepath"
)

// stdio is the file name that stands for stdin or stdout.
const stdio = "-"

// writeFile gives path its content, whole or not at all: it is written beside and renamed. What is no regular file is written to as it is.
func (a *app) writeFile(path string, write func(io.Writer) error) error {
	if path == stdio {
		return write(a.out.Out)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	finish := writeBeside
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		finish = writeInto // a pipe or a device; taking its name would take it from everybody
	}
	if err := finish(path, write); err != nil {
		return unusable("name a file that can be written, on a disk with some room", "write %s: %w", path, err)
	}
	return nil
}

func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(file)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

func writeBeside(path string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // it is gone already where all went well
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err
}
