package assignortest

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// judge runs one law in the same way every time and returns what it says
// against the strategy, "" if nothing.
func judge(t *testing.T, s assignor.Strategy, law Law, flags ...string) string {
	t.Helper()
	return judgeBeside(t, s, law, nil, flags...)
}

// judgeBeside is judge for a strategy that claims other laws beside.
func judgeBeside(t *testing.T, s assignor.Strategy, law Law, beside []Law, flags ...string) string {
	t.Helper()
	flags = append([]string{"rapid.seed=1", "rapid.shrinktime=0s", "rapid.nofailfile=true"}, flags...)
	for _, f := range flags {
		name, value, _ := strings.Cut(f, "=")
		was := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := flag.Set(name, was); err != nil {
				t.Fatal(err)
			}
		}()
	}
	r := &recorder{name: t.Name()}
	done := make(chan struct{})
	go func() { // which FailNow ends
		defer close(done)
		Check(r, s, law, beside...)
	}()
	<-done
	if !r.failed {
		return ""
	}
	return r.log.String()
}

// A recorder is a test that may fail without failing the one that runs it. One
// goroutine uses it, as rapid does.
type recorder struct {
	name   string
	failed bool
	log    strings.Builder
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return r.name }
func (r *recorder) Failed() bool { return r.failed }
func (r *recorder) Fail()        { r.failed = true }
func (r *recorder) FailNow()     { r.failed = true; runtime.Goexit() }
func (r *recorder) SkipNow()     { runtime.Goexit() }

func (r *recorder) Log(args ...any)                 { fmt.Fprintln(&r.log, args...) }
func (r *recorder) Logf(format string, args ...any) { fmt.Fprintf(&r.log, format+"\n", args...) }

func (r *recorder) Error(args ...any)                 { r.Log(args...); r.Fail() }
func (r *recorder) Errorf(format string, args ...any) { r.Logf(format, args...); r.Fail() }
func (r *recorder) Fatal(args ...any)                 { r.Log(args...); r.FailNow() }
func (r *recorder) Fatalf(format string, args ...any) { r.Logf(format, args...); r.FailNow() }
func (r *recorder) Skip(args ...any)                  { r.Log(args...); r.SkipNow() }
func (r *recorder) Skipf(format string, args ...any)  { r.Logf(format, args...); r.SkipNow() }
