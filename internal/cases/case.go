package cases

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

//go:embed testdata/cases.jsonl
var file []byte

// A Case is one group, or a history of one, out of another client's tests.
type Case struct {
	ID      string              `json:"id"`
	Name    string              `json:"name"`
	Source  string              `json:"source_url"`
	AlsoIn  []string            `json:"also_in"`
	Applies []string            `json:"applies"` // to which kinds of balancers, in the words of its source
	Topics  counts              `json:"topics"`
	Members []member            `json:"members"`
	Racks   map[string][]string `json:"partition_racks"`
	Then    []step              `json:"then"`
	Expect  expectations        `json:"expect"`
	Note    string              `json:"note"`
}

// A step is what happens to the group after it has settled, and what is then
// expected.
type step struct {
	Do     []event      `json:"do"`
	Expect expectations `json:"expect"`
}

type event struct {
	Event     string   `json:"event"`
	ID        string   `json:"id"`
	To        string   `json:"to"`
	Member    *member  `json:"member"`
	Topics    topicsOf `json:"topics"`
	DropOwned bool     `json:"drop_owned"`
}

// member is a member as a case lists it.
type member struct {
	ID         string   `json:"id"`
	Instance   string   `json:"instance"`
	Topics     []string `json:"topics"`
	Owned      claimed  `json:"owned"`
	Generation *int32   `json:"generation"`
	Rack       string   `json:"rack"`
	Weight     uint32   `json:"weight"`
	Metadata   hexBytes `json:"metadata_hex"`
	Gen        string   `json:"gen"` // described in words: see scale.go
}

// claimed is what a member says it owns; remembered stands for its very first
// assignment, as a zombie claims it.
type claimed struct {
	partitions map[string][]int32
	remembered bool
}

func (c *claimed) UnmarshalJSON(src []byte) error {
	if string(src) == `"remembered"` {
		c.remembered = true
		return nil
	}
	return json.Unmarshal(src, &c.partitions)
}

// counts are partition counts by topic.
type counts map[string]int32

func (c *counts) UnmarshalJSON(src []byte) error {
	if bytes.Contains(src, []byte(`"gen"`)) {
		return nil // described in words: see scale.go
	}
	return json.Unmarshal(src, (*map[string]int32)(c))
}

// topicsOf is a map of counts in one kind of event, a list of names in another.
type topicsOf struct {
	counts counts
	names  []string
}

func (t *topicsOf) UnmarshalJSON(src []byte) error {
	if src[0] == '[' {
		return json.Unmarshal(src, &t.names)
	}
	return json.Unmarshal(src, &t.counts)
}

type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(src []byte) (err error) {
	var s string
	if err := json.Unmarshal(src, &s); err != nil {
		return err
	}
	*h, err = hex.DecodeString(s)
	return err
}

// expectations are what is expected, by kind.
type expectations map[Kind]json.RawMessage

// UnmarshalJSON lifts the members of "coop" to kinds of their own.
func (e *expectations) UnmarshalJSON(src []byte) error {
	if err := json.Unmarshal(src, (*map[Kind]json.RawMessage)(e)); err != nil {
		return err
	}
	coop, ok := (*e)["coop"]
	if !ok {
		return nil
	}
	delete(*e, "coop")
	var inner map[string]json.RawMessage
	if err := json.Unmarshal(coop, &inner); err != nil {
		return err
	}
	for k, v := range inner {
		(*e)[Kind("coop."+k)] = v
	}
	return nil
}

func (e expectations) kinds() []Kind { return slices.Sorted(maps.Keys(e)) }

// Load returns all cases. It fails on anything it does not understand, so that
// no expectation is lost to a misspelt name.
func Load() ([]*Case, error) {
	var all []*Case
	for i, line := range bytes.Split(bytes.TrimSpace(file), []byte("\n")) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		c := new(Case)
		if err := d.Decode(c); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		for _, e := range append([]step{{Expect: c.Expect}}, c.Then...) {
			for k := range e.Expect {
				if _, ok := table[k]; !ok {
					return nil, fmt.Errorf("%s expects %q, which is not known", c.ID, k)
				}
			}
		}
		all = append(all, c)
	}
	return all, nil
}
