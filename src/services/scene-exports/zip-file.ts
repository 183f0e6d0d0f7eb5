/**
 * Writes a zip archive into a file that has no name any more, so that nothing is left of it when it is closed or the process ends. Viewers
 * read the sizes of a file before its bytes, where libraries that stream leave zeros: so the bytes are written first, and what stands before
 * them once they are known.
 */
import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file as it was put into the archive. */
export interface PackedFile {
  readonly byteSize: number;
  /** In hex. */
  readonly sha256: string;
}

/** An archive that is being written. */
export interface ZipFile {
  /** Puts a file into the archive; one after another. */
  add(name: string, bytes: Readable | string): Promise<PackedFile>;
  /** Ends the archive. @returns its size. */
  end(): Promise<number>;
  /** The bytes of the archive that was ended; the file is closed after them. */
  read(): Readable;
  close(): Promise<void>;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22] as const;
/** Version 2.0 of the format; names in UTF-8; deflated. */
const [VERSION, UTF_8, DEFLATED] = [20, 0x0800, 8] as const;
/** The first day that the format knows, so that the same files give the same archive. */
const FIRST_DAY = 0x0021;

/** Begins an archive. */
export async function createZipFile(): Promise<ZipFile> {
  const path = join(tmpdir(), `dockyard-export-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  const central: Buffer[] = [];
  let end = 0;
  return {
    async add(name, bytes) {
      const at = end;
      const label = Buffer.from(name);
      end += LOCAL_BYTES + label.byteLength;
      const { packed, crc, ...told } = await deflateInto(file, end, bytes);
      end += packed;
      const facts = factsOf(crc, packed, told.byteSize, label.byteLength);
      await file.write(Buffer.concat([words(LOCAL), facts, label]), 0, LOCAL_BYTES + label.byteLength, at);
      const entry = Buffer.alloc(CENTRAL_BYTES - LOCAL_BYTES - 2);
      entry.writeUInt32LE(at, entry.byteLength - 4);
      central.push(words(CENTRAL), Buffer.from([VERSION, 0]), facts, entry, label);
      return told;
    },
    async end() {
      const list = Buffer.concat(central);
      const last = Buffer.alloc(END_BYTES);
      const count = central.length / 5;
      last.writeUInt32LE(END, 0);
      last.writeUInt16LE(count, 8);
      last.writeUInt16LE(count, 10);
      last.writeUInt32LE(list.byteLength, 12);
      last.writeUInt32LE(end, 16);
      await file.write(Buffer.concat([list, last]), 0, list.byteLength + END_BYTES, end);
      return end + list.byteLength + END_BYTES;
    },
    read: () => file.createReadStream({ start: 0 }),
    close: () => file.close(),
  };
}

function words(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}

/** Facts of a file that stand both before its bytes and in the list at the end. */
function factsOf(crc: number, packed: number, byteSize: number, nameBytes: number): Buffer {
  const facts = Buffer.alloc(LOCAL_BYTES - 4);
  facts.writeUInt16LE(VERSION, 0);
  facts.writeUInt16LE(UTF_8, 2);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt16LE(FIRST_DAY, 8);
  facts.writeUInt32LE(crc, 10);
  facts.writeUInt32LE(packed, 14);
  facts.writeUInt32LE(byteSize, 18);
  facts.writeUInt16LE(nameBytes, 22);
  return facts;
}

async function deflateInto(
  file: FileHandle,
  start: number,
  bytes: Readable | string,
): Promise<PackedFile & { readonly packed: number; readonly crc: number }> {
  const hash = createHash('sha256');
  let [crc, byteSize, packed] = [0, 0, 0];
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const piece of typeof bytes === 'string' ? [Buffer.from(bytes)] : bytes) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('A stream of a file gives bytes.');
      hash.update(piece);
      crc = crc32(piece, crc);
      byteSize += piece.byteLength;
      yield piece;
    }
  }
  for await (const piece of Readable.from(measured()).compose(createDeflateRaw())) {
    if (!(piece instanceof Uint8Array)) throw new TypeError('Deflating gives bytes.');
    await file.write(piece, 0, piece.byteLength, start + packed);
    packed += piece.byteLength;
  }
  return { byteSize, packed, crc, sha256: hash.digest('hex') };
}
