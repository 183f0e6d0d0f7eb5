/**
 * A tool for tests and benchmarks: each task waits, writes bytes, and fails on demand. The tool is priced in pence, so
 * that the amounts in tests do not move with the exchange rate. noop-session.ts runs on the instance.
 */
import { fileURLToPath } from 'node:url';

import Joi from 'joi';

import { AppError } from '../domain/errors.ts';
import { CEILING_PERCENT } from '../domain/pricing.ts';
import type { FixedPricing, MeasuredPricing, PriceClass } from '../domain/pricing.ts';
import type { SubmitJobRequest } from '../domain/requests.ts';
import type { PlannableRequest, Tool } from './tool.ts';

const FAILURE_KINDS = [
  'error',
  'exit',
  'hang',
  'flood',
  'escape',
  'fork',
  'killself',
  'killinstance',
  'spec',
] as const;

/**
 * The ways in which a task can be told to fail. `killself` ends the tool and `killinstance` the whole instance, as the
 * system would; with `spec` this tool throws at the gateway.
 */
export type NoopFailureKind = (typeof FAILURE_KINDS)[number];

/** One failure on demand: attempts 1 to `times` of the task fail; without `times` every attempt fails. */
export interface NoopFailure {
  readonly index: number;
  readonly kind: NoopFailureKind;
  readonly times?: number;
}

/** The shape of `metadata.noop`. */
export interface NoopParams {
  readonly seconds: number;
  readonly outputBytes: number;
  readonly fail: readonly NoopFailure[];
  /** Whether the job is priced by its measured seconds, a penny each. */
  readonly measured: boolean;
  /** Pence of each task, repeated over the tasks; each amount is a price class. */
  readonly pence: readonly number[];
}

/** The one output of a task. */
export const NOOP_OUTPUT = 'result.bin';

const TOOLS_FOLDER = fileURLToPath(new URL('.', import.meta.url));
const MAX_TASKS = 100_000;
const MAX_OUTPUT_BYTES = 1_000_000_000;
const MICRO_GBP_PER_PENNY = 10_000;
const SECONDS_PER_HOUR = 3600;
const SECONDS_PER_MINUTE = 60;
const MAX_ESTIMATED_SECONDS = 86_400;
const MEBIBYTE = 1024 * 1024;
/** The speed at which a slow, busy disk writes and digests. */
const WRITE_BYTES_PER_SECOND = 20 * MEBIBYTE;
const SPARE_SECONDS = 10;

const PARAMS = Joi.object<NoopParams>({
  seconds: Joi.number().min(0).max(3600).default(0.1),
  outputBytes: Joi.number().integer().min(0).max(MAX_OUTPUT_BYTES).default(100),
  fail: Joi.array()
    .items(
      Joi.object<NoopFailure>({
        index: Joi.number().integer().min(0).required(),
        kind: Joi.string()
          .valid(...FAILURE_KINDS)
          .required(),
        times: Joi.number().integer().min(1),
      }),
    )
    .max(10_000)
    .default([]),
  measured: Joi.boolean().default(false),
  pence: Joi.array().items(Joi.number().integer().min(0).max(1000)).min(1).max(100).default([1]),
});

const FEES = {
  currency: 'GBP',
  startFeeMicro: 2 * MICRO_GBP_PER_PENNY,
  softwareMicro: 0,
  storageMicro: 0,
  egressMicro: 0,
  licenceNames: [],
} as const;

