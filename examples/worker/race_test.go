//go:build race

package main

// The worker that the tests build has what the tests have.
var buildFlags = []string{"-race"}
