/**
 * Judges what a session wrote. A frame counts when its file is a whole picture of its format, with the bytes that any other run would
 * write: nothing in it tells of a time, a machine or a path.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { asReport } from '../json-report.ts';
import { byPieces } from '../output-readers.ts';
import type { OutputReader } from '../output-readers.ts';
import type { Pieces } from '../pieces.ts';
import type { ReadOutput } from '../tool.ts';
import { SCENE } from './inputs.ts';
import { PictureFault } from './pictures/bytes.ts';
import { MOST_CHUNK_BYTES, readExr } from './pictures/exr.ts';
import { readJpeg } from './pictures/jpeg.ts';
import { readPng } from './pictures/png.ts';
import { padded } from './ranges.ts';
import SCENE_SCHEMA from './scene.schema.json' with { type: 'json' };

const MEBIBYTE = 1024 * 1024;

/** The first frame, small. */
const PREVIEW = 'preview.png';
/** The small pictures of all frames. */
export const SHEET = 'contact-sheet.png';

/** The most bytes of an output by its kind. */
export const RENDER_OUTPUT_BYTES: Readonly<Record<string, number>> = {
  scene: 16 * MEBIBYTE,
  preview: 4 * MEBIBYTE,
  frame: 4096 * MEBIBYTE,
  /** The sum of a frame's samples, of the largest size. */
  chunk: 4352 * MEBIBYTE,
  thumbnail: MEBIBYTE,
  sheet: 64 * MEBIBYTE,
};

const SCENE_REPORT = asReport<unknown>({ schema: SCENE_SCHEMA, values: 500_000 });

type Fault = string | null;

const png = byPieces((pieces) => faultOf(() => readPng(pieces)));
const jpeg = byPieces((pieces) => faultOf(() => readJpeg(pieces)));
const exr: OutputReader<Fault> = {
  // A chunk and what it unpacks to; most chunks are much smaller.
  memoryBytes: (byteSize) => Math.min(2 * MOST_CHUNK_BYTES, 8 * MEBIBYTE + byteSize),
  read: (pieces: Pieces) => faultOf(() => readExr(pieces)),
};
const READERS: Readonly<Record<string, OutputReader<Fault>>> = { png, exr, jpg: jpeg };

/** Judges the outputs of a task or step; answers null when they are good, else why they are not. */
export async function verifyRender(
  kind: StepKind | 'task',
  { itemId }: { readonly itemId: string },
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<Fault> {
  switch (kind) {
    case 'prepare':
      return preparationFault(outputs, read);
    case 'merge':
      return namesFault(outputs, [SHEET]) ?? pictureFault(SHEET, png, read);
    case 'task':
      return frameFault(itemId, outputs, read);
    case 'control':
    case 'finish':
      return null;
    default:
      return kind satisfies never;
  }
}

async function preparationFault(outputs: readonly StagedOutput[], read: ReadOutput): Promise<Fault> {
  const fault = namesFault(outputs, [SCENE, PREVIEW]) ?? (await pictureFault(PREVIEW, png, read));
  if (fault !== null) return fault;
  const report = await read(SCENE, SCENE_REPORT);
  return report.ok ? null : `${SCENE} is no report: ${report.fault}`;
}

async function frameFault(
  itemId: string,
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<Fault> {
  const number = padded(Number(itemId));
  const frame = outputs.find(({ kind }) => kind === 'frame')?.name ?? '';
  const found = /^frames\/([^/]+)\.(-?\d{4,})\.(png|exr|jpg)$/.exec(frame);
  const [, stem = '', drawn, ending = ''] = found ?? [];
  if (drawn !== number) return `frame ${itemId} is expected`;
  const reader = READERS[ending];
  const thumbnail = `thumbnails/${stem}.${number}.jpg`;
  const fault = namesFault(outputs, [frame, thumbnail]);
  if (fault !== null || reader === undefined) return fault ?? `${frame} is of no format`;
  return (await pictureFault(frame, reader, read)) ?? pictureFault(thumbnail, jpeg, read);
}

function namesFault(outputs: readonly StagedOutput[], names: readonly string[]): Fault {
  const stray = outputs.find(({ name }) => !names.includes(name));
  if (stray !== undefined) return `${stray.name} was not expected`;
  const missing = names.find((name) => outputs.filter((output) => output.name === name).length !== 1);
  return missing === undefined ? null : `${missing} is missing`;
}

async function pictureFault(name: string, reader: OutputReader<Fault>, read: ReadOutput): Promise<Fault> {
  const fault = await read(name, reader);
  return fault === null ? null : `${name} is no picture: ${fault}`;
}

async function faultOf(read: () => Promise<unknown>): Promise<Fault> {
  try {
    await read();
    return null;
  } catch (error) {
    if (error instanceof PictureFault) return error.message;
    throw error;
  }
}
