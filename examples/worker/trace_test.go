package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestTrace(t *testing.T) {
	var out bytes.Buffer
	tr, err := openTrace(&config{trace: "-", identity: "w-0"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	tr.start("127.0.0.1:1")
	r := &kgo.Record{Topic: "a", Key: []byte("k"), Value: bytes.Repeat([]byte("v"), 1000)}
	if err := tr.processed(r, time.Unix(0, 5)); err != nil {
		t.Fatal(err)
	}
	tr.close(errors.New("why"))
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{
		`"event":"start","worker":"w-0","pid":`,
		`"topic":"a","partition":0,"offset":0,"key":"k","value":"` + strings.Repeat("v", 256) + `","began":5}`,
		`"event":"stop","worker":"w-0"`,
		``,
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %s, want %s", i, lines[i], want)
		}
	}
}

// A line that a predecessor was killed in must not spoil the next.
func TestTraceGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(path, []byte("{\"t\":1}\n{\"t\":2,\"ev"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		tr, err := openTrace(&config{trace: path}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tr.start("")
		if err := tr.close(nil); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) != 7 || lines[1] != `{"t":2,"ev` || !strings.Contains(lines[2], `"start"`) || strings.Contains(string(text), "\n\n") {
		t.Errorf("got:\n%s", text)
	}
}

func TestNoTrace(t *testing.T) {
	tr, err := openTrace(&config{}, nil)
	if tr != nil || err != nil {
		t.Fatal(tr, err)
	}
	tr.start("")
	tr.lost(nil, nil)
	if err := errors.Join(tr.processed(&kgo.Record{}, time.Now()), tr.close(nil)); err != nil {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestTraceFails(t *testing.T) {
	tr, _ := openTrace(&config{trace: "-"}, full{})
	tr.start("")
	first := tr.processed(&kgo.Record{}, time.Now())
	if first == nil || !strings.Contains(first.Error(), "-trace: disk full") {
		t.Errorf("got %v", first)
	}
	if err := tr.close(first); err != nil {
		t.Errorf("said twice: %v", err)
	}
	if err := tr.close(nil); err == nil {
		t.Error("not said at all")
	}
}
