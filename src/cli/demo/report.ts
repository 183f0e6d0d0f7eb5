/** What the demo saw, and whether it is what it expected. The whole of it is what `--json` writes. */
import type { JobStatusResponse } from '../../domain/responses.ts';

/** Credits at one moment, in pence. */
export interface CreditsSeen {
  readonly availablePence: number;
  readonly heldPence: number;
}

/** What the demo saw. */
export interface DemoReport {
  readonly accountId: string;
  readonly jobId: string;
  readonly apiUrl: string;
  readonly documentUrl: string;
  readonly temporalUiUrl: string;
  readonly workflowUrl: string;
  readonly uploadedKey: string;
  readonly states: readonly string[];
  readonly credits: {
    readonly before: CreditsSeen;
    readonly whileHeld: CreditsSeen;
    readonly after: CreditsSeen;
    readonly estimatedPence: number;
    readonly heldPence: number;
    readonly chargedPence: number;
    readonly releasedPence: number;
    readonly transactions: readonly { readonly type: string; readonly amountPence: number }[];
  };
  readonly tasks: { readonly total: number; readonly completed: number; readonly failed: number };
  readonly outputs: {
    readonly present: number;
    readonly downloaded: readonly string[];
    readonly folder: string;
  };
  readonly elapsedSeconds: number;
}

/** One expectation. */
export interface Expectation {
  readonly what: string;
  readonly met: boolean;
}

/** Everything that must be true of a demo that went as planned. */
export function expectationsOf(report: DemoReport, last: JobStatusResponse): readonly Expectation[] {
  const { credits, tasks, outputs } = report;
  const spentPence = credits.before.availablePence - credits.after.availablePence;
  const movedPence = credits.transactions
    .filter(({ type }) => type === 'hold' || type === 'hold_release')
    .reduce((sum, { amountPence }) => sum + amountPence, 0);
  return [
    { what: `the job ended SUCCEEDED (${last.status})`, met: last.status === 'SUCCEEDED' },
    {
      what: `all ${tasks.total} tasks were verified (${tasks.completed})`,
      met: tasks.completed === tasks.total,
    },
    { what: `every task has its output (${outputs.present})`, met: outputs.present === tasks.total },
    { what: 'downloaded outputs have the announced digests', met: outputs.downloaded.length > 0 },
    {
      what: `the hold was what the job can cost at most (${credits.estimatedPence} and ${credits.heldPence} pence)`,
      met: credits.heldPence === credits.estimatedPence,
    },
    {
      what: 'charged and released together are what was held',
      met: credits.chargedPence + credits.releasedPence === credits.heldPence,
    },
    {
      what: `the balance went down by the charge (${spentPence} and ${credits.chargedPence} pence)`,
      met: spentPence === credits.chargedPence,
    },
    { what: 'nothing stays held', met: credits.after.heldPence === credits.before.heldPence },
    { what: 'the transactions add up to the charge', met: -movedPence === credits.chargedPence },
  ];
}
