package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestBadFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-sizes 3y12":                "-sizes: \"3y12\" is not MEMBERSxPARTITIONS, such as 10x100",
		"-sizes 3x12x2":              "-sizes",
		"-sizes 1x12":                "-sizes: \"1x12\": give 2 to",
		"-sizes 3x12,3x12":           "leave one out",
		"-sizes 3x2":                 "-topics 4: size 3x2 has only 2 partitions to share, give fewer topics",
		"-topics 0":                  "-topics 0: give a number from 1 to",
		"-topics few":                "give a whole number",
		"-seeds -1":                  "-seeds -1: give a number from 1 to",
		"-patience 0s":               "-patience 0s: give a time above zero",
		"-patience long":             "give a time such as 2s",
		"-weights 1,0":               "-weights: \"0\": give whole numbers from 1 to",
		"-algorithms hrw,raft":       "-algorithms: there is no \"raft\", there are hrw, hrw-1.25,",
		"-fast":                      "there is no flag -fast",
		"3x12":                       "unexpected argument \"3x12\": all settings are flags",
		"-html /no/such/folder/p.x":  "", // found out later
		"-topics 0 -seeds 0 -sizes ": "-sizes: \"\" is not",
	} {
		_, err := parse(strings.Split(args, " "))
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", args, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want one line that says %q", args, err, want)
		}
	}
}

func TestChoose(t *testing.T) {
	names := func(as []algorithm) (out []string) {
		for _, a := range as {
			out = append(out, a.name)
		}
		return out
	}
	got, err := choose("kgo-range, ring,hrw,ring")
	if err != nil || !slices.Equal(names(got), []string{"hrw", "ring", "kgo-range"}) {
		t.Errorf("got %v, %v, want each once in the order of the table", names(got), err)
	}
	got, err = choose("kgo")
	if err != nil || !slices.Equal(names(got), []string{"kgo-range", "kgo-roundrobin", "kgo-sticky", "kgo-cooperative-sticky"}) {
		t.Errorf("got %v, %v", names(got), err)
	}
	for _, a := range algorithms() {
		if a.about == "" || a.cost == (rough{}) || (a.strategy == nil) == (a.balancer == nil) {
			t.Errorf("%s is not complete: %+v", a.name, a)
		}
	}
}

func TestHelp(t *testing.T) {
	var out bytes.Buffer
	if status := run([]string{"-help"}, &out, os.Stderr); status != 0 {
		t.Errorf("status %d", status)
	}
	for _, a := range algorithms() {
		if !strings.Contains(out.String(), "\n  "+a.name+" ") {
			t.Errorf("-help does not list %s", a.name)
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if len(line) > 96 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}
