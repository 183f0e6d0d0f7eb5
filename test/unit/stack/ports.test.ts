import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { holdPort, portCandidates } from '../../../src/stack/ports.ts';

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

  it('keeps a held port from a second stack until it is released', async () => {
    const one = await holdPort(portCandidates(undefined, 21_000, Math.random), new Set());
    const two = await holdPort(portCandidates(one.port, 21_000, Math.random), new Set());
    expect(two.port).to.not.equal(one.port);
    await Promise.all([one.release(), two.release()]);
  });
});
