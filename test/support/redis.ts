/** A Redis server that keeps nothing on disk, and a way to it that can be slow. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { findTool } from '../../src/stack/tools.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** A server that a test stops, starts, holds and slows down. */
export interface TestRedis {
  readonly url: string;
  /** The address of a way to the server on which each answer is late by what `delay` says. */
  readonly slowUrl: string;
  delay(ms: number): void;
  /** Ends the server, which forgets everything. */
  kill(): Promise<void>;
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts a server on a port of its own. */
export async function openTestRedis(): Promise<TestRedis> {
  const program = findTool('redis-server', process.env);
  const port = await freePort();
  let server: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
    server = spawn(program, options, { stdio: 'ignore' });
    await until('Redis answers', () => answersPing(port));
  };
  const kill = async (): Promise<void> => {
    const running = server;
    server = null;
    if (running === null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  const endWithUs = (): void => void server?.kill('SIGKILL');
  process.once('exit', endWithUs);
  const slow = await openSlowWay(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    slowUrl: `redis://127.0.0.1:${slow.port}`,
    delay: slow.delay,
    kill,
    start,
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async close() {
      process.off('exit', endWithUs);
      await kill();
      await slow.close();
    },
  };
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('error', () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (bytes) => end(bytes.toString().startsWith('+PONG')));
  });
}

async function openSlowWay(to: number) {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const way = createServer((client) => {
    const server = connect(to, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    }
    client.pipe(server);
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
    server.on('data', (bytes) => setTimeout(() => client.writable && client.write(bytes), delayMs));
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  return {
    port: (way.address() as AddressInfo).port,
    delay: (ms: number) => void (delayMs = ms),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => way.close(resolve));
    },
  };
}
