/** `dockyard render`: from a scene on this machine, with the folder of its files, to frames. */
import { existsSync, statSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';

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
  readonly set?: readonly string[];
}

const FORMATS = ['PNG', 'EXR', 'JPEG'] as const;
const CONTENT_TYPE = 'application/x-blender';
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
  const ranges = readRanges(options.frames ?? '1');
  const frames = typeof ranges === 'string' ? 1 : framesIn(ranges).length;
  return {
    estimate: renderEstimateOf(options),
    offer: [
      ['Scene', inside === null ? basename(scene) : `${inside}, with all files of ${folder ?? ''}`],
      ['Frames', `${frames} as ${options.format ?? 'PNG'}`],
    ],
    priceNote: 'what counts are the seconds of each verified frame; nothing for the first small picture',
    name: `Frames of ${basename(scene)}`,
    place: async (files) => renderRequestOf(options, await placed(files, scene, folder, inside)),
  };
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
