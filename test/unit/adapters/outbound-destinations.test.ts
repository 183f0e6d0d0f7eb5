/** Where the service may connect to for a customer: decided from the text and the address alone, without a connection. */
import { expect } from 'chai';
import fc from 'fast-check';

import { createDestinationPolicy } from '../../../src/adapters/outbound/destinations.ts';

const policy = createDestinationPolicy([]);
const PORT = 443;

/** Addresses that no name may lead to, by what they are. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd12:3456::1'],
  'link-local': ['169.254.1.1', 'fe80::1', 'febf::1'],
  'of a cloud, for credentials': [
    '169.254.169.254',
    '169.254.170.2',
    'fd00:ec2::254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '169.254.170.23',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fe80::a9fe:a9fe',
  ],
  'shared behind a carrier': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  broadcast: ['255.255.255.255'],
  reserved: [
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '240.0.0.1',
    '2001:db8::1',
    '3fff::1',
  ],
  'site-local': ['fec0::1'],
  'of IPv4 within IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
  ],
  'translated by NAT64': ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::5db8:d822', '64:ff9b:1::a00:1'],
  'a tunnel': ['2002:7f00:1::', '2002:5db8:d822::1', '2001:0:53aa:64c::1'],
  'outside of what is given out': ['4000::1', '100::1', '5f00::1', 'abcd::1'],
  'no address': [
    '',
    'localhost',
    '1.2.3',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.1',
    'fe80::1%eth0',
    '[::1]',
  ],
};

const PUBLIC = [
  '93.184.216.34',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2606:2800:220:1::1',
  '2a00:1450::5',
  '::ffff:93.184.216.34',
];

/** Forms in which programs read an address of their own machine, or one that carries no name. */
const ODD_HOSTS = [
  ...['2130706433', '017700000001', '0x7f000001', '0x7f.1', '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.0x1'],
  ...['127.0.0.1.', '1.2.3.4.5', '256.256.256.256', 'example.123', 'example.0x7f', '0'],
  ...[
    '[::1]',
    'fe80::1%lo',
    '::1%1',
    '::ffff:127.0.0.1:80',
    'a b',
    'a\r\nb',
    'a/b',
    'user@example.org',
    'example.org:80',
  ],
  ...[
    '',
    '.',
    '-a.example',
    'a-.example',
    'a..example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
  ],
  ...['exämple.org', '１２７.0.0.1', '127。0。0。1', 'ⓛocalhost'],
];

describe('destinations that customers name', () => {
  for (const [kind, addresses] of Object.entries(REFUSED))
    it(`lead to no address that is ${kind}`, () => {
      for (const address of addresses) expect(policy.allows(address), address).to.equal(false);
    });

  it('lead to addresses of the public internet', () => {
    for (const address of PUBLIC) expect(policy.allows(address), address).to.equal(true);
  });

  it('are refused as they are written where the address itself is named', () => {
    for (const host of [
      '127.0.0.1',
      '169.254.169.254',
      '10.1.2.3',
      '::1',
      'fe80::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
    ])
      expect(policy.faultOf({ host, port: PORT }), host).to.equal('ADDRESS_REFUSED');
    for (const host of PUBLIC) expect(policy.faultOf({ host, port: PORT }), host).to.equal(null);
  });

  it('are no decimal, octal, hexadecimal or short forms of addresses, and nothing else that is no name', () => {
    for (const host of ODD_HOSTS) expect(policy.faultOf({ host, port: PORT }), host).to.equal('HOST_INVALID');
    for (const host of ['example.org', 'a1.example', 'licences', 'x-1.example.co', 'xn--bcher-kva.example'])
      expect(policy.faultOf({ host, port: PORT }), host).to.equal(null);
  });

  it('have a port of the web or one that no service of the system has', () => {
    const faultOf = (port: number): string | null => policy.faultOf({ host: 'example.org', port });
    for (const port of [80, 443, 1024, 5053, 27000, 65_535])
      expect(faultOf(port), String(port)).to.equal(null);
    for (const port of [0, -1, 1, 22, 25, 53, 139, 445, 1023, 65_536, 443.5, NaN])
      expect(faultOf(port), String(port)).to.equal('PORT_REFUSED');
  });

  it('may be in networks that operators allow, but never where a cloud tells its credentials', () => {
    const wide = createDestinationPolicy(['10.20.0.0/16', '0.0.0.0/0', '::/0', '64:ff9b::/96']);
    for (const address of ['10.20.1.1', '127.0.0.1', '192.168.1.1', '::1', 'fd12::1', '64:ff9b::a14:101'])
      expect(wide.allows(address), address).to.equal(true);
    for (const address of REFUSED['of a cloud, for credentials'] ?? [])
      expect(wide.allows(address), address).to.equal(false);
    for (const address of ['::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1'])
      expect(wide.allows(address), address).to.equal(false);
    const narrow = createDestinationPolicy(['10.20.0.0/16', '64:ff9b::/96']);
    for (const [address, isAllowed] of Object.entries({
      ...{ '10.20.255.1': true, '10.21.0.1': false, '::ffff:10.20.0.1': true, '::ffff:10.21.0.1': false },
      // What the translator makes of the address must be allowed, too.
      ...{
        '64:ff9b::a14:1': true,
        '64:ff9b::a15:1': false,
        '64:ff9b::7f00:1': false,
        '64:ff9b::5db8:d822': true,
      },
    }))
      expect(narrow.allows(address), address).to.equal(isAllowed);
    expect(() => createDestinationPolicy(['10.20.0.0'])).to.throw();
  });

  it('are judged alike in each way to write an address of IPv4 within IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const groups = address.split('.').map(Number);
        const [a = 0, b = 0, c = 0, d = 0] = groups;
        const hex = `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        expect(policy.allows(`::ffff:${address}`)).to.equal(policy.allows(address));
        expect(policy.allows(hex)).to.equal(policy.allows(address));
      }),
    );
  });
});
