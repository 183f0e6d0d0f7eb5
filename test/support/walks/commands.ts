/** The commands of random walks over a job. A walk is a list of numbers; each number is a command with its operand. */
import type { JobModel } from './job-model.ts';

/** A command: its name, how often a walk takes it, and what it does to a model. */
export interface WalkCommand {
  readonly name: string;
  readonly weight: number;
  readonly run: (job: JobModel, pick: number) => void;
}

/** All commands. A new one is one line here. */
export const COMMANDS: readonly WalkCommand[] = [
  { name: 'claim', weight: 8, run: (job, pick) => job.claim(1 + (pick % 4)) },
  { name: 'verify', weight: 12, run: (job, pick) => job.verify(pick) },
  { name: 'unverified', weight: 2, run: (job, pick) => job.unverified(pick) },
  { name: 'fail', weight: 2, run: (job, pick) => job.fail(pick) },
  { name: 'kill the tool', weight: 2, run: (job, pick) => job.killTool(pick) },
  { name: 'lose the instance', weight: 3, run: (job) => job.lose() },
  { name: 'an output vanishes', weight: 3, run: (job, pick) => job.vanish(pick) },
  { name: 'step', weight: 8, run: (job, pick) => job.step(pick) },
  { name: 'pause', weight: 2, run: (job) => job.pause() },
  { name: 'cancel', weight: 1, run: (job) => job.cancel() },
  { name: 'fault', weight: 1, run: (job) => job.fault() },
  { name: 'reprice', weight: 1, run: (job, pick) => job.reprice(pick) },
  { name: 'resume', weight: 6, run: (job) => void job.resume() },
  { name: 'limit', weight: 3, run: (job, pick) => void job.resume(1 + pick * 5) },
];

const BY_WEIGHT = COMMANDS.flatMap((command) => Array.from({ length: command.weight }, () => command));

/** The numbers of a walk are below this one. */
export const MOST = BY_WEIGHT.length * 97;

/** The command and the operand of a number. */
export function commandOf(number: number): { readonly command: WalkCommand; readonly pick: number } {
  const command = BY_WEIGHT[number % BY_WEIGHT.length];
  if (command === undefined) throw new RangeError(`no command ${String(number)}`);
  return { command, pick: Math.floor(number / BY_WEIGHT.length) };
}
