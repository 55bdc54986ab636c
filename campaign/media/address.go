package media

import "net/netip"

// special are the blocks of addresses that are not for everybody, from IANA's registries of special-purpose addresses (read 2026-11).
var special = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared by a provider's customers
	"127.0.0.0/8",     // this machine
	"169.254.0.0/16",  // this link, and the metadata of clouds
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocols
	"192.0.2.0/24",    // documentation
	"192.31.196.0/24", // AS112
	"192.52.193.0/24", // AMT
	"192.88.99.0/24",  // 6to4 relays
	"192.168.0.0/16",  // private
	"192.175.48.0/24", // AS112
	"198.18.0.0/15",   // measurements
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // groups
	"240.0.0.0/4",     // reserved, and broadcast
	"2001::/23",       // protocols, Teredo among them
	"2001:db8::/32",   // documentation
	"2002::/16",       // 6to4: it carries any IPv4 address
	"2620:4f:8000::/48",
	"3fff::/20", // documentation
)

// world is where all public addresses of IPv6 come from.
var world = netip.MustParsePrefix("2000::/3")

// translated is where IPv4 addresses are seen in networks that have IPv6 only; the address stands in the last four bytes.
var translated = netip.MustParsePrefix("64:ff9b::/96")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		list[i] = netip.MustParsePrefix(t)
	}
	return list
}

// public says whether an address belongs to a machine that everybody can reach.
func public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if translated.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if a.Is6() && !world.Contains(a) {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
