/**
 * A long or narrow link on this machine: TCP connections whose bytes share one rate and arrive after a delay. Each
 * connection begins with a small window that grows with what is acknowledged, up to what Linux gives a connection by
 * default, so that a far server needs several connections here as it does in the world. Nothing is lost on the way.
 */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Properties of a link. */
export interface LinkTerms {
  /** Time for a byte and its acknowledgement together; half of it each way. */
  readonly roundTripMs: number;
  /** Rate of each direction, over all connections together. */
  readonly bitsPerSecond: number;
}

/** A link to ports of this machine. */
export interface Link {
  /** Opens a port at this end that leads to a port at the other end. */
  open(targetPort: number): Promise<number>;
  close(): Promise<void>;
}

const FIRST_WINDOW_BYTES = 10 * 1460;
const LAST_WINDOW_BYTES = 4 * 1024 ** 2;

/** Makes a link. */
export function createLink(terms: LinkTerms): Link {
  const there = new Direction(terms);
  const back = new Direction(terms);
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  return {
    async open(targetPort) {
      const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
        const far = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
        carry(near, far, there);
        carry(far, near, back);
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.once('close', () => sockets.delete(socket));
        }
      });
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return portOf(server.address());
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The link has no port.');
  return address.port;
}

/** Carries what one socket says to another, never more on the way than the window of the connection. */
function carry(from: Socket, to: Socket, direction: Direction): void {
  let window = FIRST_WINDOW_BYTES;
  let underWay = 0;
  const acknowledged = (bytes: number): void => {
    underWay -= bytes;
    window = Math.min(LAST_WINDOW_BYTES, window + bytes);
    if (underWay < window) from.resume();
  };
  from.on('data', (bytes: Buffer) => {
    underWay += bytes.byteLength;
    if (underWay >= window) from.pause();
    direction.send(bytes.byteLength, () => {
      if (to.destroyed) return;
      // The other end acknowledges what it has room for.
      to.write(bytes, () => direction.after(() => acknowledged(bytes.byteLength)));
    });
  });
  from.on('end', () => direction.send(0, () => to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => direction.send(0, () => to.destroySoon()));
  from.resume();
}

interface Parcel {
  readonly dueMs: number;
  readonly deliver: () => void;
}

/** One direction of a link: what is sent leaves in order at the rate of the link and arrives after half a round trip. */
class Direction {
  readonly #delayMs: number;
  readonly #bytesPerMs: number;
  readonly #acknowledgements: Parcel[] = [];
  readonly #parcels: Parcel[] = [];
  #freeMs = 0;

  constructor({ roundTripMs, bitsPerSecond }: LinkTerms) {
    this.#delayMs = roundTripMs / 2;
    this.#bytesPerMs = bitsPerSecond / 8000;
  }

  send(bytes: number, deliver: () => void): void {
    this.#freeMs = Math.max(performance.now(), this.#freeMs) + bytes / this.#bytesPerMs;
    enqueue(this.#parcels, { dueMs: this.#freeMs + this.#delayMs, deliver });
  }

  /** Runs something after half a round trip: acknowledgements are small, and take none of the rate. */
  after(deliver: () => void): void {
    enqueue(this.#acknowledgements, { dueMs: performance.now() + this.#delayMs, deliver });
  }
}

/** Delivers parcels in order, each when it is due; one timer at a time waits for the first. */
function enqueue(parcels: Parcel[], parcel: Parcel): void {
  parcels.push(parcel);
  if (parcels.length === 1) wait(parcels);
}

function wait(parcels: Parcel[]): void {
  const first = parcels[0];
  if (first === undefined) return;
  setTimeout(
    () => {
      const nowMs = performance.now();
      let due = 0;
      while ((parcels[due]?.dueMs ?? Infinity) <= nowMs) due += 1;
      // Delivered while the parcels still stand in the queue, so that nothing they cause starts a second timer.
      for (const { deliver } of parcels.slice(0, due)) deliver();
      parcels.splice(0, due);
      wait(parcels);
    },
    Math.max(0, first.dueMs - performance.now()),
  );
}
