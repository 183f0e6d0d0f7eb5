/** Whole commands as they are measured: from their start to their end, with the most memory they took. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** A command that has ended well. */
export interface Ran {
  readonly seconds: number;
  /** Most resident memory; null where the system does not tell. */
  readonly peakBytes: number | null;
  readonly out: string;
}

const SAMPLE_MS = 20;

/** Runs a command to its end. */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  let peakBytes: number | null = null;
  const sampling = setInterval(() => {
    peakBytes = peakOf(child.pid) ?? peakBytes;
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(sampling));
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${err.slice(-2000)}`);
  return { seconds, peakBytes, out };
}

/** The most resident memory of a process so far, as the system keeps it. */
function peakOf(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}

/** Makes a file that does not compress, and is in the cache of the system for all alike. */
export async function fillFile(path: string, bytes: number): Promise<void> {
  const handle = await open(path, 'w');
  const piece = 16 * 1024 ** 2;
  for (let done = 0; done < bytes; done += piece)
    await handle.write(randomBytes(Math.min(piece, bytes - done)));
  await handle.close();
  if ((await stat(path)).size !== bytes) throw new Error('The file is not whole.');
}
