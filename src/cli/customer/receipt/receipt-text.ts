/** A receipt as a person reads it. */
import { facts, pounds } from '../../table.ts';
import type { ReadOnly } from '../../table.ts';
import type { SignedReceipt } from '../../../client/types.ts';

/** The facts of a receipt, one a line. */
export function receiptText({ receipt }: ReadOnly<SignedReceipt>): string {
  const { tasks, price, attempts, recoveries } = receipt;
  return facts([
    ['Job', `${receipt.jobId}, execution ${String(receipt.execution)}: ${receipt.outcome}`],
    ['Issued by', receipt.issuer],
    ['Request', receipt.requestSha256],
    ['Seed', receipt.effectiveSeed === null ? 'none' : String(receipt.effectiveSeed)],
    ['Code', receipt.toolchainSha256.join(', ')],
    ['Processors', receipt.cpuClasses.join(', ') || 'not told'],
    [
      'Tasks',
      `${String(tasks.verified)} verified, ${String(tasks.failed)} failed, of ${String(tasks.total)}`,
    ],
    ['Attempts', `${String(attempts.started)}, ${String(recoveries.length)} recoveries`],
    ['Charged', pounds(price.chargedCents)],
  ]);
}
