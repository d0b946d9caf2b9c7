package oracle

// Options are the settings of the strategy that change what the best plan is.
type Options struct {
	PerTopic bool // each topic even among its readers, before all loads are
	Racks    bool // fewest partitions off their leader's rack, before fewest moves
}
