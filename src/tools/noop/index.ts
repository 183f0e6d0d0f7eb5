/**
 * A tool for tests and benchmarks: each task waits, writes bytes, and fails on demand. The tool is priced in pence, so
 * that the amounts in tests do not move with the exchange rate. session.ts runs on the instance.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import Joi from 'joi';

import type { TaskLimits } from '../../contracts/instance.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { says } from '../../domain/codes/code.ts';
import { AppError } from '../../domain/errors.ts';
import { machinesFor } from '../../domain/machines.ts';
import type { TaskResources } from '../../domain/machines.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { dockingReferences } from '../autodock-vina/inputs.ts';
import {
  isDryRun,
  judgeLigand,
  libraryOf,
  noopReuse,
  noopScreening,
  PREPARED,
  PREPARED_KIND,
  SCORED_KIND,
  seedOf,
} from './ligands.ts';
import { classesOfWaits, pricedWaits, priceWaits } from './price.ts';
import type { NoopPrices } from './price.ts';
import { LIBRARY_FILE, recordReads } from '../ligand-library/reads.ts';
import { cpuResources } from '../resources.ts';
import type { NamedFile, PlanLimits, PlannableRequest, TaskContext } from '../tool.ts';
import { defineTool } from '../define-tool.ts';

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

/** One failure on demand, of a task or of the merge: attempts 1 to `times` fail; without `times` every attempt fails. */
export interface NoopFailure {
  readonly index: number | 'merge';
  readonly kind: NoopFailureKind;
  readonly times?: number;
  /** In a task with checkpoints the failure comes after so many seconds of an attempt, and not at its end. */
  readonly after?: number;
}

/** The shape of `metadata.noop`. */
export interface NoopParams extends NoopPrices {
  readonly outputBytes: number;
  /** How often a task keeps what it has done, in seconds of work; 0 for never. */
  readonly checkpoint: number;
  /** How many vCPUs a task counts for. */
  readonly vcpus: number;
  /** The instance that the job wants: one with so many GPUs, each task using one of them, and so many vCPUs. */
  readonly instance: { readonly gpus: number; readonly vcpus: number };
  readonly fail: readonly NoopFailure[];
  /** Whether a step comes before the tasks, without which no earlier result is taken for a ligand. */
  readonly prepare: boolean;
  /** Whether the outputs of all verified tasks are put together at the end. */
  readonly merge: boolean;
  /** How long the merge waits before its work. */
  readonly mergeSeconds: number;
}

/** The one output of a task. */
export const NOOP_OUTPUT = 'result.bin';
/** The record of a stored library, as the input of its task. */
const LIGAND_SOURCE = 'ligand/source';
/** The one output of the merge. */
export const NOOP_MERGED = 'merged.bin';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SESSION_FILE = `${FOLDER}session.ts`;
let toolchain: string | undefined;
const MAX_TASKS = 100_000;
const MAX_OUTPUT_BYTES = 1_000_000_000;
const MEBIBYTE = 1024 * 1024;
/** The speed at which a slow, busy disk writes and digests. */
const WRITE_BYTES_PER_SECOND = 20 * MEBIBYTE;
const SPARE_SECONDS = 10;

const PARAMS = Joi.object<NoopParams>({
  seconds: Joi.number().min(0).max(3600).default(0.1),
  outputBytes: Joi.number().integer().min(0).max(MAX_OUTPUT_BYTES).default(100),
  checkpoint: Joi.number().min(0.1).max(3600).allow(0).default(0),
  vcpus: Joi.number().integer().min(1).default(1),
  instance: Joi.object({
    gpus: Joi.number().integer().min(0).max(16).default(0),
    vcpus: Joi.number().integer().min(1).max(1024).default(1),
  }).default({ gpus: 0, vcpus: 1 }),
  fail: Joi.array()
    .items(
      Joi.object<NoopFailure>({
        index: Joi.alternatives(Joi.number().integer().min(0), Joi.valid('merge')).required(),
        kind: Joi.string()
          .valid(...FAILURE_KINDS)
          .required(),
        times: Joi.number().integer().min(1),
        after: Joi.number().min(0),
      }),
    )
    .max(10_000)
    .default([]),
  pricing: Joi.valid('fixed', 'measured').default('fixed'),
  pence: Joi.array().items(Joi.number().integer().min(0).max(1000)).min(1).max(100).default([1]),
  prepare: Joi.boolean().default(false),
  merge: Joi.boolean().default(false),
  mergeSeconds: Joi.number().min(0).max(3600).default(0),
});

