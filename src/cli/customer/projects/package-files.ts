/** Reads the package of a scene from a zip archive that anybody may have made. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { openPromise } from 'yauzl';

import { MOST_PACKAGE_BYTES, PACKAGE } from '../../../domain/scene-exports.ts';
import type { PackageFiles } from '../../../services/receipts/verify-package.ts';

/** A fault of the archive, in words. */
export class ArchiveFault extends Error {}

/** A scene has at most 64 sources; the receipts of their jobs and a handful of files stand beside them. */
const MOST_FILES = 10_000;
/** The most bytes of a text that is read. */
const MOST_TEXT_BYTES = 64 * 1024 * 1024;

/** Reads the digests of all files, and the texts of those that are not data. @throws ArchiveFault. */
export async function readPackage(path: string): Promise<PackageFiles> {
  const [digests, texts] = [new Map<string, string>(), new Map<string, string>()];
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(notWhole);
  try {
    if (zip.entryCount > MOST_FILES)
      throw new ArchiveFault(`It has ${zip.entryCount} files, which no package has.`);
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize } = entry;
      total += uncompressedSize;
      const isText = !name.startsWith(PACKAGE.data);
      if (total > 2 * MOST_PACKAGE_BYTES || (isText && uncompressedSize > MOST_TEXT_BYTES))
        throw new ArchiveFault(`${name} would make more bytes than a package has.`);
      if (digests.has(name)) throw new ArchiveFault(`${name} is there twice.`);
      const { sha256, text } = await zip
        .openReadStreamPromise(entry)
        .then((stream) => readFile(stream, isText))
        .catch((error: unknown) => notWhole(error, `${name}: `));
      digests.set(name, sha256);
      if (text !== null) texts.set(name, text);
    }
  } catch (error) {
    throw error instanceof ArchiveFault ? error : notWhole(error);
  } finally {
    zip.close();
  }
  return { digests, texts };
}

async function readFile(
  stream: Readable,
  isText: boolean,
): Promise<{ readonly sha256: string; readonly text: string | null }> {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  for await (const piece of stream) {
    const bytes: unknown = piece;
    if (!Buffer.isBuffer(bytes)) continue;
    hash.update(bytes);
    if (isText) kept.push(bytes);
  }
  return { sha256: hash.digest('hex'), text: isText ? Buffer.concat(kept).toString('utf8') : null };
}

function notWhole(error: unknown, where = ''): never {
  // A file that cannot be read says nothing about a package.
  if (error instanceof Error && 'syscall' in error) throw error;
  throw new ArchiveFault(
    `${where}The archive is not whole, or is no zip archive (${error instanceof Error ? error.message : String(error)}).`,
  );
}
