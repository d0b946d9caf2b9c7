package assignortest

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// drawKeys draws n different keys of one family.
func drawKeys(t *rapid.T, n int) []string {
	family := rapid.SampledFrom(families).Draw(t, "keys")
	if n > 200 { // more than some families have
		family = families[0]
	}
	keys := family(t, n)
	slices.Sort(keys)
	if n != len(slices.Compact(slices.Clone(keys))) {
		panic("assignortest: keys drawn twice")
	}
	return keys
}

var families = []func(t *rapid.T, n int) []string{
	// What Kubernetes calls them; sorted as text pod-10 comes before pod-2.
	func(t *rapid.T, n int) []string {
		return numbered(n, func(i int) string { return fmt.Sprintf("pod-%d", i) })
	},
	// One byte apart, anywhere in the key; hashes read 8, 32 or 64 at a time.
	func(t *rapid.T, n int) []string {
		size := rapid.SampledFrom([]int{1, 8, 9, 31, 32, 33, 64, 255}).Draw(t, "size")
		at := rapid.IntRange(0, size-1).Draw(t, "at")
		return numbered(n, func(i int) string {
			b := []byte(strings.Repeat("x", size))
			b[at] = byte('!' + i)
			return string(b)
		})
	},
	// Each a prefix of the next.
	func(t *rapid.T, n int) []string {
		return numbered(n, func(i int) string { return strings.Repeat("a", i+1) })
	},
	// Identity, NUL, ID: what a Balancer calls the second of two with one identity.
	func(t *rapid.T, n int) []string {
		return numbered(n, func(i int) string {
			if i%2 == 0 {
				return fmt.Sprintf("pod-%d", i)
			}
			return fmt.Sprintf("pod-%d\x00kgo-%d", i-1, i)
		})
	},
	// What a client without identity is called.
	func(t *rapid.T, n int) []string {
		return numbered(n, func(i int) string { return fmt.Sprintf("kgo-%08x-%d", rapid.Uint32().Draw(t, "uuid"), i) })
	},
	// Any text.
	func(t *rapid.T, n int) []string {
		text := rapid.StringN(0, 12, 60)
		return numbered(n, func(i int) string { return fmt.Sprintf("%s·%d", text.Draw(t, "key"), i) })
	},
}

func numbered(n int, key func(i int) string) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = key(i)
	}
	return keys
}
