package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	rebalance "github.com/kgo-rendezvous/kgo-rendezvous/assignor/metrics"
)

// metrics are the worker's own and, on the leader, those of the group.
type metrics struct {
	registry     *prometheus.Registry
	group        *rebalance.Collector
	records      *prometheus.CounterVec
	owned        prometheus.Gauge
	commitErrors prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry:     prometheus.NewRegistry(),
		group:        rebalance.New(),
		records:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "worker_records_total", Help: "Records processed."}, []string{"topic"}),
		owned:        prometheus.NewGauge(prometheus.GaugeOpts{Name: "worker_partitions", Help: "Partitions that this worker owns."}),
		commitErrors: prometheus.NewCounter(prometheus.CounterOpts{Name: "worker_commit_errors_total", Help: "Commits that failed."}),
	}
	m.registry.MustRegister(
		m.group, m.records, m.owned, m.commitErrors,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

func (w *worker) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(w.metrics.registry, promhttp.HandlerOpts{Registry: w.metrics.registry}))
	mux.Handle("GET /healthz", w.health)
	return mux
}

// serve answers on address, and returns the one that it got.
func serve(address string, h http.Handler) (got string, stop func(), err error) {
	if address == noListen {
		return noListen, func() {}, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("-listen: %w; give another port, :0 for any free one, or %q", err, noListen)
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			panic(err) // the listener was taken away
		}
	}()
	return l.Addr().String(), func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if s.Shutdown(ctx) != nil {
			s.Close()
		}
		<-done
	}, nil
}
