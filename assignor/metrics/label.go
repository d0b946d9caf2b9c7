package metrics

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest label value in bytes, the longest identity. The ID of a dynamic
// member may have 32 KiB, of its own choosing.
const maxLabel = 255

// label makes s fit for a label value. The registry refuses what is not UTF-8,
// and with it the whole scrape; control characters (a NUL stands between
// identity and ID where two members share one) are legal but not for human eyes.
func label(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	if len(s) <= maxLabel {
		return s
	}
	end := maxLabel
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// labels returns one label value for each key, all different, since a duplicate
// fails the whole scrape. Keys that need no change keep their name; of the
// others those that look like a name already taken get a number.
func labels(keys []string) []string {
	names := make([]string, len(keys))
	taken := make(map[string]int, len(keys)) // 0: free, else how often it was wanted
	var rest []int
	for i, key := range keys {
		names[i] = label(key)
		if names[i] != key || taken[key] > 0 {
			rest = append(rest, i)
			continue
		}
		taken[key] = 1
	}
	for _, i := range rest {
		base := names[i]
		for taken[names[i]] > 0 {
			taken[base]++
			names[i] = fmt.Sprintf("%s (%d)", base, taken[base])
		}
		taken[names[i]] = 1
	}
	return names
}
