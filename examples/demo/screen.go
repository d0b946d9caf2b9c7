package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// A screen is where the demo is shown: in colour with a progress line on a
// terminal, as plain ASCII anywhere else.
type screen struct {
	w      io.Writer
	colour bool
	live   bool // shows a progress line

	mu     sync.Mutex
	order  []string          // strategies
	states map[string]string // by strategy: what its group waits for
	shown  string            // the progress line, "" when there is none
}

// settled is the state of a group that waits for nothing.
const settled = "settled"

const (
	width     = 100 // columns at most, where the settings ask for much
	textWidth = 78  // of prose
	lineWidth = 79  // of the progress line, which must not wrap at 80
)

func newScreen(w io.Writer, plain bool, strategies []string) *screen {
	s := &screen{w: w, order: strategies, states: make(map[string]string)}
	if f, ok := w.(*os.File); ok && !plain {
		info, err := f.Stat()
		s.live = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	s.colour = s.live && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	s.live = s.live && os.Getenv("TERM") != "dumb"
	return s
}

// status shows what a strategy's group waits for.
func (s *screen) status(strategy, state string) {
	if !s.live {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.states[strategy] = state
	var parts []string
	for _, name := range s.order {
		if state := s.states[name]; state != "" && state != settled {
			parts = append(parts, name+": "+state)
		}
	}
	line := fmt.Sprintf("%.*s", lineWidth, margin+strings.Join(parts, divider))
	if line == s.shown {
		return
	}
	s.shown = line
	fmt.Fprint(s.w, "\r\x1b[2K", s.paint(faint, line))
}

// clear removes the progress line.
func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown != "" {
		fmt.Fprint(s.w, "\r\x1b[2K")
	}
	s.shown = ""
	clear(s.states)
}

func (s *screen) print(text string) {
	s.clear()
	fmt.Fprint(s.w, text)
}

// A style is an ANSI SGR sequence, without the frame.
type style string

const (
	normal style = ""
	bold   style = "1"
	faint  style = "2"
)

func (s *screen) paint(st style, text string) string {
	if !s.colour || st == normal || text == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}

// intro explains what will be seen.
func (s *screen) intro(cfg config) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", s.paint(bold, "kgo-rendezvous: what a rebalance moves"))
	b.WriteString(wrap(fmt.Sprintf("Workers keep something warm for each partition they have: a cache, a store. When a partition moves, the next worker starts cold. Here %s consumer groups read the same records from an embedded Kafka (topics: %d, partitions of each: %d) and live through the same history. They differ only in their balancer:", numeral(len(cfg.strategies)), len(cfg.topics), cfg.partitions), ""))
	b.WriteByte('\n')
	for _, st := range cfg.strategies {
		fmt.Fprintf(&b, "%s%-20s%s\n", margin, st.name, st.code)
	}
	b.WriteString("\nIn the grids a row is a worker, a column is a partition:\n\n")
	for _, m := range []mark{kept, necessary, home, needless, former, absent} {
		fmt.Fprintf(&b, "%s%s  %s\n", margin, s.cell(m), marks[m].meaning)
	}
	s.print(b.String())
}

// numeral writes small numbers in letters.
func numeral(n int) string {
	if small := []string{"no", "one", "two", "three", "four", "five"}; n < len(small) {
		return small[n]
	}
	return fmt.Sprint(n)
}

// wrap breaks a paragraph into lines, all but the first indented. A number and
// its % stay together.
func wrap(text, indent string) string {
	var b strings.Builder
	n := 0
	const glued = "\x00%"
	for i, word := range strings.Fields(strings.ReplaceAll(text, " %", glued)) {
		word = strings.ReplaceAll(word, glued, " %")
		switch {
		case i == 0:
		case n+1+len(word) > textWidth:
			b.WriteString("\n" + indent)
			n = len(indent)
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String() + "\n"
}
