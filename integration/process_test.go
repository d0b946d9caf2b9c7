//go:build integration

package integration

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

// buildWorker builds examples/worker once and returns the binary. TestMain
// removes it.
var buildWorker = sync.OnceValues(func() (bin string, err error) {
	dir, err := os.MkdirTemp("", "kgo-rendezvous-")
	if err != nil {
		return "", err
	}
	atExit(func() { os.RemoveAll(dir) })
	bin = filepath.Join(dir, "worker")
	build := exec.Command("go", "build", "-o", bin, "./examples/worker")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building examples/worker: %w\n%s", err, out)
	}
	return bin, nil
})

// A process is one life of one worker.
type process struct {
	owner  scenario.Owner
	cmd    *exec.Cmd
	trace  trace
	log    string
	killed bool

	exited chan struct{} // closed when it has ended, and the next two are set
	ended  time.Time
	err    error
}

func (p *process) String() string { return p.owner.String() }

// start starts a worker, or starts it again, under the name as its identity.
func (f *fleet) start(name string, args ...string) *process {
	f.t.Helper()
	life := 1
	for _, p := range f.all {
		if p.owner.Member == name {
			life++
		}
	}
	p := &process{owner: scenario.Owner{Member: name, Life: life}, exited: make(chan struct{})}
	p.trace.path = filepath.Join(f.dir, p.String()+".jsonl")
	p.log = filepath.Join(f.dir, p.String()+".log")
	log, err := os.Create(p.log)
	if err != nil {
		f.t.Fatal(err)
	}
	defer log.Close()
	p.cmd = exec.Command(f.bin, slices.Concat([]string{
		"-brokers", f.addr, "-group", f.group, "-topics", f.topic, "-identity", name, "-trace", p.trace.path,
	}, f.args, args)...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	atExit(func() { p.cmd.Process.Kill() })
	go func() {
		p.err = p.cmd.Wait()
		p.ended = time.Now()
		close(p.exited)
	}()
	f.all = append(f.all, p)
	return p
}

// stop asks a worker to stop and waits until it has.
func (f *fleet) stop(name string) {
	f.t.Helper()
	p := f.alive(name)
	p.cmd.Process.Signal(syscall.SIGTERM)
	f.await(p)
	if p.err != nil {
		f.t.Errorf("%v did not stop well: %v", p, p.err)
	}
}

// kill kills a worker and waits until it is dead.
func (f *fleet) kill(name string) {
	f.t.Helper()
	p := f.alive(name)
	p.killed = true
	p.cmd.Process.Kill()
	f.await(p)
}

func (f *fleet) await(p *process) {
	f.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(30 * time.Second):
		f.t.Fatalf("%v still runs after 30 s", p)
	}
}

func (p *process) lives() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

func (f *fleet) live() []*process {
	return slices.DeleteFunc(slices.Clone(f.all), func(p *process) bool { return !p.lives() })
}

// alive returns the process of a worker.
func (f *fleet) alive(name string) *process {
	f.t.Helper()
	for _, p := range f.live() {
		if p.owner.Member == name {
			return p
		}
	}
	f.t.Fatalf("%s does not run", name)
	return nil
}

// follow reads what is new in all traces.
func (f *fleet) follow() {
	f.t.Helper()
	for _, p := range f.all {
		p.trace.follow(f.t)
	}
}
