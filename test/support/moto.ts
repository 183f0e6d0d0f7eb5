/** moto's server: an EC2 and an SSM on loopback that keep everything in memory, each server for itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { findTool } from '../../src/stack/tools.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** A server that runs. */
export interface Moto {
  /** Endpoint for clients of AWS. */
  readonly url: string;
  /** The region of the server's networks; any credentials are taken. */
  readonly region: string;
  readonly pid: number;
  /** Settles when the server has ended without being closed; what was in it is lost. */
  readonly lost: Promise<void>;
  /** Forgets every instance, and everything else. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const START_MS = 60_000;
/** The server, which Linux kills with the process that has started it, however that process ends. */
const ENTRY = `
import ctypes, signal, sys
if sys.platform == 'linux': ctypes.CDLL(None).prctl(1, signal.SIGKILL)
from moto.server import main
main(sys.argv[1:])
`;

/** Starts a server on a port of its own; a start takes a second or two. */
export async function openMoto(): Promise<Moto> {
  const python = findTool('moto', process.env);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(python, ['-I', '-c', ENTRY, '-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
    // A Ctrl-C at the terminal is for whoever has opened the server, and closes it last.
    detached: true,
    // No credentials of this machine are read, and nothing is written to it.
    env: { PATH: process.env['PATH'] ?? '', AWS_EC2_METADATA_DISABLED: 'true', PYTHONDONTWRITEBYTECODE: '1' },
  });
  const endWithUs = (): void => void server.kill('SIGKILL');
  let isClosed = false;
  const lost = new Promise<void>((resolve) => {
    server.once('exit', () => {
      if (!isClosed) resolve();
    });
  });
  process.once('exit', endWithUs);
  const answers = (path: string, method = 'GET'): Promise<boolean> =>
    fetch(`${url}/moto-api/${path}`, { method }).then(
      (answer) => answer.ok,
      () => false,
    );
  await until('moto answers', () => answers('data.json'), START_MS);
  return {
    url,
    region: 'us-west-2',
    pid: server.pid ?? 0,
    lost,
    async reset() {
      if (!(await answers('reset', 'POST'))) throw new Error('moto was not reset.');
    },
    async close() {
      process.off('exit', endWithUs);
      isClosed = true;
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}
