/** Fetches outputs from the store and checks each by its SHA-256 before it is kept. */
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';

type Output = AnswerOf<'get', '/jobs/{jobId}/outputs'>['outputs'][number];

/** Browsers that let a page write into a folder have this; the types of the compiler do not. */
interface WithFolders {
  showDirectoryPicker(options: { readonly mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

function withFolders(place: object): place is WithFolders {
  return 'showDirectoryPicker' in place;
}

/** Whether this browser lets a page write into a folder. */
export function mayChooseFolder(): boolean {
  return withFolders(window);
}

/** Lets the person choose a folder. */
export function folderOf(): Promise<FileSystemDirectoryHandle> {
  if (!withFolders(window)) throw new Error('This browser chooses no folders.');
  return window.showDirectoryPicker({ mode: 'readwrite' });
}

/** All outputs of a job; an address is fresh when its file is fetched. */
export async function* allOutputs(jobId: string): AsyncGenerator<Output, void, void> {
  let cursor: string | null = null;
  do {
    const query: { cursor?: string; limit: number } =
      cursor === null ? { limit: 100 } : { limit: 100, cursor };
    const page: AnswerOf<'get', '/jobs/{jobId}/outputs'> = await api.get('/jobs/{jobId}/outputs', {
      path: { jobId },
      query,
    });
    yield* page.outputs;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function digestOf(blob: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether bytes are those that were announced. */
async function isRight(blob: Blob, { byteSize, sha256 }: Output): Promise<boolean> {
  return blob.size === byteSize && (await digestOf(blob)) === sha256;
}

async function fetched(output: Output): Promise<Blob> {
  const answer = await fetch(output.url, { referrerPolicy: 'no-referrer' });
  if (!answer.ok) throw new Error(m.outputs_refused({ name: output.name, status: answer.status }));
  const blob = await answer.blob();
  if (!(await isRight(blob, output))) throw new Error(m.outputs_wrong({ name: output.name }));
  return blob;
}

/** Saves one file as browsers save files; it was never here before. */
export async function saveFile(output: Output): Promise<boolean> {
  // Bytes of no type are saved and never opened by the browser.
  const address = URL.createObjectURL(
    new Blob([await fetched(output)], { type: 'application/octet-stream' }),
  );
  const link = document.createElement('a');
  link.href = address;
  link.download = output.name.split('/').at(-1) ?? output.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return false;
}

/** The path of an output below a folder: a plain name is unique in its task alone. */
function partsOf({ name, taskIndex }: Output): string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.length > 1 || taskIndex === null ? parts : [`task-${String(taskIndex)}`, ...parts];
}

/** Saves a file at its path below a folder; true where it was there already, and right. */
export async function saveInto(folder: FileSystemDirectoryHandle, output: Output): Promise<boolean> {
  const parts = partsOf(output);
  const name = parts.pop() ?? output.artifactId;
  let place = folder;
  for (const part of parts) place = await place.getDirectoryHandle(part, { create: true });
  const file = await place.getFileHandle(name, { create: true });
  if (await isRight(await file.getFile(), output)) return true;
  const writer = await file.createWritable();
  await writer.write(await fetched(output));
  await writer.close();
  return false;
}
