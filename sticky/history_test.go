package sticky_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata")

// TestHistories plays the groups of testdata/history, which are there to be read
// as well: what sticky does, one lesson a file.
//
// A file is blocks between empty lines. A block is comments, commands (see
// commands) and, below "----", what came of the rebalance that they brought: who
// owns what, loads, and what moved.
//
// The files freeze placement under the protocol name hrw-sticky. Members of two
// versions lead in turn during an upgrade, and must agree. A plan that differs
// needs a new name: -update is for files and blocks that are new.
func TestHistories(t *testing.T) {
	files, err := filepath.Glob("testdata/history/*.txt")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := string(src)
			got := playFile(t, want)
			if got == want {
				return
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("%s differs (go test -update rewrites it):\n%s", file, difference(want, got))
		})
	}
}

// playFile returns a file with what came of its commands.
func playFile(t *testing.T, src string) string {
	w := newWorld(t)
	var blocks []string
	for block := range strings.SplitSeq(strings.TrimSpace(src), "\n\n") {
		head, _, _ := strings.Cut(strings.Trim(block, "\n"), "\n----")
		brings := false
		for line := range strings.SplitSeq(head, "\n") {
			fields := strings.Fields(line)
			if len(fields) == 0 || strings.HasPrefix(line, "#") {
				continue
			}
			command, ok := commands[fields[0]]
			if !ok {
				t.Fatalf("%q is no command", line)
			}
			w.now = line
			command.do(w, fields[1:])
			brings = brings || command.brings
		}
		if brings && len(w.members) > 0 {
			head += "\n----\n" + w.rebalance()
		}
		blocks = append(blocks, head)
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// difference returns the first block in which two files differ.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n\n"), strings.Split(got, "\n\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("want\n%s\n\ngot\n%s", a[i], b[i])
		}
	}
	return fmt.Sprintf("%d blocks, want %d", len(b), len(a))
}
