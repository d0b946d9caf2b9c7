package metrics

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLabel(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"worker-7":                     "worker-7",
		"größe":                        "größe",
		"a\xff\xfeb":                   "a\uFFFDb",
		"worker-7\x00consumer-1":       "worker-7 consumer-1",
		"a\"b\\c\nd":                   "a\"b\\c d",
		strings.Repeat("x", 300):       strings.Repeat("x", 255),
		"x" + strings.Repeat("ü", 200): "x" + strings.Repeat("ü", 127),
		strings.Repeat("ü", 200):       strings.Repeat("ü", 127),
	} {
		got := label(in)
		if got != want {
			t.Errorf("label(%q) = %q, want %q", in, got, want)
		}
		if !utf8.ValidString(got) {
			t.Errorf("label(%q) = %q is not UTF-8", in, got)
		}
	}
}

func TestLabels(t *testing.T) {
	long := strings.Repeat("x", 255)
	for _, test := range []struct{ keys, want []string }{
		{nil, []string{}},
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{"a", "a", "a"}, []string{"a", "a (2)", "a (3)"}},
		{[]string{"\xff", "\xfe", "\uFFFD"}, []string{"\uFFFD (2)", "\uFFFD (3)", "\uFFFD"}},
		{[]string{"a", "a", "a (2)"}, []string{"a", "a (3)", "a (2)"}},
		{[]string{"a", "a", "a (2)", "a (2)"}, []string{"a", "a (3)", "a (2)", "a (2) (2)"}},
		{[]string{"a b", "a\nb", "a\x00b"}, []string{"a b", "a b (2)", "a b (3)"}},
		{[]string{long + "1", long + "2"}, []string{long, long + " (2)"}},
	} {
		if got := labels(test.keys); !slices.Equal(got, test.want) {
			t.Errorf("labels(%q) = %q, want %q", test.keys, got, test.want)
		}
	}
}

// Every list of keys over a hostile alphabet gives distinct valid names.
func FuzzLabels(f *testing.F) {
	f.Add("a,a,a (2),\xff,\xfe,a\n,a\x00,")
	f.Fuzz(func(t *testing.T, list string) {
		names := labels(strings.Split(list, ","))
		for _, name := range names {
			if !utf8.ValidString(name) {
				t.Errorf("%q is not UTF-8", name)
			}
		}
		slices.Sort(names)
		if len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("names repeat: %q", names)
		}
	})
}
