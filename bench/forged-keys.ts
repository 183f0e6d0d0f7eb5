/**
 * One address that sends well-formed keys which nobody has, at a steady pace, over connections on which it does not wait for
 * answers: URL, connections, seconds and keys a second. A connection that is closed is opened anew.
 */
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { isRecord } from '../src/domain/is-record.ts';
import { drawKey } from '../src/services/identity/key-format.ts';

/** Answers to a flood of forged keys. */
export interface Flood {
  readonly sentPerSecond: number;
  readonly answeredPerSecond: number;
  readonly closedConnections: number;
  /** How many answers had which status. */
  readonly statuses: readonly (readonly [string, number])[];
}

/** Whether a message of the process is its report. */
export function isFlood(message: unknown): message is Flood {
  return isRecord(message) && typeof message['sentPerSecond'] === 'number';
}

const TICK_MS = 5;
const KEYS = 1_000;
/** A connection on which so much waits to be sent gets no more until it is read. */
const MOST_UNSENT_BYTES = 64 * 1024;

if (process.send !== undefined && import.meta.main) {
  const [, , url = '', connections = '', seconds = '', perSecond = ''] = process.argv;
  const flood = await send(new URL(url), Number(connections), Number(seconds), Number(perSecond));
  process.send(flood, () => process.exit(0));
}

async function send(url: URL, connections: number, seconds: number, perSecond: number): Promise<Flood> {
  const requests = Array.from({ length: KEYS }, () =>
    [
      `GET ${url.pathname} HTTP/1.1`,
      `Host: ${url.host}`,
      `Authorization: Bearer ${drawKey('live').key}`,
      '',
      '',
    ].join('\r\n'),
  );
  const statuses = new Map<string, number>();
  let [sent, closedConnections] = [0, 0];
  const read = (text: string): void => {
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const open = (): Socket =>
    createConnection(Number(url.port), url.hostname)
      .setEncoding('latin1')
      .on('data', read)
      .on('error', () => undefined);
  const sockets = Array.from({ length: connections }, open);
  const startedAt = performance.now();
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  while (elapsed() < seconds) {
    for (const due = elapsed() * perSecond; sent < due; sent += 1) {
      const index = sent % connections;
      if (sockets[index]?.destroyed !== false || !sockets[index].writable) {
        closedConnections += 1;
        sockets[index] = open();
      }
      const socket = sockets[index];
      if (socket.writableLength < MOST_UNSENT_BYTES) socket.write(requests[sent % KEYS] ?? '');
    }
    await sleep(TICK_MS);
  }
  const took = elapsed();
  for (const socket of sockets) socket.destroy();
  const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return {
    ...{ sentPerSecond: sent / took, answeredPerSecond: answered / took, closedConnections },
    statuses: [...statuses],
  };
}
