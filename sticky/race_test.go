//go:build race

package sticky_test

import "flag"

// The race detector makes everything seven times slower, and finds what there is
// in fewer runs.
func init() {
	slow = true
	*seeds = 1
	if err := flag.Set("rapid.checks", "30"); err != nil {
		panic(err)
	}
}
