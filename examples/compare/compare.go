package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// A result is what came of one algorithm at one size.
type result struct {
	algorithm *algorithm
	effort    effort
	*figures
	costs
}

// A comparison is what came of all at one size.
type comparison struct {
	setup
	results []*result
}

// A job is one history of one result.
type job struct {
	setup  setup
	result *result
	seed   int
	into   **figures
}

// compare plays all algorithms at all sizes, and then measures their costs one
// by one, when nothing else runs.
func compare(cfg *config, bar *progress) ([]*comparison, error) {
	all, err := playAll(cfg, bar)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		err := measure(c.results, newWorld(c.setup, 1), cfg.measuring, func(r *result) {
			bar.at(fmt.Sprintf("%s %s: costs", c.size, r.algorithm.name))
			bar.done(2 * cfg.measuring)
		})
		if err != nil {
			return nil, fmt.Errorf("at %s: %w", c.size, err)
		}
	}
	return all, nil
}

// playAll returns all results but for the costs.
func playAll(cfg *config, bar *progress) ([]*comparison, error) {
	var all []*comparison
	var jobs []job
	played := make(map[*result][]*figures)
	for _, s := range cfg.sizes {
		c := &comparison{setup: setup{s, cfg.topics, cfg.weights}}
		for i := range cfg.algorithms {
			a := &cfg.algorithms[i]
			r := &result{algorithm: a, effort: a.effortFor(s, cfg.seeds, cfg.patience)}
			c.results = append(c.results, r)
			played[r] = make([]*figures, r.effort.histories)
			for n := range played[r] {
				jobs = append(jobs, job{c.setup, r, n + 1, &played[r][n]})
			}
			bar.expect(r.effort.cost + passes*2*cfg.measuring)
		}
		all = append(all, c)
	}
	err := each(jobs, func(j job) (err error) {
		a, e := j.result.algorithm, j.result.effort
		bar.at(fmt.Sprintf("%s %s", j.setup.size, a.name))
		w := newWorld(j.setup, uint64(j.seed))
		if *j.into, err = play(w, a.newPlacer(w), e.roll); err != nil {
			return fmt.Errorf("%s at %s, history %d: %w", a.name, j.setup.size, j.seed, err)
		}
		bar.done(e.cost / time.Duration(e.histories))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for r, figures := range played {
		r.figures = mean(figures)
	}
	return all, nil
}

// of returns the result of the algorithm with that name, nil if there is none.
func (c *comparison) of(name string) *result {
	i := slices.IndexFunc(c.results, func(r *result) bool { return r.algorithm.name == name })
	if i < 0 {
		return nil
	}
	return c.results[i]
}

// each calls fn for every item, as many at a time as there are processors, and
// returns the error of the first that fails, in their order.
func each[T any](items []T, fn func(T) error) error {
	errs := make([]error, len(items))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				errs[i] = fn(items[i])
			}
		})
	}
	for i := range items {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
