package main

import (
	"errors"
	"net/netip"
	"strings"
)

const maxNameServers = 16

// nameServers is what the command `dns` asks for.
type nameServers struct {
	servers []netip.Addr
	domains []domainName
	// every: they answer every name; otherwise those of the domains only.
	every bool
}

// parseNameServers reads `IP[,IP…] [DOMAIN[,DOMAIN…]]`. The domain `.`, or none, stands for every name.
func parseNameServers(text string) (nameServers, error) {
	addresses, domains, hasDomains := strings.Cut(text, " ")
	wanted := nameServers{every: !hasDomains}
	for _, each := range strings.Split(addresses, ",") {
		address, err := parseAddress(each)
		if err != nil {
			return nameServers{}, err
		}
		wanted.servers = append(wanted.servers, address)
	}
	if hasDomains {
		for _, each := range strings.Split(domains, ",") {
			if each == "." {
				wanted.every = true
				continue
			}
			domain, err := parseDomainName(each)
			if err != nil {
				return nameServers{}, err
			}
			wanted.domains = append(wanted.domains, domain)
		}
	}
	if len(wanted.servers) > maxNameServers || len(wanted.domains) > maxNameServers {
		return nameServers{}, errors.New("too many name servers")
	}
	return wanted, nil
}
