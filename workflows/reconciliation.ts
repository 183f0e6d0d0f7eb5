import { reconciliation } from './lib/reconciliation-activities.ts';

/** Compares the books with the provider of payments and with the open workflows, started by a schedule each night. */
export async function reconcileBooks(): Promise<void> {
  await reconciliation.reconcileBooks();
}
