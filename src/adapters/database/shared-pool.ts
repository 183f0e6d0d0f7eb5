/**
 * The pool of connections as this service uses it. Two things are added to the pool of the driver.
 *
 * The driver tells a lost connection, and a pool without room, by words alone. Such an error gets the code that PostgreSQL has
 * for it, so that everybody who looks at codes knows that the database is away or full, and that the same work may succeed later.
 *
 * Work for an account takes at most three quarters of the pool. Work of one account beyond that waits for the account's own
 * connections, in order and no longer than the pool lets anybody wait, so that no request of another account fails because one
 * key asks for much.
 */
import pg from 'pg';

export interface SharedPoolOptions {
  readonly size: number;
  /** How long anybody waits for a connection. */
  readonly waitMs: number;
  /** The account that the present work is for; null for work of the service itself. */
  readonly accountOf: () => string | null;
}

const SHARE = 0.75;
const CONNECTION_FAILURE = '08006';
const TOO_MANY_CONNECTIONS = '53300';

type Give = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** Changes how connections of a pool are taken; both ways of the driver, by promise and by callback, stay. */
export function sharePool(pool: pg.Pool, { size, waitMs, accountOf }: SharedPoolOptions): void {
  const turns = new Turns(Math.max(1, Math.floor(size * SHARE)), waitMs);
  const connectPool = pool.connect.bind(pool);
  const take = async (): Promise<pg.PoolClient> => {
    const done = await turns.take(accountOf());
    try {
      return releasing(await connectPool(), done);
    } catch (error) {
      done();
      throw away(error, CONNECTION_FAILURE);
    }
  };
  const connect = (give?: Give): Promise<pg.PoolClient> | undefined => {
    const taken = take();
    if (give === undefined) return taken;
    taken.then(
      (client) => give(undefined, client, client.release.bind(client)),
      (error: unknown) => give(errorOf(error), undefined, () => undefined),
    );
    return undefined;
  };
  Object.defineProperty(pool, 'connect', { configurable: true, writable: true, value: connect });
}

/** The error of a query; one that PostgreSQL has not told is that of a connection that is lost. */
export function queryErrorOf(error: unknown): Error {
  return error instanceof pg.DatabaseError ? error : away(error, CONNECTION_FAILURE);
}

/** Gives an error that has no code the code. */
function away(error: unknown, code: string): Error {
  const known = errorOf(error);
  return 'code' in known && known.code !== undefined ? known : Object.assign(known, { code });
}

/** Wraps a thrown value that is no error. */
export function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The client, whose next release also ends a turn; the pool gives a client a new `release` each time. */
function releasing(client: pg.PoolClient, done: () => void): pg.PoolClient {
  const release = client.release.bind(client);
  client.release = (error) => {
    done();
    release(error);
  };
  return client;
}

interface Line {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** Turns of accounts at the connections. */
class Turns {
  readonly #most: number;
  readonly #waitMs: number;
  readonly #lines = new Map<string, Line>();

  constructor(most: number, waitMs: number) {
    this.#most = most;
    this.#waitMs = waitMs;
  }

  /** Waits for a turn of the account, and answers what ends the turn. */
  async take(account: string | null): Promise<() => void> {
    if (account === null) return () => undefined;
    const line = this.#lines.get(account) ?? { taken: 0, waiting: new Set() };
    this.#lines.set(account, line);
    if (line.taken >= this.#most) await this.#wait(line);
    else line.taken += 1;
    return () => this.#end(account, line);
  }

  /** A turn that ends is handed over to who waits, so the number of turns taken stays. */
  #wait({ waiting }: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(away(new Error('no connection came free for this account in time'), TOO_MANY_CONNECTIONS));
      }, this.#waitMs);
      waiting.add(go);
    });
  }

  #end(account: string, line: Line): void {
    const [next] = line.waiting;
    if (next !== undefined) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.taken -= 1;
    if (line.taken === 0) this.#lines.delete(account);
  }
}
