/** An amount of money as people type it, in pounds with at most two places. */
const POUNDS = /^\d{1,7}(\.\d{1,2})?$/;

/** The pence of an amount in pounds; null where the text is no such amount. */
export function penceOf(text: string): number | null {
  const amount = text.trim().replace(/^£/, '');
  return POUNDS.test(amount) ? Math.round(Number(amount) * 100) : null;
}

/** Pence as people type them, in pounds; nothing for none. */
export function poundsOf(pence: number | null): string {
  return pence === null ? '' : (pence / 100).toFixed(pence % 100 === 0 ? 0 : 2);
}
