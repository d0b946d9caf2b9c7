package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"
)

// findIdentity replaces @hostname and @dns. Which one survives what:
//
//	                         restart   new container or pod
//	@hostname, StatefulSet   yes       yes
//	@hostname, Docker        yes       no, it is the container's ID
//	@dns, Docker             yes       yes, it is the container's name: project_worker_2
//
// Docker answers for a container's address with the container's name, and that
// counts up per service: what `docker-compose up --scale` makes anew gets the
// names of what was there before.
func (c *config) findIdentity() (err error) {
	asked := c.identity
	switch {
	case asked == "@hostname":
		c.identity, err = os.Hostname()
	case asked == "@dns":
		c.identity, err = ownDNSName()
	case strings.HasPrefix(asked, "@"):
		err = errors.New("only @hostname and @dns are known")
	}
	if err != nil {
		return fmt.Errorf("-identity %s: %w; give a name that survives a restart, or leave it out", asked, err)
	}
	return nil
}

// ownDNSName looks up this host's addresses. The first that has a name decides;
// they are tried in order, so that it is the same one after a restart.
func ownDNSName() (string, error) {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, a := range addrs {
		ip, ok := a.(*net.IPNet)
		if !ok || !ip.IP.IsGlobalUnicast() {
			continue
		}
		// Without an nsswitch.conf that puts the DNS first this finds what
		// /etc/hosts says, in Docker the container's ID: see the Dockerfile.
		names, lookupErr := net.DefaultResolver.LookupAddr(ctx, ip.IP.String())
		if lookupErr != nil {
			err = lookupErr
		}
		if len(names) > 0 {
			return strings.TrimSuffix(slices.Min(names), "."), nil
		}
	}
	if err != nil {
		return "", err
	}
	return "", errors.New("none of this host's addresses has a name in the DNS")
}
