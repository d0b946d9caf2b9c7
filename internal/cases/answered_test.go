package cases_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// elsewhere is where the table's tests are that are not of this package.
var elsewhere = map[string]string{"integration": "../../integration", "metrics": "../../assignor/metrics"}

// The table names tests, cases and headings that exist.
func TestReportsAreAnswered(t *testing.T) {
	table := source(t, "testdata/reports.md")
	names := regexp.MustCompile(`(?:(\w+): )?(Test\w+)`).FindAllStringSubmatch(table, -1)
	for _, m := range names {
		dir := "."
		if m[1] != "" {
			dir = elsewhere[m[1]]
		}
		if !strings.Contains(source(t, dir+"/*_test.go"), "func "+m[2]+"(") {
			t.Errorf("%s is named and does not exist in %q", m[2], dir)
		}
	}
	if len(names) < 40 {
		t.Errorf("only %d tests are named", len(names))
	}
	for _, m := range regexp.MustCompile(`(docs/\w+\.md), "([^"]+)"`).FindAllStringSubmatch(table, -1) {
		if !strings.Contains(source(t, "../../"+m[1]), "\n## "+m[2]+"\n") {
			t.Errorf("%s has no heading %q", m[1], m[2])
		}
	}
	for _, id := range regexp.MustCompile(`\bC\d{3}\b`).FindAllString(table, -1) {
		if !strings.Contains(source(t, "testdata/cases.jsonl"), `"`+id+`"`) {
			t.Errorf("there is no case %s", id)
		}
	}
	for _, row := range regexp.MustCompile(`(?m)^\| \d+ .*$`).FindAllString(table, -1) {
		if answer := row[strings.LastIndex(strings.TrimSuffix(row, " |"), "|"):]; !regexp.MustCompile(`Test\w+|docs/|nothing to try`).MatchString(answer) {
			t.Errorf("nothing answers %s", row)
		}
	}
}

// source returns the text of all files that match.
func source(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no file, %v", pattern, err)
	}
	var all []byte
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, src...)
	}
	return string(all)
}
