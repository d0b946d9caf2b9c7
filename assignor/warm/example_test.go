package warm_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/warm"
)

func Example() {
	dir, err := os.MkdirTemp("", "state")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "warm")

	have, err := warm.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	check(have.Add(map[string][]int32{"orders": {3, 0, 1}, "payments": {12}})) // assigned
	check(have.Add(map[string][]int32{"orders": {2, 7}}))                      // assigned, later
	check(have.Remove(map[string][]int32{"orders": {7}}))                      // revoked

	// The process is killed and comes back.
	have, err = warm.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(have.Partitions()) // assignor.Warm(have.Partitions) tells the group

	text, err := os.ReadFile(path)
	check(err)
	fmt.Print(string(text))
	// Output:
	// map[orders:[0 1 2 3] payments:[12]]
	// kgo-rendezvous warm 1 crc32c 428b06f3
	// orders 0-3
	// payments 12
}

// Leaving a group revokes all that a member has. What it has on disk stays.
func ExampleFile_Freeze() {
	var have warm.File // remembers in memory alone
	check(have.Set(map[string][]int32{"orders": {0, 1}}))

	check(have.Freeze())
	check(have.Remove(map[string][]int32{"orders": {0, 1}})) // by client.Close

	fmt.Println(have.Partitions())
	// Output: map[orders:[0 1]]
}

// A damaged file is no reason not to start.
func ExampleOnWarning() {
	dir, err := os.MkdirTemp("", "state")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "warm")
	check(os.WriteFile(path, []byte("kgo-rendezvous warm 1 crc32c 428b06f3\norders 0-"), 0o600))

	warned := 0
	have, err := warm.Open(path, warm.OnWarning(func(error) { warned++ }))
	fmt.Println(have.Partitions(), err, warned)
	// Output: map[] <nil> 1
}

// check stands for a log: an error here costs no more than a colder restart.
func check(err error) {
	if err != nil {
		log.Print(err)
	}
}
