// Free ports on the loopback address. A port that was found is held open until its process is about to start, so that
// two stacks that start at once do not choose the same one.
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
