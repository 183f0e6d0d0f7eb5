/**
 * Stripe's own judge of requests: stripe-mock knows each call and parameter of the interface, and nothing of what was there before.
 * Only this machine reaches it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { findTool } from '../../src/stack/tools.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** A running stripe-mock. */
export interface StripeMock {
  /** Sends a request there. @returns why it is refused; null when it would be carried out. */
  refusalOf(request: IncomingMessage, body: string): Promise<string | null>;
  stop(): Promise<void>;
}

/** Starts stripe-mock on a port of its own. */
export async function openStripeMock(): Promise<StripeMock> {
  const port = await freePort();
  const place = `http://127.0.0.1:${port}`;
  const options = ['-http-addr', `127.0.0.1:${port}`, '-https-addr', '127.0.0.1:0'];
  const child = spawn(findTool('stripe-mock', process.env), options, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  await until('stripe-mock answers', () =>
    fetch(place).then(
      () => true,
      () => false,
    ),
  );
  return {
    refusalOf: (request, body) => refusalAt(place, request, body),
    async stop() {
      process.off('exit', endWithUs);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function refusalAt(place: string, request: IncomingMessage, body: string): Promise<string | null> {
  const { method = 'GET', url = '/', headers } = request;
  const kept = ['authorization', 'content-type', 'stripe-version', 'idempotency-key'];
  const answer = await fetch(`${place}${url}`, {
    method,
    headers: kept.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
    ...(method === 'GET' ? {} : { body }),
  });
  const text = await answer.text();
  return answer.ok ? null : `${method} ${url} ${body}: ${String(answer.status)} ${text}`;
}
