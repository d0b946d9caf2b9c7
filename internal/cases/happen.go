package cases

import (
	"fmt"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// actions is what can happen to a group, rounds more often than the rest.
var actions = []func(*History){
	(*History).round, (*History).round, (*History).round, (*History).round, (*History).round,
	(*History).calm,
	(*History).startNew, (*History).startNew, (*History).startLiar, (*History).comeBack, (*History).comeBack, (*History).restartStatic,
	(*History).crash, (*History).leave, (*History).expire,
	(*History).sleep, (*History).sleep, (*History).wake, (*History).loseSession,
	(*History).subscribe, (*History).grow,
}

// newProcess returns a process of a new name, every third a static member and
// every third with an identity, now and then one that another has.
func (h *History) newProcess() *process {
	h.names++
	p := &process{name: fmt.Sprintf("p%d", h.names)}
	switch h.Draw(3, "member") {
	case 0:
		p.instance = p.name
	case 1:
		p.identity = p.name
		if h.chance(8, "twin") {
			if twin := h.pick("twin of", awake); twin != nil {
				p.identity = twin.identity
			}
		}
	}
	p.reads = h.drawTopics()
	return p
}

func (h *History) drawTopics() (reads []string) {
	for _, t := range historyTopics {
		if !h.chance(3, "reads not") {
			reads = append(reads, t)
		}
	}
	return reads
}

// start brings a process to life, the first or a further one of its name.
func (h *History) start(p *process) {
	opts := slices.Clone(h.Options)
	if p.identity != "" {
		opts = append(opts, assignor.Identity(p.identity))
	}
	p.leader = NewLeader(h.Strategy, opts...)
	p.alive, p.generation, p.works = true, -1, make(map[partition]doubt)
	h.processes = append(h.processes, p)
	h.stable = false
	h.logf("%s starts, reads %v, instance %q, identity %q, lies: %v", p.name, p.reads, p.instance, p.identity, p.lies)
}

func (h *History) startNew() {
	if len(h.processes) < 12 {
		h.start(h.newProcess())
	}
}

// startLiar starts a member that claims what it likes, as whoever may join the
// group can. It can keep partitions from others; it cannot make two of them
// own one.
func (h *History) startLiar() {
	p := h.newProcess()
	p.lies = true
	h.start(p)
}

// comeBack starts another process in place of one that is dead or hangs.
func (h *History) comeBack() {
	if p := h.pick("replaced", h.replaceable); p != nil {
		h.start(p.another())
	}
}

// another returns the next life of a consumer.
func (p *process) another() *process {
	return &process{name: p.name, instance: p.instance, identity: p.identity, lies: p.lies, reads: p.reads}
}

// replaceable tells whether a process is dead or hangs, and no other of its name
// is awake.
func (h *History) replaceable(p *process) bool {
	return !awake(p) && !slices.ContainsFunc(h.processes, func(q *process) bool { return awake(q) && q.name == p.name })
}

// restartStatic has a static member die and another process take its seat. In a
// stable group that brings no round: the broker hands out what is stored.
func (h *History) restartStatic() {
	p := h.pick("static", func(p *process) bool { return awake(p) && p.instance != "" && h.seatOf(p) != nil })
	if p == nil {
		return
	}
	h.kill(p)
	s := h.vacant(p.instance)
	stable := h.stable && s.assigned != nil && !slices.ContainsFunc(h.processes, func(q *process) bool { return awake(q) && q.rejoin })
	q := p.another()
	h.start(q)
	if !stable {
		return
	}
	h.join(q, h.newID, h.metadata)
	q.generation = h.generation
	h.stable = true
	h.give(q, s.assigned)
}

func (h *History) kill(p *process) {
	p.alive, p.rejoin = false, false
	h.logf("%v dies", p)
}

func (h *History) crash() {
	if p := h.pick("crash", func(p *process) bool { return p.alive }); p != nil {
		h.kill(p)
	}
}

// leave stops a process; a dynamic member tells the broker.
func (h *History) leave() {
	p := h.pick("leave", awake)
	if p == nil {
		return
	}
	h.kill(p)
	if s := h.seatOf(p); s != nil && p.instance == "" {
		h.remove(s)
	}
}

// expire ends the session of one that does not heartbeat.
func (h *History) expire() {
	p := h.pick("expire", func(p *process) bool { return !awake(p) && h.seatOf(p) != nil })
	if p != nil {
		h.logf("the session of %v ends", p)
		h.remove(h.seatOf(p))
	}
}

// sleep stops a process from talking to the broker. What it works on, it works
// on.
func (h *History) sleep() {
	if p := h.pick("sleep", awake); p != nil {
		p.asleep = true
		h.logf("%v sleeps", p)
	}
}

func (h *History) wake() {
	if p := h.pick("wake", func(p *process) bool { return p.alive && p.asleep }); p != nil {
		h.wakeUp(p)
	}
}

// wakeUp has a process talk to the broker again. If it was removed, or a
// generation went by, it learns so from a heartbeat and loses everything, or
// from its join, and then kgo keeps what it claims until the sync.
func (h *History) wakeUp(p *process) {
	p.asleep = false
	if h.seatOf(p) != nil && p.generation == h.generation {
		h.logf("%v wakes in time", p)
		return
	}
	if s := h.vacant(p.instance); s != nil && s.holder != p {
		h.kill(p) // FENCED_INSTANCE_ID is fatal
		return
	}
	if p.instance != "" || h.chance(2, "learns by heartbeat") {
		h.lose(p)
		return
	}
	if h.seatOf(p) == nil {
		p.id = ""
	}
	h.logf("%v wakes and still claims %v", p, p.owned())
	h.stable = false
}

func (h *History) loseSession() {
	if p := h.pick("lose", awake); p != nil {
		h.lose(p)
	}
}

func (h *History) lose(p *process) {
	h.logf("%v loses all it has", p)
	clear(p.works)
	p.id, p.rejoin = "", false
	h.stable = false
}

// subscribe changes what a process reads. What it no longer reads it stops at
// once, or when it is told to.
func (h *History) subscribe() {
	p := h.pick("subscribe", awake)
	if p == nil {
		return
	}
	p.reads = h.drawTopics()
	if h.chance(2, "stops at once") {
		for tp := range p.works {
			if !slices.Contains(p.reads, tp.topic) {
				delete(p.works, tp)
			}
		}
	}
	h.stable = false
	h.logf("%v reads %v", p, p.reads)
}

func (h *History) grow() {
	t := historyTopics[h.Draw(len(historyTopics), "topic")]
	if h.counts[t] < 9 {
		h.older[t] = h.counts[t]
		h.counts[t] += int32(1 + h.Draw(2, "by"))
		h.stable = false
		h.logf("%s grows to %d", t, h.counts[t])
	}
}
