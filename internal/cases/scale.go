package cases

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// The large cases have 500 topics of 2,000 partitions each, a million in all,
// and 2,000 members. That takes half a minute: without Subject.Full they are
// played with a hundredth of the topics.
const (
	fullTopics  = 500
	shortTopics = 5
)

// narrow tells which of the large cases has one member that reads a single topic.
var narrow = map[string]bool{"C107": false, "C108": true}

// generate makes the group that a large case describes in words.
func generate(g *group, c *Case, full bool) {
	n := shortTopics
	if full {
		n = fullTopics
	}
	var topics []string
	for t := range n {
		name := fmt.Sprintf("t%03d", t)
		topics = append(topics, name)
		g.counts[name] = 2000
	}
	g.members = nil
	for i := range 2000 {
		p := &player{Member: lead.Member{ID: fmt.Sprintf("c%04d", i), Balancer: g.leader, Topics: topics, Generation: -1}}
		if i == 1999 && narrow[c.ID] {
			p.Topics = topics[:1]
		}
		g.members = append(g.members, p)
	}
}

// large tells whether a case is one of them.
func large(c *Case) bool {
	return slices.ContainsFunc(c.Members, func(m member) bool { return m.Gen != "" })
}

// runScale plays a large case: a fresh group, and the same group once more.
func (s *Subject) runScale(t *testing.T, c *Case) tally {
	counted := make(tally)
	g := newGroup(s.Strategy, false, &Case{})
	generate(g, c, s.Full)
	j := &judge{TB: t, subject: s, c: c, g: g, counted: counted}
	start := time.Now()
	j.play()
	t.Logf("%d members, %d partitions: %v fresh, %v again, %v with the test's own work", len(g.members), j.group.Partitions(), j.first.Report.Elapsed, j.again.Report.Elapsed, time.Since(start))
	for _, k := range c.Expect.kinds() {
		j.judge(k, c.Expect[k])
	}
	return counted
}

// checkScale holds the leader's own time against what Java's test allows for the
// full size.
func checkScale(j *judge, want json.RawMessage) {
	limit := decode[struct {
		Timeout float64 `json:"java_timeout_s"`
	}](j, want)
	if took := j.first.Report.Elapsed.Seconds(); took > limit.Timeout {
		j.wrong(Scale, "the leader took %.1f s, Java's test allows %.0f s", took, limit.Timeout)
	}
}
