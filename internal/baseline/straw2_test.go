package baseline

import "testing"

func TestStraw2Logs(t *testing.T) {
	logs := straw2Logs()
	for u, want := range map[int]int64{1<<16 - 1: 0, 1<<15 - 1: -1 << 44, 1<<8 - 1: -8 << 44, 0: -16 << 44} {
		if logs[u] != want {
			t.Errorf("log of %d is %d, want %d", u, logs[u], want)
		}
	}
	for u := 1; u < len(logs); u++ {
		if logs[u] <= logs[u-1] {
			t.Fatalf("log of %d is %d, of the one before %d", u, logs[u], logs[u-1])
		}
	}
}
