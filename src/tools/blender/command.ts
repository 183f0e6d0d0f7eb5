/** `dockyard render`: from a scene on this machine, with the folder of its files, to frames. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';

import type { EstimateJobRequest, SubmitJobRequest } from '../../client/types.ts';
import { CommandRefusal, OptionRefusal } from '../command.ts';
import type { CommandJob, JobFiles, ToolCommand } from '../command.ts';
import { BLENDER_ID } from './parameters.ts';
import { framesIn, readRanges } from './ranges.ts';

/** Part of a render that the command line tells. */
export interface RenderOptions {
  readonly frames?: string;
  readonly format?: string;
  readonly samples?: number;
  readonly percent?: number;
  readonly camera?: string;
  readonly minutes?: number;
  readonly previewOnly?: boolean;
  readonly set?: readonly string[];
}

const FORMATS = ['PNG', 'EXR', 'JPEG'] as const;
const CONTENT_TYPE = 'application/x-blender';
/** Files that are listed by name; a project has thousands. */
const MOST_LISTED = 12;
const MEGABYTE = 1e6;
const MOST_MINUTES = 10_000;
const MOST_SAMPLES = 65_536;
const MOST_PERCENT = 1000;

/** The command that renders a scene. */
export const renderCommand: ToolCommand = (take) =>
  take<RenderOptions>({
    usage: 'render <scene> [folder]',
    summary:
      'Render frames of a Blender scene with Cycles: shows the price, asks, uploads, submits. With a folder, all files in it go along, each at its place; the scene lies in it. Exit codes with --watch: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'render shot.blend --frames 1-100:10 --watch',
      'render film/scenes/shot.blend film --frames 1-250 --format EXR --out frames --yes',
      'render shot.blend --frames 1-250 --preview-only --watch --out look',
      'render still.blend --samples 256 --set transparent=true --set camera=Top --yes',
    ],
    options: [
      {
        flags: '--frames <list>',
        description: 'frames, such as 1-100:10,205 (default: 1)',
        read: { kind: 'own', read: framesText },
      },
      { flags: '--format <format>', description: 'format of the frames (default: PNG)', choices: FORMATS },
      {
        flags: '--samples <n>',
        description: 'samples of a pixel (default: those of the scene)',
        read: { kind: 'number', least: 1, most: MOST_SAMPLES },
      },
      {
        flags: '--percent <n>',
        description: 'size of the frames in percent (default: that of the scene)',
        read: { kind: 'number', least: 1, most: MOST_PERCENT },
      },
      {
        flags: '--camera <name>',
        description: 'camera of all frames (default: those of the scene)',
        read: { kind: 'text', longest: 255 },
      },
      {
        flags: '--minutes <n>',
        description: 'minutes that a frame takes, for the price (default: ten of one core)',
        read: { kind: 'number', least: 1, most: MOST_MINUTES },
      },
      {
        flags: '--preview-only',
        description:
          'draw the first of the frames alone, with its small picture before it; the whole range takes it over afterwards',
      },
      {
        flags: '--set <name=value>',
        description: 'any other parameter of the request; may be repeated',
        read: { kind: 'own', read: settingText },
        repeats: true,
      },
    ],
    shows: 'the frames',
    prepare: (options, [scene = '', folder], here) =>
      jobOf(options, resolve(here, scene), folder === undefined ? null : resolve(here, folder)),
    findings: async (results) => (await import('./found.ts')).findFrames(results),
  });

function framesText(text: string): string {
  const ranges = readRanges(text);
  if (typeof ranges === 'string') throw new OptionRefusal(ranges);
  return text;
}

function settingText(text: string): readonly string[] {
  if (!/^[A-Za-z]+=./.test(text))
    throw new OptionRefusal('must be a name and a value, such as denoise=true.');
  return [text];
}

