package warm

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// A File remembers partitions by topic, in memory and on disk. Its methods may
// be called at the same time. The zero value remembers in memory alone, for
// tests and for a member without a disk.
//
// A method that changes what is remembered writes, if it is a change at all, and
// returns when it would survive a crash: usually a few milliseconds. If it
// cannot write it returns an error, Partitions has the change all the same, and
// the next call of such a method tries again. Negative partitions are ignored;
// the maps given are not kept.
type File struct {
	path string

	latest atomic.Pointer[set]

	mu        sync.Mutex // held over a change and its write
	discarded bool       // the file holds something that could not be read
	behind    bool       // the file could not be made to hold latest
	frozen    bool
}

// An Option sets how Open goes about it.
type Option interface{ apply(*config) }

type option func(*config)

func (o option) apply(c *config) { o(c) }

type config struct{ onWarning func(error) }

// OnWarning calls fn if Open finds a file that it cannot use, before Open
// returns. Without it that goes to slog.Default at level Warn.
func OnWarning(fn func(error)) Option {
	return option(func(c *config) { c.onWarning = fn })
}

// Open returns what the file at path remembers, and a File to change it. A file
// that is not there yet, or is damaged, remembers nothing; the latter is warned
// of (see [OnWarning]) and does not keep a program from starting.
//
// An error means that path is of no use: its directory is missing or must not be
// written, path is a directory, the file must not be read. The message names the
// path and what to do. Leftovers of processes that were killed are removed.
func Open(path string, opts ...Option) (*File, error) {
	c := config{onWarning: func(err error) { slog.Warn("kgo-rendezvous: " + err.Error()) }}
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("warm: a nil option: leave it out")
		}
		o.apply(&c)
	}
	switch {
	case c.onWarning == nil:
		return nil, errors.New("warm: OnWarning got a nil function: leave the option out")
	case path == "":
		return nil, errors.New("warm: the path is empty, most likely an unset variable")
	}
	path, err := filepath.Abs(path) // the program may change its directory
	if err != nil {
		return nil, explain(err)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a rename would replace the link
	}
	s, damage, err := load(path)
	if err == nil {
		err = prepare(path)
	}
	if err != nil {
		return nil, explain(err)
	}
	f := &File{path: path, discarded: damage != nil}
	f.latest.Store(&s)
	if damage != nil {
		c.onWarning(fmt.Errorf("warm: %s remembers nothing: %w; the next change renames it to %s", path, damage, unreadable(path)))
	}
	return f, nil
}

func unreadable(path string) string { return path + ".unreadable" }

// Partitions returns what is remembered, ascending, as a map of the caller's
// own. It never waits for the disk: it is what assignor.Warm asks in the middle
// of a join.
func (f *File) Partitions() map[string][]int32 { return f.now().clone() }

func (f *File) now() set {
	if s := f.latest.Load(); s != nil {
		return *s
	}
	return nil
}

// Set remembers exactly these partitions.
func (f *File) Set(partitions map[string][]int32) error {
	return f.change(func(set) set { return newSet(partitions) })
}

// Add remembers these partitions too. Call it after their state is there.
func (f *File) Add(partitions map[string][]int32) error {
	return f.change(func(s set) set { return s.plus(partitions) })
}

// Remove forgets these partitions. Call it before their state is dropped, and
// not at all for partitions whose state stays: see the package's documentation
// for what revoked and lost mean for it.
func (f *File) Remove(partitions map[string][]int32) error {
	return f.change(func(s set) set { return s.minus(partitions) })
}

// Freeze keeps what is remembered as it is, for good: changes after it do
// nothing and return nil. Call it before the client leaves its group or is
// closed, which revokes everything and would empty the list. It writes only if
// an earlier write failed. There is nothing else to close.
//
// It is not called Close, because then a program would defer it, and so call it
// after the client's.
func (f *File) Freeze() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frozen = true
	return f.update(f.now())
}

func (f *File) change(next func(set) set) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.frozen {
		return nil
	}
	return f.update(next(f.now()))
}

// update makes memory and file hold s. f.mu is held.
func (f *File) update(s set) error {
	if !f.behind && s.equal(f.now()) {
		return nil
	}
	data, err := encode(s)
	if err != nil {
		return err // what could not be read back is not remembered either
	}
	f.latest.Store(&s)
	if f.path == "" {
		return nil
	}
	f.behind = true
	if f.discarded {
		if err := os.Rename(f.path, unreadable(f.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return explain(err)
		}
		f.discarded = false
	}
	if err := replace(f.path, data); err != nil {
		return explain(err)
	}
	f.behind = false
	return nil
}
