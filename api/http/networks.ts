/**
 * Network of a client, as limits count it and as keys are bound to it. One customer line has a whole /64 of IPv6, so every
 * address of it is the same caller. An IPv4 address that came in as an IPv6 one (`::ffff:192.0.2.1`) is the IPv4 address.
 */
import ipaddr from 'ipaddr.js';

/** Some proxies write the port of the client behind its address. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/;
/** Groups of 16 bits in the network part of an IPv6 address. */
const NETWORK_GROUPS = 4;

/** Whether an address lies in one of the networks, each written as CIDR. An IPv4 address that came in as IPv6 is the IPv4 one. */
export function isWithin(address: string, cidrs: readonly string[]): boolean {
  const parsed = parse(address);
  if (parsed === null) return false;
  return cidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}

/** The network of an address: an IPv4 address as it is, an IPv6 address as its /64. Texts that are no address are one. */
export function networkOf(address: string): string {
  const parsed = parse(address);
  if (parsed === null) return 'unknown';
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {};
  const bare = v4 ?? v6 ?? address;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}
