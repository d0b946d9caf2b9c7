//go:build race

package oracle_test

import "flag"

// The race detector has nothing to find here and makes everything seven times
// slower: the largest case is left to runs without it.
func init() {
	slowest = "C054"
	if err := flag.Set("rapid.checks", "30"); err != nil {
		panic(err)
	}
}
