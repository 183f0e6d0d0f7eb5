/** `dockyard waves`: from a case of a wave model to the waves at its points. */
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import type { EstimateJobRequest, SubmitJobRequest } from '../../client/types.ts';
import { CommandRefusal } from '../command.ts';
import type { CommandJob, ToolCommand } from '../command.ts';
import { COMMAND_FILE, GRID, longestSeconds, PHYSICS, STEPS } from './parameters.ts';

/** The models by the names of their simulators; the first is the default. */
const MODELS = ['swan', 'wavewatch3'] as const;
type WaveModelName = (typeof MODELS)[number];

/** Part of a case that the command line tells. */
export interface WavesOptions {
  readonly model?: WaveModelName;
  readonly commandFile?: string;
  readonly physics?: string;
  readonly cases?: number;
  readonly seconds?: number;
  readonly grid?: string;
  readonly steps?: number;
  readonly with?: readonly string[];
}

const ARCHIVE = /\.(?:zip|tar|tar\.gz|tgz|tar\.xz|txz)$/i;
const CONTENT_TYPE = 'application/octet-stream';
const LONGEST_SECONDS = 2_592_000;
const SECONDS_PER_HOUR = 3600;

/** The command that runs a wave model. */
export const wavesCommand: ToolCommand = (take) =>
  take<WavesOptions>({
    usage: 'waves <case>',
    summary:
      'Run a case of a wave model: shows the price, asks, uploads, submits. The case is an archive, or its command file. Exit codes with --watch: 0 SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'waves coast.zip --watch',
      'waves storm.swn --with bottom.dat --with wind.dat --with swell.tpar --seconds 300',
      'waves storms.tar.gz --command-file storm{index}.swn --cases 4 --yes',
      'waves globe.tar.gz --model wavewatch3 --physics st4 --watch',
    ],
    options: [
      {
        flags: '--model <name>',
        description: 'wave model',
        choices: MODELS,
        default: MODELS[0],
      },
      {
        flags: '--command-file <name>',
        description: 'command file of SWAN in the archive (default: the only *.swn or INPUT)',
        read: { kind: 'text', longest: 255 },
      },
      {
        flags: '--physics <name>',
        description: 'build of the site with other physics (default: the one without a name)',
        read: { kind: 'text', longest: 64 },
      },
      {
        flags: '--cases <n>',
        description: 'cases to run; the names of command files or folders then have {index}',
        read: { kind: 'number', least: 1, most: 1000 },
      },
      {
        flags: '--seconds <n>',
        description:
          'seconds that a case takes, for the price (default: by --grid and --steps, else ten minutes)',
        read: { kind: 'number', least: 1, most: LONGEST_SECONDS },
      },
      {
        flags: '--grid <size>',
        description: 'points, directions and frequencies, as in 200x100x36x32',
        read: { kind: 'text', longest: 40 },
      },
      {
        flags: '--steps <n>',
        description: 'time steps, or iterations of a stationary case',
        read: { kind: 'number', least: 1, most: 999_999_999 },
      },
      {
        flags: '--with <file>',
        description: 'a file that stands beside the command file; may be repeated',
        read: { kind: 'own', read: (text) => [text] },
        repeats: true,
      },
    ],
    shows: 'the waves at the points of the case',
    prepare: (options, [named = ''], folder) => jobOf(options, resolve(folder, named), folder),
    findings: async (results) => (await import('./found.ts')).findWaves(results),
  });

function jobOf(options: WavesOptions, path: string, folder: string): CommandJob {
  const beside = (options.with ?? []).map((name) => resolve(folder, name));
  for (const file of [path, ...beside]) refuseUnlessFile(file);
  return {
    estimate: wavesEstimateOf(options),
    offer: [
      ['Case', [basename(path), ...beside.map((file) => basename(file))].join(', ')],
      ...wavesOfferOf(options),
    ],
    priceNote: 'nothing for a case that its model does not run',
    name: `Waves of ${basename(path).replace(ARCHIVE, '')}`,
    async place(files) {
      files.progress(`Uploading ${basename(path)}`);
      const sceneFile = await files.upload({ path, contentType: CONTENT_TYPE, purpose: 'case' });
      const attachments: string[] = [];
      for (const file of beside) {
        const purpose = `beside ${basename(file)}`;
        attachments.push(await files.upload({ path: file, contentType: CONTENT_TYPE, purpose }));
      }
      return wavesRequestOf(options, sceneFile, attachments);
    },
  };
}

function refuseUnlessFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true) return;
  throw new CommandRefusal(
    'USAGE_INPUT',
    found?.isDirectory() === true
      ? `${path} is a folder; pack it, as in: tar -czf case.tar.gz -C ${path} .`
      : `${path} is no file.`,
  );
}

/** The request that asks for the price. */
export function wavesEstimateOf({
  model = MODELS[0],
  cases,
  seconds,
  ...options
}: WavesOptions): EstimateJobRequest {
  const parameters = parametersOf(options);
  return {
    jobType: 'simulation',
    simulator: model,
    ...(cases === undefined ? {} : { taskCount: cases }),
    ...(seconds === undefined ? {} : { simulationParams: { estimatedRuntimeSeconds: seconds } }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  };
}

/** The request that submits the case. */
export function wavesRequestOf(
  options: WavesOptions,
  sceneFile: string,
  attachments: string[],
): SubmitJobRequest {
  return {
    ...wavesEstimateOf(options),
    jobType: 'simulation',
    sceneFile,
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

/** The offer that is made of the options: what is expected, and what ends a run that takes longer. */
export function wavesOfferOf(options: WavesOptions): CommandJob['offer'] {
  const { seconds, grid, steps, cases = 1 } = options;
  const isSized = seconds === undefined && grid !== undefined && steps !== undefined;
  const hours = Math.ceil(longestSeconds(seconds ?? null) / SECONDS_PER_HOUR);
  const limit = isSized ? `${hours} h, or three times what is expected if that is more` : `${hours} h`;
  return [
    ['Cases', String(cases)],
    ['Expected', `${expectedText(options)}; what counts are the seconds of the run`],
    [
      'Time limit',
      `${limit}, for a case that cannot be taken up where it was kept; --seconds makes it longer`,
    ],
  ];
}

function expectedText({ seconds, grid, steps }: WavesOptions): string {
  if (seconds !== undefined) return `${seconds} s a case`;
  return grid === undefined || steps === undefined
    ? 'ten minutes a case, as nothing else is told'
    : `what ${steps} steps on ${grid} take`;
}

function parametersOf({ commandFile, physics, grid, steps }: WavesOptions): Record<string, string> {
  return {
    ...(commandFile === undefined ? {} : { [COMMAND_FILE]: commandFile }),
    ...(physics === undefined ? {} : { [PHYSICS]: physics }),
    ...(grid === undefined ? {} : { [GRID]: grid }),
    ...(steps === undefined ? {} : { [STEPS]: String(steps) }),
  };
}
