/**
 * Destinations that the service may connect to when a customer names them. Only addresses of the public internet are allowed, and
 * addresses of the networks that operators allow: an address that is private, local, shared, reserved or translated is refused,
 * and an address of a kind that nobody has thought of is refused, too, because an address must be known to be public. The
 * addresses at which clouds tell a machine its credentials are refused always. The decisions are pure functions; nothing is
 * connected or looked up here.
 */
import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

import type { Destination, DestinationFault } from '../../domain/outbound.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Judges destinations. */
export interface DestinationPolicy {
  /** Finds the fault of a destination as it is written; null for none, though the name may lead to a refused address. */
  faultOf(destination: Pick<Destination, 'host' | 'port'>): DestinationFault | null;
  /** Whether an address, to which a name has led, may be connected to. */
  allows(address: string): boolean;
  /** Whether an address is of the public internet, and not only one that operators allow. */
  isPublic(address: string): boolean;
}

/** Addresses at which clouds tell a machine its credentials; refused also where operators allow the networks around them. */
const METADATA = [
  // All that is link-local, because clouds give such addresses out for this purpose alone.
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
].map(networkOf);
/** The addresses of IPv6 that are given out for the public internet; all other addresses of IPv6 have some other meaning. */
const PUBLIC_IPV6 = networkOf('2000::/3');
/** The addresses of IPv6 within which an address of IPv4 stands: how, and from which group of 16 bits on. */
const TRANSLATED: readonly (readonly [Network, number])[] = [
  [networkOf('::/96'), 6],
  [networkOf('::ffff:0:0/96'), 6],
  [networkOf('::ffff:0:0:0/96'), 6],
  [networkOf('64:ff9b::/96'), 6],
  [networkOf('2002::/16'), 1],
];

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const NAME = new RegExp(`^(?:${LABEL}\\.)*${LABEL}$`);
/** Programs read a name as an address when its last label is a number, be it decimal, octal or hexadecimal. */
const NUMERIC_END = /(?:^|\.)(?:\d+|0[xX][0-9a-fA-F]*)$/;
const LONGEST_NAME = 253;

const WEB_PORTS = [80, 443];
/** The ports below are those of mail, file shares and remote shells. */
const FIRST_FREE_PORT = 1024;
const LAST_PORT = 65_535;

/** A network written as CIDR. @throws Error when the text is no network. */
export function networkOf(cidr: string): Network {
  return ipaddr.parseCIDR(cidr);
}

/** Makes the policy; the networks are those that operators allow besides the public internet, as CIDR. */
export function createDestinationPolicy(allowedNetworks: readonly string[]): DestinationPolicy {
  const allowed = allowedNetworks.map(networkOf);
  const allows = (text: string): boolean => isAllowed(text, allowed);
  return {
    allows,
    isPublic: (text) => isAllowed(text, []),
    faultOf({ host, port }) {
      const isLiteral = isIP(host) !== 0 && !host.includes('%');
      if (!isLiteral && !isName(host)) return 'HOST_INVALID';
      if (!isAllowedPort(port)) return 'PORT_REFUSED';
      return isLiteral && !allows(host) ? 'ADDRESS_REFUSED' : null;
    },
  };
}

function isName(host: string): boolean {
  return host.length <= LONGEST_NAME && NAME.test(host) && !NUMERIC_END.test(host);
}

function isAllowedPort(port: number): boolean {
  return WEB_PORTS.includes(port) || (Number.isInteger(port) && port >= FIRST_FREE_PORT && port <= LAST_PORT);
}

function isAllowed(text: string, allowed: readonly Network[]): boolean {
  // Only the plain forms of addresses get here: the parser below would also read decimal, octal and short ones.
  if (isIP(text) === 0 || text.includes('%')) return false;
  return allowsAddress(ipaddr.process(text), allowed);
}

function allowsAddress(address: Address, allowed: readonly Network[]): boolean {
  if (METADATA.some((network) => contains(network, address))) return false;
  const inner = innerAddress(address);
  if (inner !== null && !allowsAddress(inner, allowed)) return false;
  return allowed.some((network) => contains(network, address)) || isPublic(address);
}

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || contains(PUBLIC_IPV6, address));
}

function contains([network, bits]: Network, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** The address of IPv4 that something on the way would make of an address of IPv6; null where there is none. */
function innerAddress(address: Address): ipaddr.IPv4 | null {
  if (address instanceof ipaddr.IPv4 || ['loopback', 'unspecified'].includes(address.range())) return null;
  const [, first] = TRANSLATED.find(([network]) => contains(network, address)) ?? [];
  if (first === undefined) return null;
  const [high = 0, low = 0] = address.parts.slice(first, first + 2);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
