package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status.
func run(args []string, stdout io.Writer, stderr *os.File) int {
	cfg, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage())
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "compare: %v (see -help)\n", err)
		return 2
	}
	if err := show(cfg, stdout, newProgress(stderr)); err != nil {
		fmt.Fprintf(stderr, "compare: %v\n", err)
		return 1
	}
	return 0
}

// show compares and writes what was asked for.
func show(cfg *config, stdout io.Writer, bar *progress) error {
	// A file that cannot be written is better known before the work.
	page, err := open("-html", cfg.html)
	if err != nil {
		return err
	}
	defer page.drop()
	table, err := open("-csv", cfg.csv)
	if err != nil {
		return err
	}
	defer table.drop()
	all, err := compare(cfg, bar)
	var charts []*chart
	var rings *chart
	if err == nil && page != nil {
		charts, rings, err = chartsOf(cfg, all, bar)
	}
	bar.clear()
	if err != nil {
		return err
	}
	says := takeaways(all, rings)
	sum := summarize(all)
	if err := printTables(stdout, all, sum, says); err != nil {
		return err
	}
	if err := table.write(func(w io.Writer) error { return writeCSV(w, all) }); err != nil {
		return err
	}
	return page.write(func(w io.Writer) error { return writePage(w, all, append(charts, rings), sum, says) })
}

// chartsOf plays what the charts show beyond the comparison itself.
func chartsOf(cfg *config, all []*comparison, bar *progress) (charts []*chart, rings *chart, err error) {
	moves, loads, err := cfg.sweep.growth(cfg.algorithms, bar)
	if err != nil {
		return nil, nil, err
	}
	if len(moves.lines) > 1 { // one is the fair share
		charts = append(charts, moves)
	}
	for _, c := range []*chart{loads, distribution(largest(all))} {
		if len(c.lines) > 0 {
			charts = append(charts, c)
		}
	}
	rings, err = cfg.sweep.rings(bar)
	return charts, rings, err
}
