package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const aboutHealth = `worker health asks the worker on this host how it is, and exits with 0 if it is well:
for the health check of a container without a shell.
`

// probe is the command "worker health".
func probe(ctx context.Context, args []string, env lookupEnv, stdout, _ io.Writer) error {
	listen := defaultListen
	s := newSettings(aboutHealth)
	define(s, &listen, "listen", "`ADDRESS` that the worker listens on", text)
	if err := s.parse(args, env, stdout); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil || port == "0" {
		return usageError{fmt.Errorf("-listen %q: give the HOST:PORT or :PORT that the worker listens on", listen)}
	}
	if host == "" {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return usageError{err}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status + ": " + string(body))
	}
	_, err = stdout.Write(body)
	return err
}
