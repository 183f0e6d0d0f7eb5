/** How the demo puts things into words. */
import type { CreditTransaction, JobStatusResponse } from '../../domain/responses.ts';

/** An amount of pence in pounds. */
export function pounds(pence: number): string {
  return `£${(pence / 100).toFixed(2)}`;
}

/** A state with what there is to say about it. */
export function stateLine(status: JobStatusResponse, startedAt: number): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  const reason = status.statusReason ?? status.queue?.reason ?? null;
  return `   ${seconds} s  ${status.status}${reason === null ? '' : ` (${reason})`}`;
}

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
