/**
 * The cost of verified work, line by line. Every line is a whole number of micro-units, the lines come to the sum that a status
 * shows, and this sum becomes pence by the frozen exchange rate, rounded down once. Charge, status and bill are made of the same
 * lines, so no bill can tell another amount than was charged.
 */
import { ceilingMicro, isOnlyClass, rateMicroOf } from './pricing.ts';
import type { Quote, TaskPricing, VerifiedTasks } from './pricing.ts';

/** Kinds of bill lines; `ceiling` takes away the part above the most that the job may cost. */
export const BILL_LINE_KINDS = [
  'start_fee',
  'tasks',
  'time',
  'software',
  'storage',
  'egress',
  'ceiling',
] as const;

/** The kind of a line of a bill. */
export type BillLineKind = (typeof BILL_LINE_KINDS)[number];

/** A line of a bill. */
export interface BillLine {
  readonly kind: BillLineKind;
  /** The price class of the tasks; null for lines of other kinds. */
  readonly priceClass: string | null;
  /** How many verified tasks the line counts; null where it counts none. */
  readonly tasks: number | null;
  /** The measured milliseconds that the line counts; null where it counts none. */
  readonly meteredMs: number | null;
  /** In micro-units of the currency of the price; below zero for `ceiling` alone. */
  readonly amountMicro: bigint;
}

/** Sum of lines in credits. */
export interface DueCredits {
  /** The sum in millionths of the unit of credits, rounded down. */
  readonly convertedMicro: bigint;
  /** The sum in pence, rounded down; never more than the hold. */
  readonly duePence: number;
}

const MICRO = 1_000_000n;
const MICRO_PER_PENNY = 10_000n;
const MS_PER_HOUR = 3_600_000n;

/**
 * Makes the lines due for verified work, and for the kept work of a pause; without either nothing is due, not even the start fee. A task for which an
 * earlier result stands is verified and costs nothing, so of such tasks alone the start fee is due, and so it is where the
 * control that the customer requires has kept every task from being done. `startFeeDue` is false when an earlier execution of the
 * job has charged the start fee; `extendedPence` is what the hold was extended by.
 */
export function dueLines(
  offer: Quote,
  verified: readonly VerifiedTasks[],
  startFeeDue = true,
  extendedPence = 0,
): readonly BillLine[] {
  const lines = costLines(offer, verified, startFeeDue);
  if (lines.length === 0) return lines;
  const above = totalMicro(lines) - mostMicro(offer, extendedPence);
  return above > 0n ? [...lines, costLine('ceiling', -above)] : lines;
}

/** Makes the lines of work by the prices of an offer, whatever is held for the work. */
export function costLines(
  offer: Quote,
  verified: readonly VerifiedTasks[],
  startFeeDue: boolean,
): readonly BillLine[] {
  const { pricing } = offer;
  const work = workLines(pricing, offer.taskCount, verified);
  const tasks = sum(work.map((line) => line.tasks ?? 0));
  const free = sum(verified.map((one) => (one.reused ?? 0) + (one.missedControl ?? 0)));
  if (work.length === 0 && free === 0) return [];
  return [
    costLine('start_fee', startFeeDue ? BigInt(pricing.startFeeMicro) : 0n),
    ...work,
    ...shareLines(pricing, tasks, offer.taskCount).map((line) =>
      line.kind === 'software' ? withHours(line, pricing, work) : line,
    ),
  ].filter((line) => line.amountMicro !== 0n || line.tasks !== null);
}

/**
 * The most that an execution costs: the ceiling of its price with what its hold was extended by, and never more than is held,
 * which is less than the ceiling where the customer has limited the hold.
 */
function mostMicro(offer: Quote, extendedPence: number): bigint {
  const inMicro = (pence: number): bigint => (BigInt(pence) * MICRO * MICRO_PER_PENNY) / rateMicroOf(offer);
  const ceiling = ceilingMicro(offer.pricing) + inMicro(extendedPence);
  const held = inMicro(offer.heldPence + extendedPence);
  return ceiling < held ? ceiling : held;
}

