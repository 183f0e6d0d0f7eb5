/**
 * Files on their way into the store. They go on while other pages of the app are looked at, two at a time; closing the tab asks first.
 * A file whose name and size are those of an unfinished upload goes on with it.
 */
import { useSyncExternalStore } from 'react';
import { uploadFromPage } from 'dockyard-client/browser';
import type { PageUpload, UploadProgress } from 'dockyard-client/browser';

import { api } from '../../api/api.ts';
import { answers } from '../../api/queries.ts';
import type { Chosen } from './chosen.ts';
import { put } from './put.ts';

export interface Sending extends Chosen {
  readonly id: string;
  readonly state: 'waiting' | 'sending' | 'paused' | 'done' | 'failed';
  readonly uploadId: string | null;
  readonly progress: UploadProgress | null;
  readonly error: unknown;
}

const AT_ONCE = 2;
const UNKNOWN_TYPE = 'application/octet-stream';

let all: readonly Sending[] = [];
const readers = new Set<() => void>();
const stops = new Map<string, AbortController>();

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
    error: null,
  }));
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
  change(id, { state: 'sending' });
  try {
    const uploadId = sending.uploadId ?? (await unfinishedOf(sending, stop.signal));
    const upload: PageUpload = {
      file,
      put,
      filename: name,
      contentType: file.type === '' ? UNKNOWN_TYPE : file.type,
      ...(uploadId === null ? {} : { uploadId }),
      ...(place === null ? {} : { place }),
      signal: stop.signal,
      onOpen: (opened) => change(id, { uploadId: opened }),
      onProgress: (progress) => change(id, { progress }),
    };
    await uploadFromPage(api, upload);
    change(id, { state: 'done' });
  } catch (error) {
    if (!stop.signal.aborted) change(id, { state: 'failed', error });
  }
  stops.delete(id);
  void answers.invalidateQueries({ queryKey: ['/uploads'] });
  void answers.invalidateQueries({ queryKey: ['/uploads/usage'] });
  fill();
}

/** The unfinished upload of a file of this name, size and place, that no other file of this tab goes on with. */
async function unfinishedOf({ file, name, place }: Sending, signal: AbortSignal): Promise<string | null> {
  const { uploads } = await api.get('/uploads', { query: { state: 'open', limit: 100 }, signal });
  const taken = new Set(all.map(({ uploadId }) => uploadId));
  const found = uploads.find(
    (upload) =>
      upload.filename === name &&
      upload.size === file.size &&
      upload.logicalPath === (place?.logicalPath ?? null) &&
      !taken.has(upload.uploadId),
  );
  if (found === undefined) return null;
  return found.uploadId;
}
