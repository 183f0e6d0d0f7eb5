/**
 * Checkpoints of running tasks: the files that a tool names are checked as outputs are, staged in a folder of their own, and told
 * to the gateway, which keeps a copy for the next attempt. A checkpoint that cannot be kept fails nothing: the task has
 * the one before, or begins again. One checkpoint of a task is under way at a time.
 */
import { CHECKPOINT_STAGED } from '../contracts/instance.ts';
import type { GatewayClient } from './gateway-client.ts';
import { inspectOutputs } from './outputs.ts';
import type { Stager } from './staging.ts';
import type { TaskRun } from './task-run.ts';

/** The checkpoints of one attempt at a task. */
export interface RunCheckpoints {
  /** Keeps files of the task's output folder; answers whether they are kept. Never rejects. */
  readonly keep: (files: readonly string[]) => Promise<boolean>;
  /** Gives up what is under way; returns when the task's folder is read no more. */
  readonly close: () => Promise<void>;
}

/** Keeps the checkpoints of an instance's tasks. */
export class CheckpointKeeper {
  readonly #gateway: Pick<GatewayClient, 'checkpoint'>;
  readonly #stager: Pick<Stager, 'stage'>;

  constructor(gateway: Pick<GatewayClient, 'checkpoint'>, stager: Pick<Stager, 'stage'>) {
    this.#gateway = gateway;
    this.#stager = stager;
  }

  /** Opens the checkpoints of an attempt whose task works in the folder. */
  open(run: TaskRun, attempt: number, folder: string): RunCheckpoints {
    const over = new AbortController();
    const signal = AbortSignal.any([run.abandonSignal, over.signal]);
    let underWay: Promise<boolean> | null = null;
    const keep = async (files: readonly string[]): Promise<boolean> => {
      if (underWay !== null || signal.aborted) return false;
      underWay = this.#keep(run, attempt, { folder, files }, signal).then(
        () => true,
        () => false,
      );
      const isKept = await underWay;
      underWay = null;
      return isKept;
    };
    return {
      keep,
      async close() {
        over.abort();
        await underWay;
      },
    };
  }

  async #keep(
    { kind, ordinal }: TaskRun,
    attempt: number,
    { folder, files }: { readonly folder: string; readonly files: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const named = files.map((path) => ({ path, kind: 'checkpoint', mediaType: MEDIA_TYPE, format: null }));
    const found = await inspectOutputs(folder, named);
    const staged = found.map((file) => ({
      ...file,
      staged: { ...file.staged, name: `${CHECKPOINT_STAGED}/${file.staged.name}` },
    }));
    await this.#stager.stage({ kind, ordinal, isUrgent: true }, staged, signal);
    const kept = found.map(({ staged: { name, byteSize, sha256 } }) => ({ name, byteSize, sha256 }));
    await this.#gateway.checkpoint({ kind, ordinal, attempt, files: kept }, signal);
  }
}

const MEDIA_TYPE = 'application/octet-stream';
