package sticky

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// WarnRacks is the kind of the warning that Racks has nothing to go by.
const WarnRacks assignor.WarningKind = "racks"

// Audit warns where Racks is set and cannot do anything, in which case the plan
// is that of a Strategy without it.
func (s Strategy) Audit(g *assignor.Group, _ assignor.Plan) []assignor.Warning {
	if !s.Racks || len(g.Topics) == 0 {
		return nil
	}
	if !anyMember(g) {
		return []assignor.Warning{{Kind: WarnRacks, Message: "Racks is set, but no member says its rack: give clients kgo.Rack, or leave Racks out"}}
	}
	if !anyLeader(g) {
		return []assignor.Warning{{Kind: WarnRacks, Message: "Racks is set, but no partition's leader says its rack: set broker.rack on the brokers, or leave Racks out"}}
	}
	return nil
}

// anyMember tells whether a member says its rack.
func anyMember(g *assignor.Group) bool {
	for i := range g.Members {
		if g.Members[i].Rack != "" {
			return true
		}
	}
	return false
}

// anyLeader tells whether the rack of a partition's leader is known.
func anyLeader(g *assignor.Group) bool {
	for t := range g.Topics {
		for _, rack := range g.Topics[t].Racks {
			if rack != "" {
				return true
			}
		}
	}
	return false
}
