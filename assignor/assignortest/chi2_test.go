package assignortest

import (
	"math"
	"testing"
)

// For whole and half a the upper incomplete gamma function has a closed form:
// Q(a+1, x) = Q(a, x) + x^a e^-x / Γ(a+1), from Q(1, x) = e^-x and
// Q(1/2, x) = erfc(√x).
func TestChiSquaredClosedForm(t *testing.T) {
	for df := 1; df <= 400; df++ {
		for _, ratio := range []float64{0.01, 0.3, 0.9, 1, 1.1, 1.5, 2, 3, 6} {
			x := ratio * float64(df)
			a, want := 1.0, math.Exp(-x/2)
			if df%2 == 1 {
				a, want = 0.5, math.Erfc(math.Sqrt(x/2))
			}
			for ; a < float64(df)/2; a++ {
				lgamma, _ := math.Lgamma(a + 1)
				want += math.Exp(a*math.Log(x/2) - x/2 - lgamma)
			}
			if got := chiSquared(x, df); math.Abs(got-want) > 1e-10*want {
				t.Errorf("chiSquared(%g, %d) = %g, want %g", x, df, got, want)
			}
		}
	}
}

// From the printed tables.
func TestChiSquaredTables(t *testing.T) {
	for _, tt := range []struct {
		x    float64
		df   int
		want float64
	}{
		{3.841459, 1, 0.05}, {6.634897, 1, 0.01}, {10.827566, 1, 0.001},
		{18.307038, 10, 0.05}, {29.588298, 10, 0.001}, {124.342113, 100, 0.05},
	} {
		if got := chiSquared(tt.x, tt.df); math.Abs(got-tt.want) > 1e-6*tt.want {
			t.Errorf("chiSquared(%g, %d) = %g, want %g", tt.x, tt.df, got, tt.want)
		}
	}
	if got := chiSquared(0, 3); got != 1 {
		t.Errorf("chiSquared(0, 3) = %g, want 1", got)
	}
	if got := chiSquared(1e6, 3); got != 0 {
		t.Errorf("chiSquared(1e6, 3) = %g, want 0", got)
	}
}
