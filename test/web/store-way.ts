/** A browser's way to the store: a proxy that counts the parts that it is asked to carry, and can keep parts back. */
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The way. */
export interface StoreWay {
  readonly url: string;
  /** Numbers of the parts that a browser began to send, as often as it did. */
  readonly begun: number[];
  /** Numbers of the parts that the store has taken. */
  readonly stored: number[];
  /** Carries parts up to this number, and keeps those above back. */
  carryUpTo(part: number): void;
  close(): Promise<void>;
}

/** Opens a way on which everything passes. */
export async function openStoreWay(): Promise<StoreWay> {
  const [begun, stored]: [number[], number[]] = [[], []];
  const held: (() => void)[] = [];
  let most = Infinity;
  const carry = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = new URL(request.url ?? '');
    const number = request.method === 'PUT' ? target.searchParams.get('partNumber') : null;
    const part = number === null ? null : Number(number);
    if (part !== null) begun.push(part);
    while (part !== null && part > most) await new Promise<void>((go) => held.push(go));
    const { method = 'GET', headers } = request;
    const onward = httpRequest(target, { method, headers }, (answer) => {
      if (part !== null && answer.statusCode === 200) stored.push(part);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => request.socket.destroy());
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  };
  const server = createServer((request, response) => void carry(request, response));
  // Calls of the test itself.
  server.on('connect', ({ url = '' }, socket) => {
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      one.on('error', () => other.destroy()).pipe(other);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    ...{ begun, stored },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    carryUpTo(part) {
      most = part;
      for (const go of held.splice(0)) go();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
