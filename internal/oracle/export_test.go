package oracle

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// The tests are a package of their own: they write groups with assignortest, which
// holds strategies against this package.

var (
	Ceilings = ceilings
	Equal    = equal
	Valid    = valid
	Weighted = weighted
)

// A Quota is a share.
type Quota struct{ Floor, Ceiling, Remainder int }

// Totals returns totals.
func Totals(g *assignor.Group) (quotas []Quota) {
	for _, s := range totals(g) {
		quotas = append(quotas, Quota{s.floor, s.ceiling, s.remainder})
	}
	return quotas
}