/** The noop tool, which is registered with DOCKYARD_TEST_TOOLS=1 only. */
export const noop = defineTool({
  about: {
    id: 'noop',
    jobType: 'simulation',
    title: 'Noop',
    summary: 'Waits, writes bytes, and fails on demand, for tests and benchmarks.',
    licence: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    docsPage: 'docs/tools/noop.md',
    audience: 'tests',
    unit: 'task',
  },

  request: {
    needsSceneFile: false,
    reads: null,
    // Tests of submit send references to artifacts with this tool, in the fields of docking.
    artifactReferences: dockingReferences,
    check(request) {
      paramsOf(request);
      if (taskCountOf(request) > MAX_TASKS) {
        throw new AppError('VALIDATION_ERROR', `taskCount: must be at most ${MAX_TASKS} for noop.`);
      }
    },
  },

  planning: {
    resources: resourcesOf,
    resourceFields: {
      vcpus: 'metadata.noop.vcpus',
      gpus: 'metadata.noop.instance.gpus',
      diskMib: 'metadata.noop.outputBytes',
    },
    plan: planWaits,
    price: (request, { taskCount }) => priceWaits(pricesOf(request), request, taskCount),
    priced: (request) => pricedWaits(pricesOf(request), request),
    classes: (request, { taskCount }) => classesOfWaits(pricesOf(request), taskCount),
    seed: seedOf,
    itemIds(request, plan) {
      const library = libraryOf(request);
      if (library !== undefined) return library.map((ligand) => ligand.ligandId);
      return Array.from({ length: plan.taskCount }, (_, index) => String(index));
    },
  },

  inputs: {
    stored: storedFiles,
    // Every task gets every file, as a task of a scene gets all assets of the scene.
    taskInputs(request, kind, ordinal, context) {
      if (kind === 'merge') return { inputs: [], prepared: [], committed: mergedInputs(context) };
      if (kind === 'prepare') return { inputs: [], prepared: [] };
      const source = libraryOf(request)?.[ordinal]?.source;
      if (source?.kind === 'record') return { ...recordReads(source, ordinal, LIGAND_SOURCE), prepared: [] };
      return { inputs: storedFiles(request).map(({ name }) => ({ from: name, as: name })), prepared: [] };
    },
    // The preparation is the same for every job.
    preparation: (request) => (paramsOf(request).prepare ? { cacheKey: 'noop', staleField: null } : null),
    reuse: noopReuse,
  },

  work: {
    limits: limitsOf,
    sessionSpec: (request, { effectiveSeed: seed }) => (libraryOf(request) === undefined ? {} : { seed }),
    taskSpec(request, kind, ordinal) {
      const params = paramsOf(request);
      const index = kind === 'merge' ? 'merge' : ordinal;
      const failure = params.fail.find((entry) => entry.index === index);
      const after = failure?.after === undefined ? {} : { after: failure.after };
      if (failure?.kind === 'spec') throw new Error('The tool was told to throw.');
      const source = kind === 'task' ? libraryOf(request)?.[ordinal]?.source : undefined;
      return {
        ...(source?.kind === 'record' ? { line: source.line, fault: source.fault } : {}),
        ...(source === undefined ? {} : { scores: true }),
        seconds: kind === 'prepare' ? 0 : kind === 'merge' ? params.mergeSeconds : params.seconds,
        outputBytes: params.outputBytes,
        ...(kind !== 'merge' && params.checkpoint > 0 ? { checkpoint: params.checkpoint } : {}),
        fail: failure === undefined ? null : { kind: failure.kind, times: failure.times ?? null, ...after },
      };
    },
    checkpoint: { kind: 'checkpoint' },
    // Under Node's permission model the session may read its own file and the inputs of its instance, which lie beside the
    // work folders, and may write its own work folder, nothing else. The inputs need the wildcard, because their folder
    // may be made after the session has started.
    session: (workFolder) => ({
      file: process.execPath,
      args: [
        '--permission',
        '--no-warnings',
        `--allow-fs-read=${FOLDER}`,
        `--allow-fs-read=${workFolder}/`,
        `--allow-fs-read=${resolve(workFolder, '..', '..', 'inputs')}/*`,
        `--allow-fs-write=${workFolder}/`,
        '--allow-child-process',
        SESSION_FILE,
      ],
      env: {},
      reads: [process.execPath, FOLDER],
    }),
    toolchainSha256,
  },

  outputs: {
    largestBytes: {
      result: MAX_OUTPUT_BYTES,
      merged: MAX_OUTPUT_BYTES,
      [SCORED_KIND]: MAX_OUTPUT_BYTES,
      [PREPARED_KIND]: MAX_OUTPUT_BYTES,
    },
    async verify(kind, item, outputs) {
      const [output, ...others] = outputs;
      const isPrepared = kind === 'prepare' && output?.kind === PREPARED_KIND;
      const expected = kind === 'merge' ? NOOP_MERGED : isPrepared ? PREPARED : NOOP_OUTPUT;
      if (output?.name !== expected || others.length > 0)
        return `expected ${expected} alone, found: ${outputs.map(({ name }) => name).join(', ')}`;
      return output.kind === SCORED_KIND ? judgeLigand(item, output, toolchainSha256()) : null;
    },
  },

  screening: noopScreening,

  codes: {
    refusals: {},
    failures: [
      {
        title: 'Failures on demand',
        note: 'Only tests ask for these.',
        codes: { NOOP_ERROR: says('The task was told to fail.', 'Do not ask the task to fail.') },
      },
    ],
    warnings: [],
    reports: [],
  },
  pack: null,
});

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

