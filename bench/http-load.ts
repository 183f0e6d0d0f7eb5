/** Load over HTTP: so many connections, each of which asks again as soon as it has its answer. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Next request of one connection. */
export interface Ask {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON that is sent; a GET without. */
  readonly body?: string;
}

/** The answers of a load: how long each took in ms, and how many had which status. */
export interface Load {
  readonly ms: readonly number[];
  readonly statuses: ReadonlyMap<number, number>;
  readonly perSecond: number;
}

/** Asks over so many connections for so many seconds; `next` says what. With `perSecond` all of them together ask no oftener. */
export async function loadOver(
  connections: number,
  seconds: number,
  next: () => Ask,
  perSecond = Infinity,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ms: number[] = [];
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let asked = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const early = startedAt + (asked * 1000) / perSecond - performance.now();
      asked += 1;
      if (early > 0) await sleep(early);
      const askedAt = performance.now();
      const status = await send(agent, next());
      ms.push(performance.now() - askedAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  agent.destroy();
  return { ms, statuses, perSecond: (ms.length * 1000) / (performance.now() - startedAt) };
}

/** Sends one request and reads its answer to the end. @returns the status. */
export function send(agent: Agent, { url, headers, body }: Ask): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { agent, method, headers: { ...headers, ...type } }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
