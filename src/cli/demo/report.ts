/** Observations of the demo, whether they are the expected ones, and the summary that `--json` writes. */
import type { JobStatusResponse } from '../../client/types.ts';
import { dockingFactsOf } from '../../tools/autodock-vina/status-text.ts';
import type { Followed } from '../customer/follow.ts';
import { expectedPence } from './money.ts';
import type { Bill } from './money.ts';

/** Credits at one moment, in pence. */
export interface CreditsSeen {
  readonly availablePence: number;
  readonly heldPence: number;
}

/** Observations of the demo. */
export interface DemoReport {
  readonly jobId: string;
  /** The key of the demo's account, to look around with while the stack stays up. */
  readonly apiKey: string;
  readonly workflowUrl: string;
  readonly last: JobStatusResponse;
  readonly ranking: Followed['ranking'];
  /** The ligand that is there to fail. */
  readonly badLigand: string;
  readonly bill: Bill;
  readonly before: CreditsSeen;
  readonly after: CreditsSeen;
  /** Sum of the account's holds and releases for the job. */
  readonly movedPence: number;
  readonly folder: string;
  /** Paths of the downloaded files, below the folder. */
  readonly files: readonly string[];
  readonly seconds: number;
}

/** Summary that `--json` writes; the control is not counted. */
export interface DemoSummary {
  readonly jobId: string;
  readonly status: string;
  readonly ligands: number;
  readonly failed: number;
  readonly nativeRmsdAngstrom: number | null;
  readonly heldPence: number;
  readonly chargedPence: number;
  readonly releasedPence: number;
  readonly seconds: number;
}

/** One expectation. */
export interface Expectation {
  readonly what: string;
  readonly met: boolean;
}

const FURTHEST_ANGSTROM = 2;

/** The summary of a demo. */
export function summaryOf({ jobId, last, seconds }: DemoReport): DemoSummary {
  return {
    jobId,
    status: last.status,
    ligands: last.progress.total,
    failed: last.progress.failed,
    nativeRmsdAngstrom: dockingFactsOf(last.docking)?.control?.rmsdTopAngstrom ?? null,
    heldPence: last.cost.heldCents,
    chargedPence: last.cost.chargedCents,
    releasedPence: last.cost.releasedCents,
    seconds,
  };
}

/** Everything that must be true of a demo that went as planned. */
export function expectationsOf(report: DemoReport): readonly Expectation[] {
  const { last, ranking, badLigand, bill, before, after, movedPence, files } = report;
  const { nativeRmsdAngstrom, heldPence, chargedPence, releasedPence, ligands } = summaryOf(report);
  const failedIds = last.failures.map(({ id }) => id);
  const spentPence = before.availablePence - after.availablePence;
  const withoutPoses = ranking.filter(
    ({ ligandId }) => !files.includes(`ligands/${String(ligandId)}/poses.sdf`),
  );
  const expected = expectedPence(bill);
  return [
    {
      what: `the job ended PARTIALLY_SUCCEEDED, because one ligand is bad (${last.status})`,
      met: last.status === 'PARTIALLY_SUCCEEDED',
    },
    {
      what: `only ${badLigand} failed (${failedIds.join(', ')})`,
      met: failedIds.length === 1 && failedIds[0] === badLigand,
    },
    {
      what: `all others are ranked (${ranking.length} of ${ligands - 1})`,
      met: ranking.length === ligands - 1,
    },
    {
      what: `the control lies within ${FURTHEST_ANGSTROM}.0 Å (${nativeRmsdAngstrom?.toFixed(2) ?? 'not told'})`,
      met: nativeRmsdAngstrom !== null && nativeRmsdAngstrom <= FURTHEST_ANGSTROM,
    },
    {
      what: `the hold was what the estimate said (${bill.estimate.heldCents} and ${heldPence} pence)`,
      met: heldPence === bill.estimate.heldCents,
    },
    {
      what: `the charge is what the quote makes of ${bill.docked} ligands (${expected} and ${chargedPence} pence)`,
      met: Math.abs(expected - chargedPence) <= 1,
    },
    {
      what: 'charged and released together are what was held',
      met: chargedPence + releasedPence === heldPence,
    },
    {
      what: `the balance went down by the charge (${spentPence} and ${chargedPence} pence)`,
      met: spentPence === chargedPence && -movedPence === chargedPence,
    },
    { what: 'nothing stays held', met: after.heldPence === before.heldPence },
    { what: 'the poses of every docked ligand are on this machine', met: withoutPoses.length === 0 },
  ];
}
