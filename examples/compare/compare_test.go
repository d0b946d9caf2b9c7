package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func quick(t *testing.T, args ...string) *config {
	t.Helper()
	cfg, err := parse(append([]string{"-sizes", "2x6,5x40", "-topics", "2", "-seeds", "1", "-patience", "10ms"}, args...))
	if err != nil {
		t.Fatal(err)
	}
	cfg.measuring = time.Millisecond
	cfg.sweep = sweep{histories: 2, groups: []float64{2, 5}, partitions: 30, virtualNodes: []float64{1, 128}, ringMembers: 4, ringPartitions: []int{20, 50}}
	return cfg
}

// What is not measured is the same in every run, whatever the machine does.
func TestRepeats(t *testing.T) {
	table := func(processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		all, err := playAll(quick(t, "-algorithms", "ours,classics,kgo-range,kgo-roundrobin"), new(progress))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			for _, r := range c.results {
				j, err := newJoin(r.algorithm, newWorld(c.setup, 1))
				if err != nil {
					t.Fatal(err)
				}
				r.bytes = j.bytes
			}
		}
		var b bytes.Buffer
		if err := writeCSV(&b, all); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 + 2*17; len(rows) != want {
			t.Fatalf("%d lines, want %d", len(rows), want)
		}
		var text strings.Builder
		for _, row := range rows {
			for i, c := range columns() {
				if c.measured {
					row[len(row)-len(columns())+i] = ""
				}
			}
			text.WriteString(strings.Join(row, ",") + "\n")
		}
		return text.String()
	}
	if first, second := table(1), table(4); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	cfg := quick(t, "-html", filepath.Join(dir, "page.html"), "-csv", filepath.Join(dir, "all.csv"))
	var out bytes.Buffer
	if err := show(cfg, &out, new(progress)); err != nil {
		t.Fatal(err)
	}
	for _, a := range algorithms() {
		want := 4
		if a.kind != classics {
			want++
		}
		if n := strings.Count(out.String(), fmt.Sprintf("\n%-25s", a.name)); n != want {
			t.Errorf("%s is in %d tables, want two for each size, and one of what to choose from", a.name, n)
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if len(line) > 110 {
			t.Errorf("%d columns are too many: %s", len(line), line)
		}
	}
	page, err := os.ReadFile(cfg.html)
	if err != nil {
		t.Fatal(err)
	}
	checkPage(t, string(page))
	if table, err := os.ReadFile(cfg.csv); err != nil || !bytes.HasPrefix(table, []byte("members,partitions,")) {
		t.Errorf("csv: %.40q, %v", table, err)
	}
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	if _, err := open("-html", filepath.Join(dir, "no", "page.html")); err == nil || !strings.Contains(err.Error(), "-html") {
		t.Errorf("a folder that is not there: %v", err)
	}
	path := filepath.Join(dir, "page.html")
	o, err := open("-html", path)
	if err != nil {
		t.Fatal(err)
	}
	o.drop()
	if _, err := os.Stat(path); err == nil {
		t.Error("a file that came to nothing is still there")
	}
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o, err = open("-html", path); err != nil {
		t.Fatal(err)
	}
	o.drop()
	if old, _ := os.ReadFile(path); string(old) != "old" {
		t.Errorf("a failed run has left %q of an earlier page", old)
	}
}

func TestEffort(t *testing.T) {
	for _, a := range algorithms() {
		for _, s := range []size{{3, 12}, {10, 128}, {100, 1000}} {
			if e := a.effortFor(s, 4, 2*time.Second); !e.roll {
				t.Errorf("%s at %s, a default size, plays no rolling restart", a.name, s)
			}
		}
		e := a.effortFor(size{5000, 500_000}, 5, time.Nanosecond)
		if e.roll || e.histories != 1 {
			t.Errorf("%s without patience: %+v, want one short history", a.name, e)
		}
		if e := a.effortFor(size{5000, 500_000}, 5, 1_000_000*time.Hour); !e.roll || e.histories != 5 {
			t.Errorf("%s with all patience: %+v", a.name, e)
		}
	}
	if n := histories(size{3, 12}, 5); n != 125 {
		t.Errorf("%d histories of 12 partitions, want 125", n)
	}
}

func TestLookup(t *testing.T) {
	w := newWorld(setup{size: size{5, 40}, topics: 1}, 1)
	for _, a := range algorithms() {
		find := a.lookup(w)
		if find == nil {
			if a.kind == classics {
				t.Errorf("%s finds no owner of one partition", a.name)
			}
			continue
		}
		p, err := a.newPlacer(w).settle(w.start())
		if err != nil {
			t.Fatal(err)
		}
		_, who := w.group(w.start())
		for i, owner := range p {
			if got := who[find(i)]; got != owner {
				t.Errorf("%s: a look-up finds member %d as owner of partition %d, the plan %d", a.name, got, i, owner)
				break
			}
		}
	}
}

func TestProgressOnlyOnTerminals(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	bar := newProgress(f)
	bar.started = time.Time{}
	bar.expect(time.Second)
	bar.at("somewhere")
	bar.done(time.Second)
	bar.clear()
	if info, err := f.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%v bytes in a file, error %v", info.Size(), err)
	}
}

func TestPercentage(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1e-6: "<0.001", 0.000_95: "0.095", 0.0016: "0.16", 0.25: "25.0", 0.9999: ">99.9", 1: "100.0"} {
		if got := percentage(v); got != want {
			t.Errorf("%s: got %q, want %q", strconv.FormatFloat(v, 'g', -1, 64), got, want)
		}
	}
}
