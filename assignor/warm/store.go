package warm

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// load reads the file at path; a missing one is empty. damage says why what is
// there cannot be used, err why nothing can be read there at all.
func load(path string) (s set, damage, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular(): // before it is opened, which may block
		return nil, nil, fmt.Errorf("%s is not a regular file: give the path of a file, it need not be there", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, nil, err
	}
	s, damage = decode(data)
	return s, damage, nil
}

// replace makes path hold data. After a crash at any point, of the process or of
// the machine, it holds that or what it held before.
func replace(path string, data []byte) error {
	// Another process that starts on the same path by mistake sweeps our temporary
	// file away, once.
	const tries = 5
	for try := 1; ; try++ {
		tmp, err := writeTemp(path, data)
		if err == nil {
			if err = os.Rename(tmp, path); err == nil {
				return syncDir(filepath.Dir(path))
			}
			_ = os.Remove(tmp)
		}
		if try == tries || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

// tempInfix and digits end the name of a temporary file. Each write has one of
// its own: with one fixed name, two processes that share a path could rename
// each other's half-written files.
const tempInfix = ".tmp-"

func writeTemp(path string, data []byte) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+tempInfix+"*")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync() // a rename may reach the disk before what was written
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// syncDir makes a rename last. Windows cannot, and some network file systems
// refuse; what is lost then, if the machine goes down, is the last change.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// prepare removes what killed processes left behind, and finds out while the
// program starts, rather than in a rebalance, whether path can be written.
func prepare(path string) error {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), base+tempInfix)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		_ = os.Remove(filepath.Join(dir, e.Name())) // one that stays does no harm
	}
	tmp, err := writeTemp(path, nil)
	if err != nil {
		return err
	}
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// explain says what to do about an error of the file system, which names the
// path itself.
func explain(err error) error {
	advice := ""
	switch {
	case errors.Is(err, fs.ErrPermission):
		advice = ": let this process's user read and write the file and its directory"
	case errors.Is(err, fs.ErrNotExist):
		advice = ": make the directory, or mount the volume that it is on"
	case errors.Is(err, syscall.EROFS):
		advice = ": give a path on a volume that can be written"
	case errors.Is(err, syscall.ENOSPC):
		advice = ": make room on the volume"
	}
	return fmt.Errorf("warm: %w%s", err, advice)
}
