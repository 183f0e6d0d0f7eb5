// Free ports on the loopback address. A port that was found is held open until its process is about to start, so that
// two stacks that start at once do not choose the same one. Between that moment and the moment in which the process listens, and while a
// process is down, another program may take the port. So the ports of a process are looked at before each of its starts,
// and a port that was taken is chosen again.
import { EventEmitter } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

const host = '127.0.0.1';
const randomFrom = 20_000;
const randomCount = 12_000;
const attempts = 200;

/** The port each process of the embedded stack takes when it is free. */
export const DEFAULT_PORTS = {
  api: 8080,
  temporal: 7233,
  'temporal-ui': 8233,
  storage: 7070,
  gateway: 8090,
  compute: 8091,
  postgres: 5433,
} as const satisfies Readonly<Record<string, number>>;

/** A port kept free for a process of ours until `release`. */
export interface HeldPort {
  readonly port: number;
  release(): Promise<void>;
}

/**
 * The ports to try for one name, in order: the one it had before, its default and those above it; or ports below the
 * system's own range, spread by `random`, for stacks that must not take the defaults.
 */
export function* portCandidates(
  saved: number | undefined,
  preferred: number | undefined,
  random: () => number,
): Generator<number> {
  if (saved !== undefined) yield saved;
  for (let step = 0; step < attempts; step += 1) {
    yield preferred === undefined ? randomFrom + Math.floor(random() * randomCount) : preferred + step;
  }
}

/** A port that another program had, so that the process got another one. */
export interface PortMove {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The ports of a stack by name. */
export class StackPorts {
  readonly #chosen: Map<string, number>;
  readonly #held = new Map<string, HeldPort>();
  readonly #preferred: Readonly<Record<string, number>>;
  readonly #moves = new EventEmitter<{ move: [PortMove] }>();

  /** `saved` are the ports of last time; with `isRandom` nobody gets a default port. */
  constructor(saved: Readonly<Record<string, number>>, isRandom: boolean) {
    this.#chosen = new Map(Object.entries(saved));
    this.#preferred = isRandom ? {} : DEFAULT_PORTS;
  }

  /** Calls a listener for each port that was taken, once the new one is chosen. */
  onMove(listener: (move: PortMove) => void): void {
    this.#moves.on('move', listener);
  }

  /** The port of one name. */
  of(name: string): number {
    const port = this.#chosen.get(name);
    if (port === undefined) throw new Error(`No port was chosen for ${name}.`);
    return port;
  }

  /** All ports by name. */
  all(): Record<string, number> {
    return Object.fromEntries(this.#chosen);
  }

  /** Chooses the port of one name and keeps it free until `giveBack`. */
  async hold(name: string): Promise<void> {
    const [saved, preferred] = [this.#chosen.get(name), this.#preferred[name]];
    const others = [...this.#chosen].filter(([other]) => other !== name).map(([, port]) => port);
    // A default port that another process of this stack may want is passed over.
    const wanted = Object.entries(DEFAULT_PORTS).filter(([other]) => other !== name);
    const taken = new Set([...others, ...wanted.map(([, port]) => port)]);
    const held = await holdPort(portCandidates(saved, preferred, Math.random), taken);
    this.#chosen.set(name, held.port);
    this.#held.set(name, held);
    const before = saved ?? preferred;
    if (before !== undefined && before !== held.port)
      this.#moves.emit('move', { name, from: before, to: held.port });
  }

  /** Gives back a port, because its process is about to listen there; a port that was taken meanwhile is chosen again. */
  async giveBack(name: string): Promise<void> {
    if (!this.#held.has(name)) await this.hold(name);
    const held = this.#held.get(name);
    this.#held.delete(name);
    await held?.release();
  }

  /** Gives back the ports whose processes were never started. */
  async giveBackAll(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((name) => this.giveBack(name)));
  }
}

/** Finds and holds a free port for one name; `taken` are ports given to other names of the same stack. */
export async function holdPort(candidates: Iterable<number>, taken: ReadonlySet<number>): Promise<HeldPort> {
  for (const port of candidates) {
    if (taken.has(port) || (await isAnswered(port))) continue;
    const server = await listen(port);
    if (server) return { port, release: () => close(server) };
  }
  throw new Error('No free port was found on 127.0.0.1.');
}

/** Another program may listen on all addresses; some systems would still let us bind the loopback address of that port. */
function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 500 });
    const end = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(true));
  });
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    // Holding a port must not keep a process alive whose work is done.
    server.unref();
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
