import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { holdPort, portCandidates, StackPorts, type PortMove } from '../../../src/stack/ports.ts';

function first(candidates: Iterable<number>, count: number): number[] {
  const found: number[] = [];
  for (const port of candidates) {
    found.push(port);
    if (found.length === count) break;
  }
  return found;
}

describe('ports of the stack', () => {
  it('tries the port of last time, then the default, then those above it', () => {
    expect(first(portCandidates(9000, 8080, Math.random), 3)).to.deep.equal([9000, 8080, 8081]);
  });

  it('draws random ports below the range that systems give to outgoing connections', () => {
    for (const draw of [0, 0.5, 0.999_999]) {
      const [port] = first(
        portCandidates(undefined, undefined, () => draw),
        1,
      );
      expect(port).to.be.within(20_000, 31_999);
    }
  });

  it('passes over a port that somebody listens on, and one that this stack has given away', async () => {
    const server = await new Promise<Server>((resolve) => {
      const listening = createServer().listen(0, '127.0.0.1', () => resolve(listening));
    });
    const address = server.address();
    const busy = address !== null && typeof address === 'object' ? address.port : 0;
    try {
      const held = await holdPort(portCandidates(busy, 20_000, Math.random), new Set([20_000]));
      expect(held.port).to.be.greaterThan(20_000).and.not.equal(busy);
      await held.release();
    } finally {
      server.close();
    }
  });

  it('are chosen again where another program has taken one before a start, and only there', async () => {
    const ports = new StackPorts({}, true);
    const moves: PortMove[] = [];
    ports.onMove((move) => moves.push(move));
    for (const name of ['api', 'storage']) await ports.hold(name);
    const before = ports.all();
    // The first start of both: the ports were held, and are given back.
    for (const name of ['api', 'storage']) await ports.giveBack(name);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(ports.of('api'), '127.0.0.1', resolve));
    try {
      for (const name of ['api', 'storage']) await ports.giveBack(name);
    } finally {
      other.close();
    }
    expect(ports.of('storage')).to.equal(before['storage']);
    expect(ports.of('api')).to.not.equal(before['api']);
    expect(moves).to.deep.equal([{ name: 'api', from: before['api'], to: ports.of('api') }]);
    const chosen = new StackPorts(ports.all(), true);
    await chosen.hold('api');
    expect(chosen.of('api'), 'kept for the next start').to.equal(ports.of('api'));
    await chosen.giveBackAll();
  });

  it('keeps a held port from a second stack until it is released', async () => {
    const one = await holdPort(portCandidates(undefined, 21_000, Math.random), new Set());
    const two = await holdPort(portCandidates(one.port, 21_000, Math.random), new Set());
    expect(two.port).to.not.equal(one.port);
    await Promise.all([one.release(), two.release()]);
  });
});
