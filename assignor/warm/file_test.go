package warm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func open(t interface {
	Helper()
	Fatal(...any)
}, path string) *File {
	t.Helper()
	f, err := Open(path, OnWarning(func(err error) { t.Fatal(err) }))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantFiles checks what a directory holds, so that nothing is left behind.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the directory holds %q, want %q", got, want)
	}
}

// It is what assignor.Warm takes.
var _ func() map[string][]int32 = new(File).Partitions

// Whatever is called in whatever order, the file remembers what a set would,
// across restarts.
func TestRemembers(t *testing.T) {
	dir := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		path := filepath.Join(dir, fmt.Sprint(run))
		f, model := open(t, path), map[string]map[int32]bool{}
		add := func(m map[string][]int32) {
			for topic, ps := range m {
				for _, p := range ps {
					if model[topic] == nil {
						model[topic] = map[int32]bool{}
					}
					if p >= 0 {
						model[topic][p] = true
					}
				}
			}
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			m := partitions().Draw(t, "partitions")
			var err error
			switch rapid.SampledFrom([]string{"set", "add", "remove", "restart"}).Draw(t, "step") {
			case "set":
				err = f.Set(m)
				clear(model)
				add(m)
			case "add":
				err = f.Add(m)
				add(m)
			case "remove":
				err = f.Remove(m)
				for topic, ps := range m {
					for _, p := range ps {
						delete(model[topic], p)
					}
				}
			case "restart":
				f = open(t, path)
			}
			if err != nil {
				t.Fatal(err)
			}
			want := map[string][]int32{}
			for topic, ps := range model {
				for p := range ps {
					want[topic] = append(want[topic], p)
				}
				slices.Sort(want[topic])
			}
			if got := f.Partitions(); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
		if got := open(t, path).now(); !got.equal(f.now()) {
			t.Fatalf("after a restart %v, before it %v", got, f.now())
		}
	})
}

// Neither what was given nor what was returned is shared with the caller.
func TestMapsAreCopies(t *testing.T) {
	var f File
	given := map[string][]int32{"a": {1, 2}}
	if err := f.Set(given); err != nil {
		t.Fatal(err)
	}
	given["a"][0] = 7
	got := f.Partitions()
	got["a"][1], got["b"] = 9, []int32{1}
	if got := f.Partitions(); !reflect.DeepEqual(got, map[string][]int32{"a": {1, 2}}) {
		t.Errorf("got %v", got)
	}
}

func TestNoChangeNoWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "warm")
	f := open(t, path)
	stat := func() fs.FileInfo {
		info, err := os.Stat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return info
	}
	same := func(name string, err error, before fs.FileInfo) {
		t.Helper()
		if after := stat(); err != nil || (before == nil) != (after == nil) || before != nil && !os.SameFile(before, after) {
			t.Errorf("%s: written, or %v", name, err)
		}
	}
	same("remove from nothing", f.Remove(map[string][]int32{"a": {1}}), nil)
	same("set nothing", f.Set(map[string][]int32{"a": {}, "b": {-1}}), nil)
	same("freeze nothing", open(t, path).Freeze(), nil)
	if err := f.Set(map[string][]int32{"a": {2, 1}, "b": {0}}); err != nil {
		t.Fatal(err)
	}
	was := stat()
	same("set the same", f.Set(map[string][]int32{"b": {0, 0}, "a": {1, 2}, "c": nil}), was)
	same("add what is there", f.Add(map[string][]int32{"a": {1}}), was)
	same("remove what is not there", f.Remove(map[string][]int32{"a": {3}, "c": {1}}), was)
	same("freeze", f.Freeze(), was)
}

// Leaving the group revokes everything, which is not to be remembered.
func TestFreeze(t *testing.T) {
	path := filepath.Join(t.TempDir(), "warm")
	f := open(t, path)
	want := map[string][]int32{"a": {1, 2}}
	for _, err := range []error{f.Set(want), f.Freeze(), f.Remove(want), f.Set(nil), f.Add(map[string][]int32{"b": {1}}), f.Freeze()} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, f := range []*File{f, open(t, path)} {
		if got := f.Partitions(); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v", got)
		}
	}
}

