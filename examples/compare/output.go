package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// An output is a file that a flag asked for, nil if none did.
type output struct {
	flag, path string
	created    bool
}

// open makes sure that the file can be written, and leaves what it holds until
// there is something better.
func open(flag, path string) (*output, error) {
	if path == "" {
		return nil, nil
	}
	_, missing := os.Stat(path)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: give a file in a folder that exists and can be written", flag, err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return &output{flag, path, missing != nil}, nil
}

// drop removes the file again if open has made it.
func (o *output) drop() {
	if o != nil && o.created {
		_ = os.Remove(o.path)
	}
}

func (o *output) write(fn func(io.Writer) error) error {
	if o == nil {
		return nil
	}
	var b bytes.Buffer
	if err := fn(&b); err != nil {
		return fmt.Errorf("%s: %w", o.flag, err)
	}
	if err := os.WriteFile(o.path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("%s: %w", o.flag, err)
	}
	o.created = false
	return nil
}
