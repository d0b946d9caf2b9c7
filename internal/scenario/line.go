package scenario

import (
	"context"
	"errors"
	"net"
	"sync"
)

// A line is a client's way to the brokers, which can be cut: then no request
// of a crashed member, LeaveGroup above all, reaches them any more.
type line struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
	isCut bool
}

var errCut = errors.New("scenario: the line is cut")

func newLine() *line { return &line{conns: make(map[net.Conn]struct{})} }

func (l *line) dial(ctx context.Context, network, host string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, host)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isCut {
		c.Close()
		return nil, errCut
	}
	l.conns[c] = struct{}{}
	return &lineConn{c, l}, nil
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isCut = true
	for c := range l.conns {
		c.Close()
	}
}

type lineConn struct {
	net.Conn
	l *line
}

func (c *lineConn) Close() error {
	c.l.mu.Lock()
	delete(c.l.conns, c.Conn)
	c.l.mu.Unlock()
	return c.Conn.Close()
}
