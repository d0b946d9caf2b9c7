package assignortest

import "math"

// chiSquared returns the probability that a chi-squared variable with df
// degrees of freedom is at least x: the upper regularized incomplete gamma
// function Q(df/2, x/2), by its series below the mean and Lentz's continued
// fraction above (Numerical Recipes, 6.2). Good to some 12 digits down to the
// smallest float64; the usual approximations are not in the far tail, where a
// limit of one in a million lies.
func chiSquared(x float64, df int) float64 {
	a, x := float64(df)/2, x/2
	switch {
	case df <= 0 || math.IsNaN(x):
		return math.NaN()
	case x <= 0:
		return 1
	case math.IsInf(x, 1):
		return 0
	}
	lgamma, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - lgamma)
	if x < a+1 {
		return 1 - front*lowerSeries(a, x)
	}
	return front * upperFraction(a, x)
}

const (
	gammaPrecision = 1e-15
	gammaSteps     = 100_000 // of the order of √a are needed
)

func lowerSeries(a, x float64) float64 {
	term := 1 / a
	sum := term
	for n := a + 1; n < a+gammaSteps; n++ {
		term *= x / n
		sum += term
		if term < sum*gammaPrecision {
			break
		}
	}
	return sum
}

func upperFraction(a, x float64) float64 {
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for i := 1.0; i < gammaSteps; i++ {
		an := -i * (i - a)
		b += 2
		d = an*d + b
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = b + an/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		delta := d * c
		h *= delta
		if math.Abs(delta-1) < gammaPrecision {
			break
		}
	}
	return h
}
