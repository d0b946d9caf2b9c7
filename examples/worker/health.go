package main

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// health is what /healthz says: 200 while the worker is a member of the group, be
// it with partitions or without, 503 and why otherwise. The package comment says
// which probe it is for.
type health struct {
	group string

	mu       sync.Mutex
	ok       bool
	stopping bool
	text     string
	since    time.Time
}

func newHealth(c *config) *health {
	return &health{
		group: c.group,
		since: time.Now(),
		text:  fmt.Sprintf("joining; if it takes long, is a broker of %q in reach, and do the topics %q exist?", c.brokers, c.topics),
	}
}

func (h *health) set(ok bool, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.stopping && (h.ok != ok || h.text != text) {
		h.ok, h.text, h.since = ok, text, time.Now()
	}
}

// stop is final.
func (h *health) stop() {
	h.set(false, "stopping")
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopping = true
}

func (h *health) get() (ok bool, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ok, h.text
}

func (h *health) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	ok, text, since := h.ok, h.text, time.Since(h.since)
	h.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !ok {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintf(w, "group %q, for %s: %s\n", h.group, since.Round(time.Second), text)
}
