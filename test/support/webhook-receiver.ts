/** A server of a customer that takes webhooks, and owners who have them sent there. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

import { Webhook } from 'standardwebhooks';
import type { DataSource } from 'typeorm';

import { createOutboundGuard } from '../../src/adapters/outbound/guard.ts';
import type { SessionActor } from '../../src/domain/access.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import { recordEvent } from '../../src/services/events/record.ts';
import { createSecretBox } from '../../src/services/settings/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { LOOPBACK_NETWORKS } from '../../src/services/webhooks/index.ts';
import { newAccount } from './admissions.ts';
import type { Certificate } from './object-store.ts';

/** A message as it came. */
export interface Received {
  /** `webhook-id`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes the dependencies of webhooks, where servers listen on loopback. */
export function webhookDeps(db: DataSource, keys = `old:${'0a'.repeat(32)}`, messageLimitMs = 10_000) {
  return {
    ...{ db, box: createSecretBox(keys), allowsLoopback: true },
    guard: createOutboundGuard({ allowedNetworks: LOOPBACK_NETWORKS, messageLimitMs }),
  };
}

/** The owner of a new account, signed in. */
export async function signedInOwner(db: DataSource): Promise<SessionActor> {
  const { accountId, userId } = await newAccount(db, 0);
  const session = { kind: 'session', sessionId: randomUUID(), isRecent: true } as const;
  return { accountId, userId, plan: 'free', role: 'owner', ...session };
}

/** Writes events of an account, as changes write them. */
export async function happen(db: DataSource, accountId: string, count = 1): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (let n = 0; n < count; n += 1)
      await recordEvent(tx, { accountId, kind: 'topup.paid', subject: randomUUID(), payload: {} });
  });
}

/** A server that answers each message with what `answer` says then: a status, never, or as a function does. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: number | 'never' | ((response: http.ServerResponse) => void) = 204;
  /** Work to do before a message is answered. */
  onReceived: () => Promise<unknown> = () => Promise.resolve();
  readonly #server: http.Server | https.Server;
  readonly #scheme: 'http' | 'https';

  /** With a certificate the server speaks TLS. */
  constructor(certificate?: Certificate) {
    const take: http.RequestListener = (request, response) => this.#take(request, response);
    this.#scheme = certificate === undefined ? 'http' : 'https';
    this.#server =
      certificate === undefined
        ? http.createServer(take)
        : https.createServer(
            { cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) },
            take,
          );
  }

  #take(request: http.IncomingMessage, response: http.ServerResponse): void {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      this.received.push({ id: headers['webhook-id'] ?? '', headers, body });
      void this.onReceived().then(() => {
        if (typeof this.answer === 'function') this.answer(response);
        else if (this.answer !== 'never') response.writeHead(this.answer).end('an answer');
      });
    });
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks?of=dockyard`;
  }

  get ids(): readonly string[] {
    return this.received.map(({ id }) => id);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The event of a message, as the library of Standard Webhooks verifies it. @throws where no signature is right. */
export function verified({ headers, body }: Received, secret: string): Readonly<Record<string, unknown>> {
  const event: unknown = new Webhook(secret).verify(body, headers);
  if (!isRecord(event)) throw new Error('not an event');
  return event;
}
