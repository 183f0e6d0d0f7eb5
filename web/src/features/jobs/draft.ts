/**
 * The draft of a job. It lives in this tab, with the key under which its text is submitted: as long as the text stays the same it is one job,
 * however often it is sent, and from whichever page or payment somebody comes back to it.
 */
const PLACE = 'dockyard-job-draft';

/** A draft. */
export interface Draft {
  readonly text: string;
  /** The key under which this text is submitted. */
  readonly submission: string;
  /** The job whose request it was at first; null without one. */
  readonly from: string | null;
}

/** A draft that was never sent. */
export function freshDraft(text: string, from: string | null): Draft {
  return { text, submission: crypto.randomUUID(), from };
}

/** The draft of this tab; null where none is kept. */
export function keptDraft(): Draft | null {
  const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
  return isDraft(kept) ? kept : null;
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' && value !== null && 'text' in value && 'submission' in value && 'from' in value
  );
}

/** Keeps a draft in the place of the one before. */
export function keepDraft(draft: Draft): void {
  sessionStorage.setItem(PLACE, JSON.stringify(draft));
}

/** Forgets a draft that has become a job. One that was begun meanwhile stays. */
export function forgetDraft({ submission }: Draft): void {
  if (keptDraft()?.submission === submission) sessionStorage.removeItem(PLACE);
}
