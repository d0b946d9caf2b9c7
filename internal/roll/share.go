package roll

import "fmt"

// A Share counts what is so of what could be.
type Share struct{ Is, Of int }

// Whole tells whether all is so.
func (s Share) Whole() bool { return s.Is == s.Of }

// Add adds another Share's counts.
func (s *Share) Add(o Share) { s.Is, s.Of = s.Is+o.Is, s.Of+o.Of }

func (s Share) String() string {
	if s.Of == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(s.Is)/float64(s.Of))
}
