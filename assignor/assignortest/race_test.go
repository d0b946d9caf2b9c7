//go:build race

package assignortest

import "flag"

// Under the race detector a check takes five times as long, and fewer of them see
// the same races. The command line has the last word.
func init() {
	if err := flag.Set("rapid.checks", "40"); err != nil {
		panic(err)
	}
}
