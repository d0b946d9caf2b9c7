package sticky

// A heap has the lowest key first, then the lowest score.
type heap struct{ items []ranked }

type ranked struct {
	key   int64
	who   int32
	score uint64
}

func (a *ranked) before(b *ranked) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	if a.score != b.score {
		return a.score < b.score
	}
	return a.who < b.who
}

func (h *heap) init() {
	for i := len(h.items)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

func (h *heap) push(x ranked) {
	h.items = append(h.items, x)
	for i := len(h.items) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.items[i].before(&h.items[up]) {
			break
		}
		h.items[up], h.items[i] = h.items[i], h.items[up]
		i = up
	}
}

func (h *heap) drop() {
	last := len(h.items) - 1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	h.sink(0)
}

func (h *heap) sink(i int) {
	for {
		low := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(h.items); c++ {
			if h.items[c].before(&h.items[low]) {
				low = c
			}
		}
		if low == i {
			return
		}
		h.items[i], h.items[low] = h.items[low], h.items[i]
		i = low
	}
}
