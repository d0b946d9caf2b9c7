package warm

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// childPath makes this test binary a process that rewrites the file named there
// until it is killed.
const childPath = "WARM_TEST_REWRITE"

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		rewrite(path)
	}
	os.Exit(m.Run())
}

// nth is the state written in step n: long enough that writing it takes a while.
func nth(n int32) set {
	s := set{"step": {n}}
	for p := range int32(3000) {
		s["orders"] = append(s["orders"], n%2+2*p)
	}
	return s
}

func rewrite(path string) {
	f, err := Open(path, OnWarning(func(err error) { panic(err) }))
	if err != nil {
		panic(err)
	}
	n := int32(0)
	if last := f.Partitions()["step"]; len(last) > 0 {
		n = last[0]
	}
	for {
		n++
		if err := f.Set(nth(n)); err != nil {
			panic(err)
		}
		fmt.Println(n) // it was said to be on disk
	}
}

// A process is killed while it rewrites its file, over and over. What the next
// one finds is what was last said to be written, or the write that was going on.
func TestKilledWhileWriting(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "warm")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	leftovers := 0
	for range 20 {
		child := exec.Command(self)
		child.Env = append(os.Environ(), childPath+"="+path)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		var last int32
		lines := bufio.NewReader(out)
		if _, err := fmt.Fscanln(lines, &last); err != nil {
			t.Fatal(err)
		}
		for range 20 { // whoever looks while it is rewritten sees a whole one, too
			if s, damage, err := load(path); damage != nil || err != nil || !s.equal(nth(s["step"][0])) {
				t.Fatalf("while it was rewritten: %d partitions, %v, %v", s.len(), damage, err)
			}
		}
		time.Sleep(time.Duration(rand.IntN(10_000)) * time.Microsecond)
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for {
			var n int32
			if _, err := fmt.Fscanln(lines, &n); err != nil {
				break
			}
			last = n
		}
		_, _ = io.Copy(io.Discard, lines)
		_ = child.Wait()
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 2 {
			t.Fatalf("left behind: %v, %v", entries, err)
		} else if len(entries) == 2 {
			leftovers++
		}
		f := open(t, path)
		step := f.Partitions()["step"]
		if len(step) != 1 || step[0] != last && step[0] != last+1 || !f.now().equal(nth(step[0])) {
			t.Fatalf("%d was said to be written, step %v is there with %d partitions", last, step, f.now().len())
		}
		wantFiles(t, dir, "warm")
	}
	t.Logf("%d of 20 left a temporary file behind", leftovers)
}

// A crash can leave a temporary file with any part of the new state, beside the
// old file or, before the first write, alone.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "warm")
	next := mustEncode(t, sample)
	for _, old := range []set{nil, {"a": {1}}} {
		var others []string
		if old != nil {
			if err := os.WriteFile(path, mustEncode(t, old), 0o600); err != nil {
				t.Fatal(err)
			}
			others = append(others, "warm")
		}
		for n := range len(next) + 1 {
			if err := os.WriteFile(path+tempInfix+"123", next[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			if f := open(t, path); !f.now().equal(old) {
				t.Errorf("after %d bytes: %v", n, f.now())
			}
		}
		wantFiles(t, dir, others...)
	}
	// What only looks like one is somebody else's.
	foreign := []string{"other.tmp-1", "warm", "warm.tmp-", "warm.tmp-1x", "warm.unreadable"}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), next, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open(t, path)
	wantFiles(t, dir, foreign...)
}
