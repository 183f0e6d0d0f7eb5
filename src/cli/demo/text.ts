/** Words of the demo. */
import type { CreditTransaction } from '../../client/types.ts';
import { pounds } from '../table.ts';

/** One movement of credits. */
export function transactionLine(transaction: CreditTransaction): string {
  const { type, amount_cents: amount, balance_after_cents: after, held_after_cents: held } = transaction;
  const signed = `${amount < 0 ? '−' : '+'}${pounds(Math.abs(amount))}`;
  return `   ${type.padEnd(14)} ${signed.padStart(8)}   available ${pounds(after).padStart(8)}, held ${pounds(held).padStart(7)}   ${transaction.description}`;
}

/** The page of a job's workflow in the Temporal UI. */
export function workflowUrl(temporalUiUrl: string, namespace: string, workflowId: string): string {
  return `${temporalUiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
}

/** A block of lines, set in by three blanks. */
export function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `   ${line}`))
    .join('\n');
}
