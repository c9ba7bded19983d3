package helper

import (
	"errors"
	"net/netip"
	"strings"
)

const maxNameServers = 16

// errNobodyAsks means that a program took the servers, although nothing on this computer shows that names are asked of it.
const errNobodyAsks = cause("not-asked")

// errNotAlone means that a program took the servers, and asks others at the same time.
const errNotAlone = cause("not-alone")

// errImmutable means that somebody has forbidden everybody to change /etc/resolv.conf (chattr +i).
const errImmutable = cause("immutable")

// nameServers holds the arguments of the command `dns`.
type nameServers struct {
	servers []netip.Addr
	domains []domainName
	// every is true if the servers answer all names, and false if they answer only names in the domains.
	every bool
	// search is true if short names are completed by the domains, too.
	search bool
	// exclusive is true if no other server may be asked: for every name, or because the kill switch is up.
	exclusive bool
}

// parseNameServers reads `IP[,IP…] [DOMAIN[,DOMAIN…]]`. The domain `.`, or no domain, means all names.
func parseNameServers(text string) (nameServers, error) {
	addresses, domains, hasDomains := strings.Cut(text, " ")
	wanted := nameServers{every: !hasDomains}
	for _, each := range strings.Split(addresses, ",") {
		address, err := parseAddress(each)
		if err != nil {
			return nameServers{}, err
		}
		// A resolver of this computer or of its link asks the network, in the clear.
		if !mayBeServer(address) || address.IsLinkLocalUnicast() {
			return nameServers{}, errors.New("not a name server in a tunnel")
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
