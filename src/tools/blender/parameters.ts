/** Parameters of a render: its frames, and its changes of the scene. Every value is checked when it is read. */
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { PlannableRequest } from '../tool.ts';
import { BLENDER_VERSIONS } from './pack.ts';
import { faultOf, framesIn, readRanges, spread } from './ranges.ts';
import type { FrameRange } from './ranges.ts';

/** The tool's name, in requests and in the price book. */
export const BLENDER_ID = 'blender';

/** Fields of a request that say which frames are drawn. */
type FrameFields = Pick<PlannableRequest, 'frameStart' | 'frameEnd' | 'frameStep' | 'parameters'>;

/** A value that the request does not name stays as the scene has it. */
export interface RenderSettings {
  readonly camera: string | null;
  readonly scene: string | null;
  readonly viewLayer: string | null;
  readonly resolutionPercent: number | null;
  readonly samples: number | null;
  readonly denoise: boolean | null;
  readonly seed: number | null;
  readonly transparent: boolean | null;
  readonly passes: boolean;
}

const MOST_THREADS = 64;
const MOST_MEMORY_GIB = 1024;
/** Memory of an instance of 8 GiB beside the system and the worker. */
const DEFAULT_MEMORY_GIB = 6;
const LONGEST_NAME = 255;
const LONGEST_PATH = 1024;
const MOST_SAMPLES = 65_536;
const LARGEST_SEED = 2_147_483_647;

type Reader<T> = (text: string) => T | string;

const whole =
  (least: number, most: number): Reader<number> =>
  (text) => {
    const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : `must be a whole number from ${least} to ${most}.`;
  };
const oneOf =
  <const V extends string>(...known: readonly V[]): Reader<{ readonly value: V }> =>
  (text) => {
    const value = known.find((one) => one === text);
    return value === undefined ? `must be ${known.join(' or ')}.` : { value };
  };
const named =
  (longest: number): Reader<{ readonly value: string }> =>
  (text) =>
    text.trim() === '' || text.length > longest
      ? `must be a name of 1 to ${longest} characters.`
      : { value: text };
const truth: Reader<{ readonly value: boolean }> = (text) =>
  text === 'true' || text === 'false' ? { value: text === 'true' } : 'must be true or false.';

/** The readers of all parameters; a text that a reader answers says what is wrong. */
const READERS = {
  frames: (text: string) => readRanges(text),
  camera: named(LONGEST_NAME),
  scene: named(LONGEST_NAME),
  viewLayer: named(LONGEST_NAME),
  resolutionPercent: whole(1, 1000),
  samples: whole(1, MOST_SAMPLES),
  denoise: truth,
  seed: whole(0, LARGEST_SEED),
  transparent: truth,
  passes: oneOf('scene'),
  threads: whole(1, MOST_THREADS),
  memoryGiB: whole(1, MOST_MEMORY_GIB),
  device: oneOf('cpu', 'gpu', 'auto'),
  ocio: named(LONGEST_PATH),
  version: oneOf(...BLENDER_VERSIONS.map(({ short }) => short)),
  missingAssets: oneOf('fail', 'warn'),
  order: oneOf('spread', 'linear'),
  reuse: oneOf('auto', 'never'),
} as const;

type Name = keyof typeof READERS;

/** The names of all parameters. */
export const PARAMETERS = Object.keys(READERS);

/** The value of a parameter; null where the request does not name it. @throws VALIDATION_ERROR. */
function read<T>(
  { parameters }: Pick<PlannableRequest, 'parameters'>,
  name: Name,
  reader: Reader<T>,
): T | null {
  const text = parameters?.[name];
  if (text === undefined) return null;
  const value = reader(text);
  if (typeof value === 'string') throw wrong(`parameters.${name}: ${value}`);
  return value;
}

/** The refusal of a field. */
export function wrong(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}

/** Checks every parameter. @throws VALIDATION_ERROR that names the known ones. */
export function checkParameters(request: Pick<PlannableRequest, 'parameters'>): void {
  for (const name of Object.keys(request.parameters ?? {})) {
    if (!isParameter(name))
      throw wrong(`parameters.${name.slice(0, 64)}: is not known. There are ${PARAMETERS.join(', ')}.`);
    read<unknown>(request, name, READERS[name]);
  }
}

function isParameter(name: string): name is Name {
  return Object.hasOwn(READERS, name);
}

