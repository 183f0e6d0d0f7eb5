/** Codes by which object stores say that they have no room: S3 names none for it, so each store has one of its own. */
const FULL = /InsufficientStorage|StorageFull|QuotaExceeded/;
const INSUFFICIENT_STORAGE = 507;

/** Whether an answer, or the code in it, says that the store has no room. */
export function tellsFullStore(status: number | undefined, text: string): boolean {
  return status === INSUFFICIENT_STORAGE || FULL.test(text);
}