/** Converts lines at the frozen exchange rate of their offer. */
export function dueCredits(offer: Quote, lines: readonly BillLine[]): DueCredits {
  const exact = totalMicro(lines) * rateMicroOf(offer);
  return {
    convertedMicro: exact / MICRO,
    duePence: Number(exact / (MICRO * MICRO_PER_PENNY)),
  };
}

/**
 * The price of what is verified, in pence rounded down; 0 when no task is verified, never more than the hold.
 * `startFeeDue` is false when an earlier execution of the job has charged the start fee; `extendedPence` is what the hold was
 * extended by.
 */
export function chargePence(
  offer: Quote,
  verified: readonly VerifiedTasks[],
  startFeeDue = true,
  extendedPence = 0,
): number {
  return dueCredits(offer, dueLines(offer, verified, startFeeDue, extendedPence)).duePence;
}

/**
 * The price of what is verified before the conversion to pence, in micro-units of the offer's currency, as a status
 * shows it. The result is never above what is held, which is the estimate where prices are fixed.
 */
export function accruedMicro(offer: Quote, verified: readonly VerifiedTasks[], extendedPence = 0): number {
  return Number(totalMicro(dueLines(offer, verified, true, extendedPence)));
}

/** The sum of lines, in micro-units of their currency. */
export function totalMicro(lines: readonly BillLine[]): bigint {
  return lines.reduce((total, { amountMicro }) => total + amountMicro, 0n);
}

/** The verified work that the offer covers; tasks beyond the offered number do not count. */
function workLines(
  pricing: TaskPricing,
  taskCount: number,
  verified: readonly VerifiedTasks[],
): readonly BillLine[] {
  const all = within(sum(verified.map(({ tasks }) => tasks)), taskCount);
  if (pricing.model === 'measured') {
    const keptMs = sum(verified.map((one) => one.keptMs ?? 0));
    const meteredMs = Math.max(sum(verified.map(({ meteredMs: ms }) => ms)), 0) + keptMs;
    const amount = (BigInt(pricing.microPerHour) * BigInt(meteredMs)) / MS_PER_HOUR;
    return all === 0 && keptMs === 0 ? [] : [{ ...costLine('time', amount), tasks: all, meteredMs }];
  }
  const isOnly = isOnlyClass(pricing.classes);
  return pricing.classes.flatMap((planned) => {
    let left = planned.tasks;
    return [planned, ...(planned.less ?? [])].flatMap((one) => {
      const ofClass = verified.filter(({ priceClass }) => priceClass === one.class).map(({ tasks }) => tasks);
      const tasks = isOnly ? all : within(sum(ofClass), left);
      left -= tasks;
      const amount = BigInt(one.perTaskMicro) * BigInt(tasks);
      return tasks === 0 ? [] : [{ ...costLine('tasks', amount), priceClass: one.class, tasks }];
    });
  });
}

/** Costs of the whole job for so many of its tasks: their shares come to the share of their sum, rounded down once. */
function shareLines(pricing: TaskPricing, tasks: number, taskCount: number): readonly BillLine[] {
  const costs = [
    ['software', pricing.softwareMicro],
    ['storage', pricing.storageMicro],
    ['egress', pricing.egressMicro],
  ] as const;
  let [whole, given] = [0n, 0n];
  return costs.map(([kind, costMicro]) => {
    whole += BigInt(costMicro);
    const share = (whole * BigInt(tasks)) / BigInt(taskCount) - given;
    given += share;
    return costLine(kind, share);
  });
}

/** Adds what licences cost by the hour: they follow the seconds that the work was measured by. */
function withHours(line: BillLine, pricing: TaskPricing, work: readonly BillLine[]): BillLine {
  const perHour = pricing.model === 'measured' ? (pricing.softwareMicroPerHour ?? 0) : 0;
  if (perHour === 0) return line;
  const meteredMs = sum(work.map((one) => one.meteredMs ?? 0));
  return {
    ...line,
    meteredMs,
    amountMicro: line.amountMicro + (BigInt(perHour) * BigInt(meteredMs)) / MS_PER_HOUR,
  };
}

function costLine(kind: BillLineKind, amountMicro: bigint): BillLine {
  return { kind, priceClass: null, tasks: null, meteredMs: null, amountMicro };
}

function within(count: number, most: number): number {
  return Math.min(Math.max(count, 0), most);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
