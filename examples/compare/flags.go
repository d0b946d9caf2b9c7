package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A config is what the command was asked for.
type config struct {
	sizes      []size
	topics     int
	weights    []uint32
	algorithms []algorithm
	seeds      int
	patience   time.Duration
	html, csv  string

	measuring time.Duration // see measure
	sweep     sweep         // for the page's charts
}

// The one in the middle is there because its loads cannot be equal.
const defaultSizes = "3x12,10x128,100x1000"

// What still makes sense to play.
const (
	maxMembers    = 5000
	maxPartitions = 500_000
	maxTopics     = 1000
	maxSeeds      = 1000
	maxWeight     = 10_000
)

// A value is a flag's. The flag package's own values only say "parse error".
type value[T any] struct {
	to    *T
	parse func(string) (T, error)
	want  string
}

func (v value[T]) Set(s string) error {
	t, err := v.parse(s)
	if err != nil {
		return errors.New("give " + v.want)
	}
	*v.to = t
	return nil
}

func (v value[T]) String() string {
	if v.to == nil {
		return ""
	}
	return fmt.Sprint(*v.to)
}

// texts are flags before they are understood.
type texts struct{ sizes, weights, algorithms string }

func flags(cfg *config, t *texts) *flag.FlagSet {
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed on one line
	fs.StringVar(&t.sizes, "sizes", defaultSizes, "groups to compare in, `MEMBERSxPARTITIONS,...`")
	cfg.topics, cfg.seeds, cfg.patience = 4, 4, 2*time.Second
	fs.Var(value[int]{&cfg.topics, strconv.Atoi, "a whole number"}, "topics", "`NUMBER` of topics that share the partitions; all members read all")
	fs.StringVar(&t.weights, "weights", "", "`W,...` members take these in turn, such as 1,1,4; loads are then compared with\nfair shares by weight. kgo's balancers know no weights (default all equal)")
	fs.StringVar(&t.algorithms, "algorithms", "all", "`NAME,...` of those listed below, or ours, classics, kgo, all")
	fs.Var(value[int]{&cfg.seeds, strconv.Atoi, "a whole number"}, "seeds", "`NUMBER` of histories that figures are the mean of, more in small groups;\nthe seeds are 1, 2, 3 and so on")
	fs.Var(value[time.Duration]{&cfg.patience, time.ParseDuration, "a time such as 2s"}, "patience", "`TIME` an algorithm may take at a size, roughly; one that would take longer plays\nfewer histories, then no rolling restart")
	fs.StringVar(&cfg.html, "html", "", "`FILE` to write a page with charts to, complete in itself")
	fs.StringVar(&cfg.csv, "csv", "", "`FILE` to write all figures to")
	return fs
}

const about = `compare plays one history under every algorithm: a group starts, one member joins,
another one leaves, then all leave and come back one by one, then some leave and others join.

  go run ./examples/compare
  go run ./examples/compare -sizes 30x200,200x2000 -algorithms ours,kgo -html compare.html
`

func usage() string {
	const width = 96
	var b strings.Builder
	b.WriteString(about + "\nFlags:\n")
	fs := flags(new(config), new(texts))
	fs.SetOutput(&b)
	fs.PrintDefaults()
	b.WriteString("\nAlgorithms:\n")
	for _, a := range algorithms() {
		fmt.Fprintf(&b, "  %-25s%s\n", a.name, wrap(a.about, width-27, strings.Repeat(" ", 27)))
	}
	b.WriteString("\nColumns:\n" + glossary(columns(), width))
	b.WriteString("\nColumns of what to choose, each the worst of all sizes but for work, which is at the largest:\n" + glossary(worstColumns(nil), width))
	b.WriteString("\n" + wrap(notes, width, "") + "\n")
	return b.String()
}

const notes = "Seeds are fixed, so that figures repeat, with two exceptions: times and look-ups are measured, and " +
	"kgo's two sticky balancers go by map order, which differs from run to run."

func parse(args []string) (*config, error) {
	cfg, t := &config{measuring: 10 * time.Millisecond, sweep: fullSweep}, texts{}
	fs := flags(cfg, &t)
	if err := fs.Parse(args); err != nil {
		if unknown, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: "); ok {
			return nil, fmt.Errorf("there is no flag %s", unknown)
		}
		return nil, err
	}
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	var err error
	if cfg.sizes, err = parseSizes(t.sizes); err != nil {
		note(err)
	}
	if cfg.weights, err = parseWeights(t.weights); err != nil {
		note(err)
	}
	if cfg.algorithms, err = choose(t.algorithms); err != nil {
		note(err)
	}
	note(within("topics", cfg.topics, maxTopics))
	note(within("seeds", cfg.seeds, maxSeeds))
	for _, s := range cfg.sizes {
		if cfg.topics > s.partitions {
			note(fmt.Errorf("-topics %d: size %s has only %d partitions to share, give fewer topics", cfg.topics, s, s.partitions))
		}
	}
	if cfg.patience <= 0 {
		note(fmt.Errorf("-patience %s: give a time above zero, such as 2s", cfg.patience))
	}
	if fs.NArg() > 0 {
		note(fmt.Errorf("unexpected argument %q: all settings are flags", fs.Arg(0)))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return cfg, nil
}

func within(name string, n, high int) error {
	if n < 1 || n > high {
		return fmt.Errorf("-%s %d: give a number from 1 to %d", name, n, high)
	}
	return nil
}

func parseSizes(text string) ([]size, error) {
	var sizes []size
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		m, p, _ := strings.Cut(strings.ToLower(part), "x")
		members, err1 := strconv.Atoi(m)
		partitions, err2 := strconv.Atoi(p)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("-sizes: %q is not MEMBERSxPARTITIONS, such as 10x100", part)
		}
		if members < 2 || members > maxMembers || partitions < 1 || partitions > maxPartitions {
			return nil, fmt.Errorf("-sizes: %q: give 2 to %d members and 1 to %d partitions", part, maxMembers, maxPartitions)
		}
		s := size{members, partitions}
		if slices.Contains(sizes, s) {
			return nil, fmt.Errorf("-sizes: %q is there twice, leave one out", part)
		}
		sizes = append(sizes, s)
	}
	return sizes, nil
}

func parseWeights(text string) ([]uint32, error) {
	if text == "" {
		return nil, nil
	}
	var weights []uint32
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > maxWeight {
			return nil, fmt.Errorf("-weights: %q: give whole numbers from 1 to %d, such as 1,1,4", part, maxWeight)
		}
		weights = append(weights, uint32(n))
	}
	return weights, nil
}

// choose returns the algorithms of that name or kind, in the order of the
// table.
func choose(text string) ([]algorithm, error) {
	all := algorithms()
	chosen := make([]bool, len(all))
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimSpace(name)
		found := false
		for i, a := range all {
			if name == a.name || name == string(a.kind) || name == "all" {
				chosen[i], found = true, true
			}
		}
		if !found {
			var names []string
			for _, a := range all {
				names = append(names, a.name)
			}
			return nil, fmt.Errorf("-algorithms: there is no %q, there are %s and the groups ours, classics, kgo, all", name, strings.Join(names, ", "))
		}
	}
	var out []algorithm
	for i, a := range all {
		if chosen[i] {
			out = append(out, a)
		}
	}
	return out, nil
}
