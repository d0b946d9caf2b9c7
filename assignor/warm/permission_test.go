//go:build unix

package warm

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

// asUser makes the rest of the test run without root's rights, and returns a
// directory that is its own.
func asUser(t *testing.T) string {
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		return dir
	}
	const nobody = 65534
	for _, err := range []error{os.Chmod(filepath.Dir(dir), 0o755), os.Chown(dir, nobody, -1), syscall.Seteuid(nobody)} {
		if err != nil {
			t.Skip(err)
		}
	}
	t.Cleanup(func() {
		if err := syscall.Seteuid(0); err != nil {
			panic(err) // the tests after this one would not mean what they say
		}
	})
	return dir
}

func wantPermission(t *testing.T, err error, path string) {
	t.Helper()
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "let this process's user") {
		t.Errorf("got %v", err)
	}
}

func TestPermissions(t *testing.T) {
	dir := asUser(t)
	path := filepath.Join(dir, "warm")
	mode := func(path string, m fs.FileMode) {
		t.Helper()
		if err := os.Chmod(path, m); err != nil {
			t.Fatal(err)
		}
	}
	mode(dir, 0o555)
	_, err := Open(path)
	wantPermission(t, err, dir)
	mode(dir, 0o700)

	f := open(t, path)
	if err := f.Set(map[string][]int32{"a": {1}}); err != nil {
		t.Fatal(err)
	}
	mode(path, 0)
	_, err = Open(path)
	wantPermission(t, err, path)
	mode(path, 0o600)

	// What cannot be written is remembered all the same, and written when it can
	// be, with the next call or at last by Freeze.
	for i, retry := range []func() error{func() error { return f.Add(nil) }, f.Freeze} {
		mode(dir, 0o555)
		p := []int32{int32(i) + 2}
		wantPermission(t, f.Add(map[string][]int32{"a": p}), dir)
		if got := f.Partitions()["a"]; len(got) != i+2 {
			t.Errorf("remembers %v", got)
		}
		if s, _, err := load(path); err != nil || s.len() != i+1 {
			t.Errorf("the file holds %v, %v", s, err)
		}
		mode(dir, 0o700)
		if err := retry(); err != nil {
			t.Error(err)
		}
		if got := open(t, path).Partitions(); !reflect.DeepEqual(got, f.Partitions()) {
			t.Errorf("the file holds %v", got)
		}
	}
	wantFiles(t, dir, "warm")
}
