/**
 * Issues receipts. The settlement marks its execution in its own transaction; a receipt is written once, in the transaction that
 * takes the mark away, so a receipt never changes and two issuers at once write one. A receipt that cannot be made delays no
 * job: its mark stays, and the sweep makes it.
 */
import type { DataSource } from 'typeorm';

import { JobExecutionEntity } from '../../../entities/jobs.ts';
import { StoredReceiptEntity } from '../../../entities/receipts.ts';
import { canonicalJson } from '../../tools/canonical.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { insertIfNew } from '../insert-if-new.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import { readReceiptFacts } from './facts.ts';
import type { ReceiptOf } from './facts.ts';
import type { ReceiptSigner } from './keys.ts';

/** How many receipts one round of the sweep makes at most. */
const ROUND = 200;

export interface ReceiptDependencies {
  readonly db: DataSource;
  readonly tools: ToolRegistry;
  /** Null where no key is set; executions then stay marked until there is one. */
  readonly signer: ReceiptSigner | null;
  /** The address of the service. */
  readonly issuer: string;
}

/** Writes the receipt of a settled execution, unless it has one. @returns whether this call wrote it. */
export async function issueReceipt(deps: ReceiptDependencies, of: ReceiptOf): Promise<boolean> {
  const { db, tools, signer, issuer } = deps;
  if (signer === null) return false;
  const toolchainOf = (toolId: string): string[] =>
    tools.ids().includes(toolId) ? [tools.find(toolId).work.toolchainSha256()] : [];
  return inTransaction(
    db,
    async (tx) => {
      const receipt = await readReceiptFacts(tx, of, { issuer, toolchainOf });
      if (receipt === null) return false;
      const document = canonicalJson(receipt);
      const { jobId, execution } = of;
      const row = { jobId, execution, keyId: signer.keyId, signature: signer.sign(document), document };
      const isNew = await insertIfNew(tx, StoredReceiptEntity, row);
      await tx.getRepository(JobExecutionEntity).update({ jobId, n: execution }, { receiptDue: false });
      return isNew;
    },
    { isolation: 'REPEATABLE READ' },
  );
}

/** Makes the receipts that are still due, the oldest first. @throws the first error, after every receipt was tried. */
export async function issueDueReceipts(deps: ReceiptDependencies): Promise<number> {
  if (deps.signer === null) return 0;
  const due = await deps.db.query<(Row<{ jobId: string }, 'jobId'> & { readonly n: number })[]>(
    'select job_id, n from job_executions where receipt_due order by settled_at limit $1',
    [ROUND],
  );
  const failures: unknown[] = [];
  let issued = 0;
  for (const { job_id: jobId, n: execution } of due) {
    try {
      if (await issueReceipt(deps, { jobId, execution })) issued += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return issued;
}
