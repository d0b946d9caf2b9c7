package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// settings are flags that can be given by environment variables too, as it is
// usual in containers: -session-timeout is WORKER_SESSION_TIMEOUT. The flag wins.
type settings struct {
	flags *flag.FlagSet
	about string
	order []string // as defined: help lists what matters first
}

// A usageError is the user's to correct.
type usageError struct{ error }

func newSettings(about string) *settings {
	s := &settings{flags: flag.NewFlagSet("", flag.ContinueOnError), about: about}
	s.flags.SetOutput(io.Discard) // errors are returned, help is asked for
	return s
}

func envName(name string) string {
	return "WORKER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// parse reads flags, then the environment for those not given. It prints help to
// out and returns flag.ErrHelp if that was asked for.
func (s *settings) parse(args []string, env lookupEnv, out io.Writer) error {
	err := s.flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		s.help(out)
		return err
	}
	if err != nil {
		return usageError{err}
	}
	if s.flags.NArg() > 0 {
		return usageError{fmt.Errorf("unexpected argument %q: settings are flags, with a dash", s.flags.Arg(0))}
	}
	given := make(map[string]bool)
	s.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var errs []error
	for _, name := range s.order {
		if v, ok := env(envName(name)); ok && !given[name] {
			if err := s.flags.Set(name, v); err != nil {
				errs = append(errs, fmt.Errorf("invalid value %q for %s (-%s): %w", v, envName(name), name, err))
			}
		}
	}
	if len(errs) > 0 {
		return usageError{errors.Join(errs...)}
	}
	return nil
}

func (s *settings) help(out io.Writer) {
	fmt.Fprintf(out, "%s\nEvery flag can be given by the environment variable beside it; the flag wins.\n\n", s.about)
	for _, name := range s.order {
		f := s.flags.Lookup(name)
		arg, usage := flag.UnquoteUsage(f)
		if v, ok := f.Value.(boolean); ok && v.IsBoolFlag() {
			arg = ""
		}
		switch f.DefValue {
		case "", "0", "0s", "false":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(out, "  %-34s %s\n        %s\n", strings.TrimSpace("-"+name+" "+arg), envName(name), strings.ReplaceAll(usage, "\n", "\n        "))
	}
}

type boolean interface{ IsBoolFlag() bool }

// value is a flag.Value whose errors say what to do.
type value[T any] struct {
	to    *T
	parse func(string) (T, error)
}

func (v value[T]) Set(s string) (err error) {
	t, err := v.parse(s)
	if err == nil {
		*v.to = t
	}
	return err
}

func (v value[T]) String() string {
	if v.to == nil {
		return ""
	}
	if l, ok := any(*v.to).([]string); ok {
		return strings.Join(l, ",")
	}
	return fmt.Sprint(*v.to)
}

func (v value[T]) IsBoolFlag() bool {
	_, ok := any(v.to).(*bool)
	return ok
}

// define adds a flag whose default is what *to holds.
func define[T any](s *settings, to *T, name, usage string, parse func(string) (T, error)) {
	s.flags.Var(value[T]{to, parse}, name, usage)
	s.order = append(s.order, name)
}

// Deployments set variables from other variables, and those may be missing. An
// empty value is never what somebody wants here, the default is had by leaving
// the variable out.
var errEmpty = errors.New("it is empty, most likely from a variable that is not set: give a value, or leave it out")

func text(s string) (string, error) {
	if s == "" {
		return "", errEmpty
	}
	return s, nil
}

func list(s string) ([]string, error) {
	var l []string
	for _, item := range strings.Split(s, ",") {
		if item = strings.TrimSpace(item); item == "" {
			return nil, errors.New("an item of the list is empty: give one or more, separated by commas")
		}
		l = append(l, item)
	}
	return l, nil
}

func brokers(s string) ([]string, error) {
	l, err := list(s)
	for _, b := range l {
		_, port, splitErr := net.SplitHostPort(b)
		if n, _ := strconv.ParseUint(port, 10, 16); splitErr != nil || n == 0 {
			return nil, fmt.Errorf("%q is no HOST:PORT, such as kafka-0:9092", b)
		}
	}
	return l, err
}

func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, errors.New("give a number with its unit, such as 500ms, 45s or 2m")
	}
	return d, nil
}

func whole(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, errors.New("give a whole number, 0 or more")
	}
	return n, nil
}

func yes(s string) (bool, error) {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return false, errors.New("give true or false")
	}
	return b, nil
}