function taskCountOf(request: Pick<SubmitJobRequest, 'taskCount' | 'simulationParams'>): number {
  return libraryOf(request)?.length ?? request.taskCount ?? 1;
}

/** A dry run costs its start. */
function pricesOf(request: PlannableRequest): NoopPrices {
  const params = paramsOf(request);
  return isDryRun(request) ? { ...params, pricing: 'fixed', pence: [0] } : params;
}

function toolchainSha256(): string {
  return (toolchain ??= createHash('sha256').update(readFileSync(SESSION_FILE)).digest('hex'));
}

function wallSeconds(request: PlannableRequest): number {
  const { seconds, merge, mergeSeconds } = paramsOf(request);
  const longest = Math.max(seconds, merge ? mergeSeconds : 0);
  return Math.ceil(longest + SPARE_SECONDS + largestOutputBytes(request) / WRITE_BYTES_PER_SECOND);
}

/** The bytes of a task's output, or of what is merged of the outputs of all tasks. */
function largestOutputBytes(request: PlannableRequest): number {
  const { outputBytes, merge } = paramsOf(request);
  return merge ? outputBytes * taskCountOf(request) : outputBytes;
}

/** The outputs that the merge puts together. */
function mergedInputs({ verified }: TaskContext): readonly string[] {
  return verified.map((ordinal) => `outputs/${ordinal}/${NOOP_OUTPUT}`);
}

function lastSegment(storageKey: string): string {
  return storageKey.slice(storageKey.lastIndexOf('/') + 1);
}

function limitsOf(request: PlannableRequest): TaskLimits {
  return {
    wallSeconds: wallSeconds(request),
    memoryBytes: 512 * MEBIBYTE,
    diskBytes: largestOutputBytes(request) + 16 * MEBIBYTE,
    logBytes: 8 * MEBIBYTE,
  };
}

function resourcesOf(request: PlannableRequest): TaskResources {
  const { vcpus, instance } = paramsOf(request);
  return {
    ...cpuResources(vcpus, limitsOf(request)),
    ...(instance.gpus > 0 ? { gpu: 'required' as const } : {}),
    instance,
  };
}

function planWaits(request: PlannableRequest, limits: PlanLimits): JobPlan {
  const taskCount = taskCountOf(request);
  const shardSize = request.simulationParams?.dockingExecution?.shardSize ?? 1;
  return {
    unit: libraryOf(request) === undefined ? 'task' : 'ligand',
    taskCount,
    shardSize,
    steps: [
      ...(paramsOf(request).prepare ? (['prepare'] as const) : []),
      ...(paramsOf(request).merge ? (['merge'] as const) : []),
    ],
    ...machinesFor(resourcesOf(request), Math.ceil(taskCount / shardSize), limits),
    taskTimeoutSeconds: wallSeconds(request),
  };
}

function storedFiles(request: SubmitJobRequest): readonly NamedFile[] {
  const library = request.simulationParams?.libraryUse?.file;
  if (library != null) return [{ storageKey: library.storageKey, name: LIBRARY_FILE }];
  const keys = [
    ...new Set([
      ...(request.sceneFile === undefined ? [] : [request.sceneFile]),
      ...(request.attachments ?? []),
    ]),
  ];
  // The number in the name tells files of the same name apart.
  return keys.map((storageKey, index) => ({ storageKey, name: `${index}-${lastSegment(storageKey)}` }));
}
