// Package layout holds the test of the direction in which packages may depend
// on each other.
package layout

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kgo-rendezvous/kgo-rendezvous/"

type pkg struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", module+"...")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var pkgs []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		pkgs = append(pkgs, p)
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found %d packages", len(pkgs))
	}
	return pkgs
}

// pure lists the packages that decide placement, and what they may import.
var pure = map[string][]string{
	"hrw":           {module + "assignor", module + "internal/hash"},
	"ring":          {module + "assignor", module + "internal/hash"},
	"sticky":        {module + "assignor", module + "internal/hash"},
	"internal/hash": {"github.com/cespare/xxhash/v2"},
}

// What makes a decision differ from process to process.
var impure = []string{"time", "os", "math/rand", "math/rand/v2", "crypto/rand", "net", "sync", "maps", "unsafe", "runtime"}

// The direction is: kgo, internal/hash <- assignor <- strategies <- examples. The
// kit of laws judges with internal/oracle, which knows no strategy either.
func TestDependencyDirection(t *testing.T) {
	for _, p := range list(t) {
		allowed, isPure := pure[p.ImportPath]
		for _, imp := range p.Imports {
			own, inside := strings.CutPrefix(imp, module)
			standard := !strings.Contains(strings.Split(imp, "/")[0], ".")
			switch {
			case isPure && standard && slices.Contains(impure, imp):
				t.Errorf("%s imports %s: a strategy is a pure function", p.ImportPath, imp)
			case isPure && !standard && !slices.Contains(allowed, imp):
				t.Errorf("%s imports %s, allowed are %v", p.ImportPath, imp, allowed)
			case p.ImportPath == "assignor" && inside && own != "internal/hash":
				t.Errorf("assignor imports %s: strategies import assignor, never the reverse", own)
			case strings.HasPrefix(p.ImportPath, "assignor/") && inside && own != "assignor" && own != "internal/hash" && own != "internal/oracle":
				t.Errorf("%s imports %s: it must serve any strategy", p.ImportPath, own)
			case inside && strings.HasPrefix(own, "examples/") && !strings.HasPrefix(p.ImportPath, "examples/"):
				t.Errorf("%s imports %s: an example is a leaf", p.ImportPath, own)
			}
		}
	}
}

// Strategies must use no map iteration either, which the imports cannot show:
// the kit's law OrderFree does. Floats are seen in the source: with fused
// multiply-add, leaders on arm64 and amd64 would disagree on near-ties. A load
// bound is one until assignor.Caps has taken it to three decimals.
func TestNoFloatsInPlacement(t *testing.T) {
	float := regexp.MustCompile(`\bfloat(32|64)\b`)
	bound := regexp.MustCompile(`\b(LoadBound|bound) float64\b`)
	for _, p := range list(t) {
		if _, isPure := pure[p.ImportPath]; !isPure {
			continue
		}
		for _, f := range p.GoFiles {
			src, err := os.ReadFile(filepath.Join(p.Dir, f))
			if err != nil {
				t.Fatal(err)
			}
			src = bound.ReplaceAll(src, nil)
			if at := float.FindIndex(src); at != nil {
				t.Errorf("%s/%s uses %s", p.ImportPath, f, src[at[0]:at[1]])
			}
		}
	}
}
