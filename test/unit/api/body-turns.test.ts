import { expect } from 'chai';

import { createBodyTurns } from '../../../api/http/body-turns.ts';
import type { BodyTurnsOptions } from '../../../api/http/body-turns.ts';
import { AppError } from '../../../src/domain/errors.ts';

/** Turns whose bodies are parsed until the test ends them. */
class Bodies {
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly #turns;
  readonly #ends = new Map<string, () => void>();

  constructor(options: Partial<BodyTurnsOptions> = {}) {
    this.#turns = createBodyTurns({ threads: 1, maxWaiting: 100, maxWaitingBytes: 1_000, ...options });
  }

  /** Asks for the turn of a body, whose name begins with its caller. */
  async ask(name: string, cost = 1, bytes = 1): Promise<void> {
    const parsed = this.#turns.run({ caller: name.slice(0, 1), bytes, cost }, async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
    });
    parsed.catch((error: unknown) => {
      expect(error).to.be.instanceOf(AppError).with.property('code', 'SERVICE_UNAVAILABLE');
      this.refused.push(name);
    });
    await settle();
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settle();
  }

  /** Ends what runs, one after the other, until nothing waits. */
  async endAll(): Promise<string[]> {
    for (let at = 0; at < this.begun.length; at += 1) await this.end(this.begun[at] ?? '');
    return this.begun;
  }
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('turns of large bodies', () => {
  it('go to a caller who has waited for none before one who has sent many', async () => {
    const bodies = new Bodies();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) await bodies.ask(name, 10);
    expect(await bodies.endAll()).to.deep.equal(['a1', 'b1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('are counted by what bodies cost, not by how many they are', async () => {
    const bodies = new Bodies();
    for (const name of ['a1', 'a2', 'a3']) await bodies.ask(name, 30);
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) await bodies.ask(name, 10);
    expect(await bodies.endAll()).to.deep.equal(['a1', 'b1', 'b2', 'b3', 'a2', 'b4', 'b5', 'a3']);
  });

  it('are not saved up by a caller who sent nothing for a while', async () => {
    const bodies = new Bodies();
    await bodies.ask('b0', 1);
    for (const name of ['a1', 'a2', 'a3', 'a4']) await bodies.ask(name, 10);
    for (const name of ['b0', 'a1', 'a2']) await bodies.end(name);
    for (const name of ['b1', 'b2', 'b3']) await bodies.ask(name, 10);
    await bodies.endAll();
    expect(bodies.begun.slice(4)).to.deep.equal(['b1', 'a4', 'b2', 'b3']);
  });

  it('leave one thread to others, so that a caller with many bodies holds up nobody', async () => {
    const bodies = new Bodies({ threads: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) await bodies.ask(name, 10);
    expect(bodies.begun).to.deep.equal(['a1', 'b1']);
    await bodies.end('b1');
    expect(bodies.begun).to.deep.equal(['a1', 'b1']);
    await bodies.end('a1');
    expect(bodies.begun).to.deep.equal(['a1', 'b1', 'a2']);
  });

  it('are refused to a caller who fills the own share of the room, and to nobody else', async () => {
    const bodies = new Bodies({ maxWaiting: 8 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) await bodies.ask(name);
    expect(bodies.refused).to.deep.equal(['a4']);
    const large = new Bodies({ maxWaitingBytes: 100 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) await large.ask(name, 1, 30);
    expect(large.refused).to.deep.equal(['a3']);
  });

  it('go on when a body fails', async () => {
    const turns = createBodyTurns({ threads: 1, maxWaiting: 8, maxWaitingBytes: 100 });
    const ask = { caller: 'a', bytes: 1, cost: 1 };
    const failed = await turns.run(ask, () => Promise.reject(new Error('broken'))).catch(String);
    expect([failed, await turns.run(ask, () => Promise.resolve('done'))]).to.deep.equal([
      'Error: broken',
      'done',
    ]);
  });
});