/** The noop tool, which is registered with DOCKYARD_TEST_TOOLS=1 only. */
export const noop: Tool = {
  id: 'noop',
  jobType: 'simulation',
  testOnly: true,
  needsSceneFile: false,
  reads: null,

  check(request) {
    paramsOf(request);
    if (taskCountOf(request) > MAX_TASKS) {
      throw new AppError('VALIDATION_ERROR', `taskCount: must be at most ${MAX_TASKS} for noop.`);
    }
  },

  plan(request, limits) {
    const taskCount = taskCountOf(request);
    const shardSize = request.simulationParams?.dockingExecution?.shardSize ?? 1;
    const shards = Math.ceil(taskCount / shardSize);
    return {
      unit: request.simulationParams?.ligandLibrary === undefined ? 'task' : 'ligand',
      taskCount,
      shardSize,
      steps: [],
      instances: Math.min(limits.maxInstances, Math.ceil(shards / limits.slotsPerInstance)),
      slotsPerInstance: limits.slotsPerInstance,
      vcpusPerInstance: limits.vcpusPerInstance,
      taskTimeoutSeconds: wallSeconds(paramsOf(request)),
    };
  },

  price: (request, { taskCount }) => ({ ...priceOf(request, taskCount), ...FEES }),

  classes(request, { taskCount }) {
    const { measured, pence } = paramsOf(request);
    return measured ? null : classNames(pence, taskCount);
  },

  defaultInputBytes: null,

  seed: () => null,

  itemIds(request, plan) {
    const library = request.simulationParams?.ligandLibrary;
    if (library !== undefined) return library.map((ligand) => ligand.ligandId);
    return Array.from({ length: plan.taskCount }, (_, index) => String(index));
  },

  inputs(request) {
    const keys = [
      ...new Set([
        ...(request.sceneFile === undefined ? [] : [request.sceneFile]),
        ...(request.attachments ?? []),
      ]),
    ];
    // The number in the name tells files of the same name apart.
    return keys.map((storageKey, index) => ({ storageKey, name: `${index}-${lastSegment(storageKey)}` }));
  },

  structures: () => [],

  // Every task gets every file, as a task of a scene gets all assets of the scene.
  taskInputs: (request) => ({
    inputs: noop.inputs(request).map(({ name }) => ({ from: name, as: name })),
    prepared: [],
  }),

  limits(request) {
    const params = paramsOf(request);
    return {
      wallSeconds: wallSeconds(params),
      memoryBytes: 512 * MEBIBYTE,
      diskBytes: params.outputBytes + 16 * MEBIBYTE,
      logBytes: 8 * MEBIBYTE,
    };
  },

  sessionSpec: () => ({}),

  taskSpec(request, _kind, ordinal) {
    const params = paramsOf(request);
    const failure = params.fail.find((entry) => entry.index === ordinal);
    if (failure?.kind === 'spec') throw new Error('The tool was told to throw.');
    return {
      seconds: params.seconds,
      outputBytes: params.outputBytes,
      fail: failure === undefined ? null : { kind: failure.kind, times: failure.times ?? null },
    };
  },

  preparation: () => null,

  cachedOutputs: () => [],

  outputBytes: { result: MAX_OUTPUT_BYTES },

  async verify(_kind, _item, outputs) {
    const names = outputs.map((output) => output.name);
    return names.length === 1 && names[0] === NOOP_OUTPUT
      ? null
      : `expected ${NOOP_OUTPUT} alone, found: ${names.join(', ')}`;
  },

  finishNumbers: [],

  finishFiles: () => [],

  startsAhead: false,

  // Under Node's permission model the session may read its own file and write its own work folder, nothing else.
  session: (workFolder) => ({
    file: process.execPath,
    args: [
      '--permission',
      '--no-warnings',
      `--allow-fs-read=${TOOLS_FOLDER}`,
      `--allow-fs-read=${workFolder}/`,
      `--allow-fs-write=${workFolder}/`,
      '--allow-child-process',
      `${TOOLS_FOLDER}noop-session.ts`,
    ],
    env: {},
  }),
};

/**
 * The parameters of a noop job, defaults applied.
 * @throws VALIDATION_ERROR naming every failing path.
 */
export function paramsOf(request: Pick<PlannableRequest, 'metadata'>): NoopParams {
  const sent: unknown = request.metadata?.['noop'];
  const result = PARAMS.validate(sent === undefined ? {} : sent, { abortEarly: false, convert: false });
  if (result.error === undefined) return result.value;
  const issues = result.error.details.map((detail) => {
    const path = ['metadata', 'noop', ...detail.path].join('.');
    return `${path}: ${detail.message.replace(/^"[^"]*" /, '')}`;
  });
  throw new AppError('VALIDATION_ERROR', `${issues.join('; ')}.`);
}

/** A penny a task, the pence that the request names, or a penny a second of measured time. */
function priceOf(
  request: PlannableRequest,
  taskCount: number,
): Pick<FixedPricing, 'model' | 'classes'> | Omit<MeasuredPricing, keyof typeof FEES> {
  const { measured, pence, seconds } = paramsOf(request);
  if (!measured) return { model: 'fixed', classes: priceClasses(pence, taskCount) };
  const { taskRuntimeMinutes } = request.metadata ?? {};
  const taskSeconds =
    typeof taskRuntimeMinutes === 'number'
      ? Math.min(taskRuntimeMinutes * SECONDS_PER_MINUTE, MAX_ESTIMATED_SECONDS)
      : seconds;
  return {
    model: 'measured',
    microPerHour: MICRO_GBP_PER_PENNY * SECONDS_PER_HOUR,
    estimatedSeconds: Math.ceil(taskSeconds * taskCount),
    ceilingPercent: CEILING_PERCENT,
  };
}

function priceClasses(pence: readonly number[], taskCount: number): readonly PriceClass[] {
  const counts = new Map<string, number>();
  for (const name of classNames(pence, taskCount)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, tasks]) => ({
    class: name,
    tasks,
    perTaskMicro: Number(name) * MICRO_GBP_PER_PENNY,
  }));
}

/** The price class of each task, which is named by the pence of the task. */
function classNames(pence: readonly number[], taskCount: number): readonly string[] {
  return Array.from({ length: taskCount }, (_, ordinal) => String(pence[ordinal % pence.length] ?? 1));
}

function taskCountOf(request: Pick<SubmitJobRequest, 'taskCount' | 'simulationParams'>): number {
  return request.simulationParams?.ligandLibrary?.length ?? request.taskCount ?? 1;
}

function wallSeconds(params: NoopParams): number {
  return Math.ceil(params.seconds + SPARE_SECONDS + params.outputBytes / WRITE_BYTES_PER_SECOND);
}

function lastSegment(storageKey: string): string {
  return storageKey.slice(storageKey.lastIndexOf('/') + 1);
}
