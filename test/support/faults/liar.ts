/**
 * Instances that the test plays, behind a compute host of its own. Instances of the test are launched, polled for, kept
 * in contact and fenced as real instances are. Instances of the test claim, stage and report over the gateway, and lie
 * where the test says so.
 */
import { createHash } from 'node:crypto';

import { Context } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';

import { connectThroughGateway } from '../../../src/adapters/temporal/native.ts';
import type { RunningInstance } from '../../../src/local-host/runner.ts';
import type { LaunchRequest } from '../../../src/contracts/local-host.ts';
import type {
  ClaimedTask,
  ClaimResponse,
  ShardInput,
  ShardResult,
  StagedOutput,
  TaskReport,
} from '../../../src/contracts/instance.ts';
import { COMPUTE_NAMESPACE } from '../../../src/contracts/instance.ts';
import type { WorkKind } from '../../../src/contracts/job.ts';
import { stagedKey } from '../../../src/contracts/names.ts';
import { quietRuntime } from '../quiet-runtime.ts';
import { bearerFor, guestOf } from './guest.ts';
import type { Guest } from './guest.ts';
import { playedWorld } from './played-host.ts';
import type { FaultWorld } from './world.ts';

/** A file that an instance writes, and its report about the file. */
export interface WrittenFile {
  readonly text: string;
  readonly kind: string;
  readonly mediaType: string;
  readonly format: string;
  /** Fields of the report that differ from the truth. */
  readonly reported?: Partial<StagedOutput>;
}

/** The files that a task writes, by name; with null the task waits until it is stopped. */
export type Work = (kind: WorkKind, task: ClaimedTask) => Readonly<Record<string, WrittenFile>> | null;

/**
 * A change of what was staged, made after the staging; `file` answers the path at which the store keeps the output of
 * that name.
 */
export type Tamper = (task: ClaimedTask, file: (name: string) => string) => Promise<void>;

/** A world whose instances the test plays. */
export interface LiarWorld extends FaultWorld {
  /** Sets what tasks write from now on. */
  does(work: Work, tamper?: Tamper): void;
  close(): Promise<void>;
}

const CONTACT_MS = 200;
const BEAT_MS = 300;

/** The world whose instances lie until it is closed. */
export async function openLiarWorld(): Promise<LiarWorld> {
  quietRuntime();
  const world = await playedWorld();
  const script: { work: Work; tamper: Tamper } = { work: () => null, tamper: () => Promise.resolve() };
  const connections: NativeConnection[] = [];
  const stop = world.play((launch) => startLiar(world, connections, launch, script));
  return {
    ...world,
    does(work, tamper = () => Promise.resolve()) {
      Object.assign(script, { work, tamper });
    },
    async close() {
      stop();
      for (const connection of connections) await connection.close();
    },
  };
}

function startLiar(
  world: FaultWorld,
  connections: NativeConnection[],
  launch: LaunchRequest,
  script: { readonly work: Work; readonly tamper: Tamper },
): RunningInstance {
  const end = Promise.withResolvers<null>();
  const live = async (): Promise<void> => {
    const guest = guestOf(world, launch);
    const connection = await connectThroughGateway(
      world.stack.gatewayUrl,
      await bearerFor(world.stack.gatewayUrl, launch.credential),
    );
    connections.push(connection);
    const worker = await Worker.create({
      connection,
      namespace: COMPUTE_NAMESPACE,
      taskQueue: launch.taskQueue,
      activities: { runShard: (input: ShardInput) => runShard(world, guest, script, input) },
      shutdownGraceTime: 0,
      shutdownForceTime: '1s',
    });
    const contact = setInterval(
      () => void guest.post('/v1/contact', { running: [] }).catch(() => null),
      CONTACT_MS,
    );
    try {
      await worker.runUntil(end.promise);
    } finally {
      clearInterval(contact);
    }
  };
  return {
    pid: null,
    ended: live().catch((error: unknown) => console.error('an instance of the test fell', error)),
    async stop() {
      end.resolve(null);
      await this.ended;
    },
  };
}

async function runShard(
  world: FaultWorld,
  guest: Guest,
  { work, tamper }: { readonly work: Work; readonly tamper: Tamper },
  input: ShardInput,
): Promise<ShardResult> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MS);
  try {
    const { execution, kind, ordinals } = input;
    const claim = (await guest.post('/v1/tasks/claim', { execution, kind, ordinals })).body as ClaimResponse;
    const reports: TaskReport[] = [];
    for (const task of claim.tasks) {
      const files = work(kind, task);
      if (files === null) {
        await context.cancelled.catch(() => undefined);
        reports.push({ ordinal: task.ordinal, end: 'stopped' });
      } else {
        const { jobId, slot, generation } = input;
        const fileOf = (name: string): string =>
          world.fileOf(stagedKey(jobId, slot, generation, kind, task.ordinal, name));
        const outputs = await stageAll(guest, kind, task, files);
        await tamper(task, fileOf);
        reports.push({ ordinal: task.ordinal, end: 'done', outputs, seconds: 1, summary: null });
      }
    }
    return { fenced: false, reports };
  } finally {
    clearInterval(beat);
  }
}

/** Stages files as the gateway lets every instance do, and answers the report about them. */
async function stageAll(
  guest: Guest,
  kind: WorkKind,
  { ordinal }: ClaimedTask,
  files: Readonly<Record<string, WrittenFile>>,
): Promise<StagedOutput[]> {
  const outputs: StagedOutput[] = [];
  for (const [name, { text, kind: outputKind, mediaType, format, reported }] of Object.entries(files)) {
    const body = Buffer.from(text);
    const facts = {
      name,
      byteSize: body.byteLength,
      sha256: createHash('sha256').update(body).digest('hex'),
    };
    const { url, headers } = await guest.uploadUrl(ordinal, facts, kind);
    const answer = await fetch(url, { method: 'PUT', body, headers });
    if (!answer.ok) throw new Error(`The store answered ${answer.status}.`);
    outputs.push({ ...facts, kind: outputKind, mediaType, format, ...reported });
  }
  return outputs;
}
