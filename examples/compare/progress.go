package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// A progress is a bar on a terminal, and nothing anywhere else.
type progress struct {
	w  io.Writer // nil: shows nothing
	mu sync.Mutex

	started, shown time.Time
	sofar, total   time.Duration // of what is expected, in rough costs
	step           string
}

func newProgress(f *os.File) *progress {
	p := &progress{started: time.Now()}
	info, err := f.Stat()
	if err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" {
		p.w = f
	}
	return p
}

// expect adds to what is to be done.
func (p *progress) expect(d time.Duration) {
	p.mu.Lock()
	p.total += d
	p.mu.Unlock()
}

// at says what is being done.
func (p *progress) at(step string) {
	p.mu.Lock()
	p.step = step
	p.show()
	p.mu.Unlock()
}

func (p *progress) done(d time.Duration) {
	p.mu.Lock()
	p.sofar += d
	p.show()
	p.mu.Unlock()
}

const barWidth = 30

// show draws the bar, ten times a second at most and not for what is over at
// once.
func (p *progress) show() {
	now := time.Now()
	if p.w == nil || now.Sub(p.started) < 300*time.Millisecond || now.Sub(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = now
	part := min(float64(p.sofar)/float64(max(p.total, 1)), 1)
	full := int(part * barWidth)
	// 72 columns at most: the line must not wrap.
	fmt.Fprintf(p.w, "\r\x1b[2K[%s%s] %3.0f %%  %.30s", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*part, p.step)
}

// clear takes the bar away.
func (p *progress) clear() {
	p.mu.Lock()
	if p.w != nil && !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[2K")
	}
	p.mu.Unlock()
}
