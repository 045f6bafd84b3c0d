//! Which addresses are public, and a resolver that yields no others.
//!
//! A name is refused when *any* address it stands for is not public: the connection is made to exactly the addresses that
//! were checked, so that a second answer of the name server cannot change the target. Addresses written in the URL skip
//! the resolver and are checked by [`check_literal`].

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::url::literal_address;
use crate::{Addresses, Error, Result};

/// Resolves with the system's resolver and refuses names that stand for anything but public addresses.
pub(crate) struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((host.as_str(), 0)).await?.collect();
            check_resolved(&host, &found)?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Travels inside the client's error until [`crate::client`] finds it again.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) host: String,
    pub(crate) address: IpAddr,
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} stands for {}, which is not public",
            self.host, self.address
        )
    }
}

impl std::error::Error for Refused {}

/// Checks a host that is written as an address; names are left to the resolver.
pub(crate) fn check_literal(url: &Url, policy: Addresses) -> Result<()> {
    match (policy, literal_address(url)) {
        (Addresses::PublicOnly, Some(address)) if !is_public(address) => Err(Error::AddressRefused {
            host: url.host_str().unwrap_or_default().to_owned(),
            address,
        }),
        _ => Ok(()),
    }
}

fn check_resolved(host: &str, found: &[SocketAddr]) -> Result<(), Refused> {
    match found.iter().find(|address| !is_public(address.ip())) {
        Some(address) => Err(Refused {
            host: host.to_owned(),
            address: address.ip(),
        }),
        None => Ok(()),
    }
}

/// Networks of version 4 that are not public, with the bits of their prefixes.
const SPECIAL_V4: [([u8; 4], u32); 16] = [
    ([0, 0, 0, 0], 8),        // this network
    ([10, 0, 0, 0], 8),       // private
    ([100, 64, 0, 0], 10),    // carrier-grade NAT, Alibaba's metadata
    ([127, 0, 0, 0], 8),      // loopback
    ([168, 63, 129, 16], 32), // Azure's host agent
    ([169, 254, 0, 0], 16),   // link-local, metadata of most clouds
    ([172, 16, 0, 0], 12),    // private
    ([192, 0, 0, 0], 24),     // protocol assignments, Oracle's metadata
    ([192, 0, 2, 0], 24),     // documentation
    ([192, 88, 99, 0], 24),   // 6to4 relays
    ([192, 168, 0, 0], 16),   // private
    ([198, 18, 0, 0], 15),    // benchmarks
    ([198, 51, 100, 0], 24),  // documentation
    ([203, 0, 113, 0], 24),   // documentation
    ([224, 0, 0, 0], 4),      // multicast
    ([240, 0, 0, 0], 4),      // reserved, broadcast
];

/// Whether an address may be reached on behalf of data (registries: IANA special-purpose addresses, RFC 6890 and later).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_in = |(network, bits): &([u8; 4], u32)| {
        (u32::from(address) ^ u32::from_be_bytes(*network)) & (u32::MAX << (32 - bits)) == 0
    };
    !SPECIAL_V4.iter().any(is_in)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    match address.segments() {
        // Translation of version 4 (RFC 6052) is as public as what it translates.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
        }
        // Teredo, ORCHID and other assignments; documentation; 6to4, which hides a version 4 address.
        [0x2001, 0..=0x01ff | 0x0db8, ..] | [0x2002, ..] | [0x3fff, 0..=0x0fff, ..] => false,
        // Global unicast is all that remains.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use reqwest::Url;

    use super::{check_literal, check_resolved, is_public};
    use crate::Addresses;

    #[test]
    fn public_and_not() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001::1",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
        ];
        let private = [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
        ];
        for address in public {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in private {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn addresses_written_in_a_url() {
        let refused = [
            "http://127.0.0.1:1/",
            "http://[::1]/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
        ];
        for url in refused {
            assert!(
                check_literal(&Url::parse(url).unwrap(), Addresses::PublicOnly).is_err(),
                "{url}"
            );
            assert!(
                check_literal(&Url::parse(url).unwrap(), Addresses::Any).is_ok(),
                "{url}"
            );
        }
        assert!(check_literal(&Url::parse("http://1.1.1.1/").unwrap(), Addresses::PublicOnly).is_ok());
    }

    #[test]
    fn one_private_answer_spoils_the_name() {
        let mixed = ["1.1.1.1:0".parse().unwrap(), "10.0.0.1:0".parse().unwrap()];
        assert_eq!(
            check_resolved("name", &mixed).unwrap_err().address.to_string(),
            "10.0.0.1"
        );
        assert!(check_resolved("name", &mixed[..1]).is_ok());
    }
}
