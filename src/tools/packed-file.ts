/** Files of this machine that are packed with gzip, and are sent unpacked. */
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { CommandRefusal } from './command.ts';

/** The most that a file may unpack to, and what is said of one that unpacks to more. */
export interface UnpackedBound {
  readonly mostBytes: number;
  readonly beyond: string;
}

const PACKED = /\.gz$/i;

/** The name of a file without the ending of a packed one. */
export function unpackedName(path: string): string {
  return path.replace(PACKED, '');
}

/**
 * Calls with the path of the file, unpacked into a folder that is removed afterwards where the file is packed.
 * @throws CommandRefusal where the file is not packed with gzip, is broken, or unpacks to too much.
 */
export async function withUnpacked<Result>(
  path: string,
  bound: UnpackedBound,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  if (!PACKED.test(path)) return use(path);
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-unpacked-'));
  try {
    const unpacked = join(folder, unpackedName(basename(path)));
    await unpack(path, createWriteStream(unpacked), bound);
    return await use(unpacked);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The bytes of a file as it is sent. @throws CommandRefusal as `withUnpacked` does. */
export async function unpackedSize(path: string, bound: UnpackedBound): Promise<number> {
  if (!PACKED.test(path)) return statSync(path).size;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return unpack(path, nowhere, bound);
}

/** Unpacks a file into a stream. @returns the number of bytes. */
async function unpack(from: string, to: Writable, { mostBytes, beyond }: UnpackedBound): Promise<number> {
  const name = basename(from);
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.byteLength;
      if (size <= mostBytes) done(null, chunk);
      else done(new CommandRefusal('USAGE_INPUT', `${name} ${beyond}`));
    },
  });
  try {
    await pipeline(createReadStream(from), createGunzip(), bounded, to);
    return size;
  } catch (error) {
    const isBroken = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    if (!isBroken) throw error;
    throw new CommandRefusal(
      'USAGE_INPUT',
      `${name} is not packed with gzip, or breaks off. Pack it again.`,
      error,
    );
  }
}