// A file that cannot be used does not keep a program from starting, and is kept
// for whoever wants to know.
func TestDamagedFile(t *testing.T) {
	for name, data := range map[string]string{"foreign": "x: 1\n", "newer": magic + " 2\n", "no bytes": "", "too large": strings.Repeat("x", maxBytes+1)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "warm")
			if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			var warned []error
			f, err := Open(path, OnWarning(func(err error) { warned = append(warned, err) }))
			if err != nil || len(warned) != 1 || !strings.Contains(warned[0].Error(), path) {
				t.Fatalf("got %v, warnings %v", err, warned)
			}
			if got := f.Partitions(); len(got) != 0 {
				t.Errorf("remembers %v", got)
			}
			wantFiles(t, dir, "warm")
			for p := range int32(2) {
				if err := f.Add(map[string][]int32{"a": {p}}); err != nil {
					t.Fatal(err)
				}
			}
			wantFiles(t, dir, "warm", "warm.unreadable")
			if kept, err := os.ReadFile(path + ".unreadable"); err != nil || string(kept) != data {
				t.Errorf("kept %.20q, %v", kept, err)
			}
			if got := open(t, path).Partitions(); !reflect.DeepEqual(got, map[string][]int32{"a": {0, 1}}) {
				t.Errorf("after a restart %v", got)
			}
		})
	}
}

func TestMisuse(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, path string
		opts       []Option
		want       []string
	}{
		{"no path", "", nil, []string{"path is empty"}},
		{"a directory", dir, nil, []string{dir, "not a regular file"}},
		{"no directory", filepath.Join(dir, "x", "warm"), nil, []string{filepath.Join(dir, "x"), "make the directory"}},
		{"nil option", filepath.Join(dir, "warm"), []Option{nil}, []string{"nil option"}},
		{"nil function", filepath.Join(dir, "warm"), []Option{OnWarning(nil)}, []string{"OnWarning"}},
	} {
		f, err := Open(c.path, c.opts...)
		if err == nil || f != nil {
			t.Fatalf("%s: got %v, %v", c.name, f, err)
		}
		for _, want := range append(c.want, "warm: ") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", c.name, err, want)
			}
		}
	}
	wantFiles(t, dir)
}

func TestSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.WriteFile(target, mustEncode(t, sample), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	f := open(t, link)
	if err := f.Set(map[string][]int32{"a": {1}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if got := open(t, target).Partitions(); !reflect.DeepEqual(got, map[string][]int32{"a": {1}}) {
		t.Errorf("got %v", got)
	}
}

// Also two Files on one path, as two processes by mistake: no write fails, and
// the file is whole at any time.
func TestConcurrentUse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "warm")
	f := open(t, path)
	var wg sync.WaitGroup
	for i := range int32(6) {
		wg.Go(func() {
			for p := range int32(6) {
				own := map[string][]int32{fmt.Sprint(i): {p}, "shared": {i}}
				if err := f.Add(own); err != nil {
					t.Error(err)
				}
				if got := f.Partitions()[fmt.Sprint(i)]; !slices.Contains(got, p) {
					t.Errorf("%d is not among %v", p, got)
				}
				if err := f.Remove(map[string][]int32{"shared": {i}}); err != nil {
					t.Error(err)
				}
				if p%2 == 1 {
					other, err := Open(path, OnWarning(func(err error) { t.Error(err) }))
					if err != nil {
						t.Error(err)
					} else if err := other.Add(map[string][]int32{"other": {i, p}}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if err := f.Add(map[string][]int32{"last": {1}}); err != nil {
		t.Error(err)
	}
	if got := open(t, path).now(); !got.equal(f.now()) || len(got) != 7 || got.len() != 6*6+1 {
		t.Errorf("got %v", got)
	}
	wantFiles(t, dir, "warm")
}

func BenchmarkAdd(b *testing.B) {
	all := map[string][]int32{}
	for topic := range 10 {
		for p := range int32(1000) {
			all[fmt.Sprint("topic-", topic)] = append(all[fmt.Sprint("topic-", topic)], p*2) // no ranges: the worst case
		}
	}
	for name, path := range map[string]string{"memory": "", "disk": filepath.Join(b.TempDir(), "warm")} {
		b.Run("10000/"+name, func(b *testing.B) {
			f := new(File)
			if path != "" {
				f = open(b, path)
			}
			if err := f.Set(all); err != nil {
				b.Fatal(err)
			}
			change := map[string][]int32{"topic-3": {7}}
			for b.Loop() {
				if err := errors.Join(f.Add(change), f.Remove(change)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
