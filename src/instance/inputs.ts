/**
 * Downloads each input of a job to the instance once, and checks the bytes against the digest that the job pinned. The
 * check is needed because a PUT URL can be used again, so that the object under a key may have changed since the submit.
 */
import { createHash, hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';

import type { StagedInput } from '../contracts/instance.ts';
import { isSmallPart, RecordReader } from './record-reader.ts';
import type { RangedInput } from './record-reader.ts';
import { InputError, InputUrlError } from './repeat.ts';

/** The folder of an instance that holds the job's inputs. */
export interface InputFolder {
  /**
   * Downloads inputs and answers their paths by name; an input that is in the folder already is not downloaded again. An
   * output of an earlier step may have been made again: with another digest it is another input, and takes the place.
   * @throws InputError when an input is missing or has other bytes than the job pinned; InputUrlError when its URL has
   * expired; other errors pass with a repetition.
   */
  fetch(inputs: readonly StagedInput[], signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** A file system takes names of 255 bytes; the name of the partly downloaded file is longer than that of the file. */
const LONGEST_NAME_BYTES = 240;
/** A merge reads thousands of files; each download has a connection and a file open. */
const DOWNLOADS_AT_ONCE = 32;
const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** Opens the input folder of an instance. */
export function createInputFolder(folder: string): InputFolder {
  const agent = new Agent({
    connections: DOWNLOADS_AT_ONCE,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });
  const records = new RecordReader(async (input, range, signal) =>
    Buffer.from(await (await open(agent, input, range, signal)).arrayBuffer()),
  );
  const sources = { agent, folder, records };
  const present = new Map<string, { readonly sha256: string; readonly path: Promise<string> }>();

  async function fetchOnce(input: StagedInput, signal: AbortSignal): Promise<string> {
    const { name, sha256 } = input;
    const known = present.get(name);
    if (known?.sha256 === sha256) return known.path;
    // Both have one path, so the other bytes are there before they are replaced.
    const before = known?.path.catch(() => undefined) ?? Promise.resolve();
    const entry = { sha256, path: before.then(() => download(sources, input, signal)) };
    present.set(name, entry);
    entry.path.catch(() => {
      if (present.get(name) === entry) present.delete(name);
    });
    return entry.path;
  }

  return {
    async fetch(inputs, signal) {
      const paths = await Promise.all(
        inputs.map(async (input) => [input.name, await fetchOnce(input, signal)] as const),
      );
      return Object.fromEntries(paths);
    },
    close: () => agent.destroy(),
  };
}

/** Sources of inputs, and the folder that they are stored in. */
interface Sources {
  readonly agent: Agent;
  readonly folder: string;
  readonly records: RecordReader;
}

/** Whether an input's name, which a customer has chosen, is a path below the folder that a file system takes. */
function isInputName(name: string): boolean {
  return name.split('/').every((segment) => {
    const isPlain = segment !== '' && segment !== '.' && segment !== '..' && !/\p{Cc}/u.test(segment);
    return isPlain && Buffer.byteLength(segment) <= LONGEST_NAME_BYTES;
  });
}

/** Downloads an input and answers its path. The file is made read-only, so that no tool changes an input for the next task. */
async function download(sources: Sources, input: StagedInput, signal: AbortSignal): Promise<string> {
  if (!isInputName(input.name))
    throw new InputError('INPUT_UNREADABLE', 'An input has a name that is no file name.');
  const path = join(sources.folder, input.name);
  const part = `${path}.part`;
  const found = isSmallPart(input)
    ? await writeRecord(sources.records, part, input, signal)
    : await stream(sources.agent, part, input, signal);
  if (found.byteSize !== input.byteSize || found.sha256 !== input.sha256) {
    throw new InputError('INPUT_DIGEST_MISMATCH', `The input ${input.name} is not what the job named.`);
  }
  await chmod(part, 0o444);
  await rename(part, path);
  return path;
}

interface Written {
  readonly byteSize: number;
  readonly sha256: string;
}

async function writeRecord(
  records: RecordReader,
  path: string,
  input: RangedInput,
  signal: AbortSignal,
): Promise<Written> {
  // Parts are asked for in the order of the tasks, so that the first one brings the others.
  const bytes = await records.read(input, signal);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  return { byteSize: bytes.byteLength, sha256: hash('sha256', bytes) };
}

async function stream(agent: Agent, path: string, input: StagedInput, signal: AbortSignal): Promise<Written> {
  await mkdir(dirname(path), { recursive: true });
  const body = await open(agent, input, input.range, signal);
  const digest = createHash('sha256');
  let byteSize = 0;
  body.on('data', (chunk: Buffer) => {
    digest.update(chunk);
    byteSize += chunk.byteLength;
  });
  await pipeline(body, createWriteStream(path), { signal });
  return { byteSize, sha256: digest.digest('hex') };
}

/** Opens an object, or a part of one. @throws InputError, InputUrlError, and an error that passes with a repetition. */
async function open(
  dispatcher: Agent,
  { name, url }: StagedInput,
  range: StagedInput['range'],
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData['body']> {
  const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end - 1}` };
  const { statusCode, body } = await request(url, { dispatcher, signal, headers });
  // A store that does not know ranges would send the whole object.
  if (statusCode === (range === undefined ? 200 : 206)) return body;
  await body.dump();
  if (statusCode === 404) throw new InputError('INPUT_NOT_FOUND', `The input ${name} is gone.`);
  if (statusCode === 416)
    throw new InputError('INPUT_DIGEST_MISMATCH', `The input ${name} is not what the job named.`);
  if (statusCode === 403) throw new InputUrlError('The URL of an input is not accepted any more.');
  throw new Error(`The store answered ${statusCode}.`);
}
