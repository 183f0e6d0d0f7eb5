/**
 * Files on their way into the store. They go on while other pages of the app are looked at, two at a time; closing the tab asks first.
 * A file whose name, size and content are those of an unfinished upload goes on with it.
 */
import { useSyncExternalStore } from 'react';
import { CLIENT_CODES, ClientError, uploadFromPage } from 'dockyard-client/browser';
import type { AnswerOf, PageUpload, UploadProgress } from 'dockyard-client/browser';

import { api } from '../../api/api.ts';
import { answers } from '../../api/queries.ts';
import type { Chosen } from './chosen.ts';
import { put } from './put.ts';

export type Upload = AnswerOf<'get', '/uploads'>['uploads'][number];

export interface Sending extends Chosen {
  readonly id: string;
  readonly state: 'waiting' | 'sending' | 'paused' | 'done' | 'failed';
  readonly uploadId: string | null;
  readonly progress: UploadProgress | null;
  /** Whether nothing moves: the network, the store or the service is away. */
  readonly isStalled: boolean;
  readonly error: unknown;
}

const AT_ONCE = 2;
const UNKNOWN_TYPE = 'application/octet-stream';
/** A file of which nothing moved for so long waits for something. */
const STALLED_MS = 3_000;
const LOOK_MS = 500;
/** Attempts to read the unfinished uploads, as many as an upload makes of its calls. */
const ATTEMPTS = 360;

let all: readonly Sending[] = [];
const readers = new Set<() => void>();
const stops = new Map<string, AbortController>();
/** When the bytes of each file moved last. */
const moves = new Map<string, number>();
/** Uploads that were unfinished when the files that are on their way were chosen. */
let unfinished: Promise<readonly Upload[]> | null = null;

setInterval(() => {
  const late = performance.now() - STALLED_MS;
  for (const { id, state, isStalled } of all) {
    const stalls = state === 'sending' && (moves.get(id) ?? 0) < late;
    if (stalls !== isStalled) change(id, { isStalled: stalls });
  }
}, LOOK_MS);

/** All files of this tab that are on their way, or have ended since it was opened. */
export function useSending(): readonly Sending[] {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => all,
  );
}

function set(next: readonly Sending[]): void {
  all = next;
  for (const read of readers) read();
  if (all.some(({ state }) => state === 'sending' || state === 'waiting'))
    window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function change(id: string, part: Partial<Sending>): void {
  set(all.map((each) => (each.id === id ? { ...each, ...part } : each)));
}

/** Adds files; `uploadId` is of the unfinished upload that the one file goes on with. */
export function send(chosen: readonly Chosen[], uploadId: string | null = null): void {
  const added = chosen.map((each): Sending => ({
    ...each,
    id: crypto.randomUUID(),
    state: 'waiting',
    uploadId,
    progress: null,
    isStalled: false,
    error: null,
  }));
  unfinished = null;
  set([...added, ...all]);
  fill();
}

/** Stops a file; what was sent is kept. */
export function pauseSending(id: string): void {
  change(id, { state: 'paused' });
  stops.get(id)?.abort();
}

/** Goes on with a file that was paused or has failed. */
export function goOn(id: string): void {
  change(id, { state: 'waiting', error: null });
  fill();
}

/** Takes a file out of the list; an upload that has not ended stays among the unfinished ones. */
export function forget(id: string): void {
  stops.get(id)?.abort();
  set(all.filter((each) => each.id !== id));
}

function fill(): void {
  const room = AT_ONCE - all.filter(({ state }) => state === 'sending').length;
  const next = all
    .filter(({ state, id }) => state === 'waiting' && !stops.has(id))
    .slice(0, Math.max(0, room));
  for (const each of next) void run(each);
}

async function run(sending: Sending): Promise<void> {
  const { id, file, name, place } = sending;
  const stop = new AbortController();
  stops.set(id, stop);
  moves.set(id, performance.now());
  change(id, { state: 'sending' });
  try {
    const { uploadId } = sending;
    const candidates = uploadId === null ? await candidatesOf(sending) : [];
    stop.signal.throwIfAborted();
    const upload: PageUpload = {
      file,
      put,
      filename: name,
      contentType: file.type === '' ? UNKNOWN_TYPE : file.type,
      ...(uploadId === null ? { candidates } : { uploadId }),
      ...(place === null ? {} : { place }),
      signal: stop.signal,
      onOpen: (opened) => change(id, { uploadId: opened }),
      onProgress: (progress) => move(id, progress),
    };
    await uploadFromPage(api, upload);
    change(id, { state: 'done' });
  } catch (error) {
    // Another file than the unfinished one is not of its upload: the right file can be chosen for that, and this one begin anew.
    const isAnother = error instanceof ClientError && error.code === CLIENT_CODES.fileChanged;
    if (!stop.signal.aborted)
      change(id, { state: 'failed', error, ...(isAnother ? { uploadId: null } : {}) });
  }
  stops.delete(id);
  moves.delete(id);
  fill();
  // While more are on their way, events tell which answers have become old: a folder is not read again for each of its files.
  if (stops.size > 0) return;
  unfinished = null;
  void answers.invalidateQueries({ queryKey: ['/uploads'] });
  void answers.invalidateQueries({ queryKey: ['/uploads/usage'] });
}

function move(id: string, progress: UploadProgress): void {
  const before = all.find((each) => each.id === id)?.progress;
  // Bytes of a failed attempt are taken back, which is no movement.
  if (progress.doneBytes > (before?.doneBytes ?? -1) || progress.phase !== before?.phase)
    moves.set(id, performance.now());
  change(id, { progress });
}

/** The unfinished uploads of files of this name, size and place, that no other file of this tab goes on with. */
async function candidatesOf({ file, name, place }: Sending): Promise<readonly string[]> {
  unfinished ??= api
    .get('/uploads', { query: { state: 'open', limit: 100 }, attempts: ATTEMPTS })
    .then(({ uploads }) => uploads);
  const reading = unfinished;
  const uploads = await reading.catch((error: unknown) => {
    if (unfinished === reading) unfinished = null;
    throw error;
  });
  const taken = new Set(all.map(({ uploadId }) => uploadId));
  return uploads
    .filter(
      (upload) =>
        upload.filename === name &&
        upload.size === file.size &&
        upload.logicalPath === (place?.logicalPath ?? null) &&
        !taken.has(upload.uploadId),
    )
    .map(({ uploadId }) => uploadId);
}