/** The frames of a request as ranges. Without any that is frame 1. @throws VALIDATION_ERROR. */
export function rangesOf(request: FrameFields): readonly FrameRange[] {
  const { frameStart, frameEnd, frameStep = 1 } = request;
  const listed = read(request, 'frames', READERS.frames);
  if (listed !== null) {
    if (frameStart !== undefined || frameEnd !== undefined || frameStep !== 1)
      throw wrong('parameters.frames: leave frameStart, frameEnd and frameStep out, or leave frames out.');
    return listed;
  }
  if (!Number.isInteger(frameStep) || frameStep < 1)
    throw wrong('frameStep: must be a whole number above 0; frames between two numbers are not drawn.');
  if (frameStart === undefined && frameEnd !== undefined)
    throw wrong('frameEnd: needs frameStart, because a scene may begin at any frame.');
  const first = frameStart ?? DEFAULT_FRAME;
  const last = frameEnd ?? first;
  if (last < first) throw wrong('frameEnd: must not be before frameStart.');
  const ranges: readonly FrameRange[] = [[first, last, frameStep]];
  const fault = faultOf(ranges);
  if (fault !== null) throw wrong(`frameEnd: ${fault}`);
  return ranges;
}

const DEFAULT_FRAME = 1;

/** Whether the request names no frame. */
export function isDefaultFrame(request: FrameFields): boolean {
  return request.frameStart === undefined && request.parameters?.['frames'] === undefined;
}

/** The frames of a request in the order in which they are drawn. */
export function framesOf(request: FrameFields): readonly number[] {
  const frames = framesIn(rangesOf(request));
  return read(request, 'order', READERS.order)?.value === 'linear' ? frames : spread(frames);
}

/** Reads the changes that the request makes in the scene. */
export function settingsOf(request: Pick<PlannableRequest, 'parameters' | 'metadata'>): RenderSettings {
  const { samples } = request.metadata ?? {};
  if (typeof samples === 'number' && samples > MOST_SAMPLES)
    throw wrong(`metadata.samples: must be at most ${MOST_SAMPLES}.`);
  return {
    camera: read(request, 'camera', READERS.camera)?.value ?? null,
    scene: read(request, 'scene', READERS.scene)?.value ?? null,
    viewLayer: read(request, 'viewLayer', READERS.viewLayer)?.value ?? null,
    resolutionPercent: read(request, 'resolutionPercent', READERS.resolutionPercent),
    samples: read(request, 'samples', READERS.samples) ?? (typeof samples === 'number' ? samples : null),
    denoise: read(request, 'denoise', READERS.denoise)?.value ?? null,
    seed: read(request, 'seed', READERS.seed),
    transparent: read(request, 'transparent', READERS.transparent)?.value ?? null,
    passes: read(request, 'passes', READERS.passes) !== null,
  };
}

/** The memory that the request gives a frame. */
export function memoryGibOf(request: Pick<PlannableRequest, 'parameters'>): number {
  return read(request, 'memoryGiB', READERS.memoryGiB) ?? DEFAULT_MEMORY_GIB;
}

/** The threads that the request gives a frame; null for all vCPUs of an instance. */
export function threadsOf(request: Pick<PlannableRequest, 'parameters'>): number | null {
  return read(request, 'threads', READERS.threads);
}

/** The device on which the request draws; `auto` is decided at submit. */
export function deviceOf(request: Pick<PlannableRequest, 'parameters'>): 'cpu' | 'gpu' | 'auto' {
  return read(request, 'device', READERS.device)?.value ?? 'cpu';
}

/** The version of Blender that the request names as a parameter; null where it does not. */
export function namedVersion(request: Pick<PlannableRequest, 'parameters'>): string | null {
  return read(request, 'version', READERS.version)?.value ?? null;
}

/** The path of the configuration of colours in the package; null for Blender's own. */
export function ocioOf(request: Pick<PlannableRequest, 'parameters'>): string | null {
  return read(request, 'ocio', READERS.ocio)?.value ?? null;
}

/** Whether a file of the scene that is not there fails the job, or is a warning. */
export function missingAssetsOf(request: Pick<PlannableRequest, 'parameters'>): 'fail' | 'warn' {
  return read(request, 'missingAssets', READERS.missingAssets)?.value ?? 'fail';
}

/** Whether frames that the account has drawn before may stand for frames of the job. */
export function takesReused(request: Pick<PlannableRequest, 'parameters'>): boolean {
  return read(request, 'reuse', READERS.reuse)?.value !== 'never';
}

/** The format of the frames. */
export function formatOf({ outputFormat }: Pick<SubmitJobRequest, 'outputFormat'>): 'PNG' | 'EXR' | 'JPEG' {
  return outputFormat ?? 'PNG';
}