function jobOf(options: RenderOptions, scene: string, folder: string | null): CommandJob {
  if (!existsSync(scene) || !statSync(scene).isFile())
    throw new CommandRefusal('USAGE_INPUT', `${scene} is no file.`);
  const inside = folder === null ? null : placeIn(folder, scene);
  const frames = framesOf(options);
  // A range that cannot be read has no first frame; the service says what is wrong with it.
  const first = options.previewOnly === true ? frames[0] : undefined;
  const meant = first === undefined ? options : { ...options, frames: String(first) };
  const of = first === undefined ? frames.length : `frame ${first}, the first of ${frames.length}`;
  const files = folder === null ? [fileAt(scene, '')] : filesIn(folder);
  return {
    estimate: renderEstimateOf(meant),
    offer: [
      ['Scene', inside === null ? basename(scene) : `${inside}, with all files of ${folder ?? ''}`],
      ['Files', `${files.length}, ${megabytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}`],
      ['Frames', `${of} as ${options.format ?? 'PNG'}`],
    ],
    notes: folder === null ? [] : listed(files),
    priceNote: 'what counts are the seconds of each verified frame; nothing for the first small picture',
    name: `Frames of ${basename(scene)}`,
    place: async (files) => renderRequestOf(meant, await placed(files, scene, folder, inside)),
  };
}

/** The frames that the options name. */
function framesOf({ frames = '1' }: RenderOptions): readonly number[] {
  const ranges = readRanges(frames);
  return typeof ranges === 'string' ? [] : framesIn(ranges);
}

interface LocalFile {
  readonly name: string;
  readonly bytes: number;
}

function filesIn(folder: string): readonly LocalFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fileAt(join(entry.parentPath, entry.name), folder));
}

function fileAt(path: string, folder: string): LocalFile {
  return { name: relative(folder, path), bytes: statSync(path).size };
}

/** The largest files by name, the rest as a number. */
function listed(files: readonly LocalFile[]): readonly string[] {
  const sorted = files.toSorted((left, right) => right.bytes - left.bytes);
  const more = sorted.length - MOST_LISTED;
  return [
    ...sorted.slice(0, MOST_LISTED).map(({ name, bytes }) => `${name}, ${megabytes(bytes)}`),
    ...(more > 0 ? [`and ${more} smaller ones`] : []),
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

/** The path of the scene in the folder. @throws CommandRefusal where it is not in it. */
function placeIn(folder: string, scene: string): string {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandRefusal('USAGE_INPUT', `${folder} is no folder.`);
  const path = relative(folder, scene);
  if (path.startsWith('..')) throw new CommandRefusal('USAGE_INPUT', `${scene} is not in ${folder}.`);
  return path.split(sep).join('/');
}

/** Stores the scene, alone or with its folder; answers its storage key. */
async function placed(
  files: JobFiles,
  scene: string,
  folder: string | null,
  inside: string | null,
): Promise<string> {
  if (folder === null || inside === null) {
    files.progress(`Uploading ${basename(scene)}`);
    return files.upload({ path: scene, contentType: CONTENT_TYPE, purpose: 'scene' });
  }
  files.progress(`Uploading ${folder}`);
  const stored = await files.uploadFolder({ path: folder, purpose: 'package' });
  const found = stored.find(({ logicalPath }) => logicalPath === inside.normalize('NFC'));
  if (found === undefined)
    throw new CommandRefusal('USAGE_INPUT', `${scene} is empty or could not be taken along.`);
  return found.storageKey;
}

/** The request that asks for the price. */
function renderEstimateOf({ frames, samples, minutes, ...options }: RenderOptions): EstimateJobRequest {
  const parameters = {
    ...(frames === undefined ? {} : { frames }),
    ...(options.percent === undefined ? {} : { resolutionPercent: String(options.percent) }),
    ...(options.camera === undefined ? {} : { camera: options.camera }),
    ...Object.fromEntries((options.set ?? []).map(pairOf)),
  };
  return {
    jobType: 'render',
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    metadata: {
      software: BLENDER_ID,
      ...(samples === undefined ? {} : { samples }),
      ...(minutes === undefined ? {} : { renderTimeMinutes: minutes }),
    },
  };
}

function pairOf(text: string): readonly [string, string] {
  const place = text.indexOf('=');
  return [text.slice(0, place), text.slice(place + 1)];
}

/** The request that submits the render. */
export function renderRequestOf(options: RenderOptions, sceneFile: string): SubmitJobRequest {
  const format = FORMATS.find((one) => one === options.format);
  return {
    ...renderEstimateOf(options),
    jobType: 'render',
    sceneFile,
    ...(format === undefined ? {} : { outputFormat: format }),
  };
}
