/** Advice to the customer of a job that has stopped: in the status, in a refused resume and in `dockyard explain`. */
import { inactiveRefusal } from '../../domain/account-state.ts';
import type { HoldRefusal } from '../ledger/index.ts';
import { displayPence } from '../prices/quotes.ts';
import { LIMIT_NAMES } from './admission.ts';

/** Hold of a wished resume; `isLimited` when that is less than finishing the job takes. */
export interface WishedResume {
  readonly heldPence: number;
  readonly isLimited: boolean;
}

/** Advice for a job whose missing tasks have failed for their own inputs. */
export const FAILS_AGAIN =
  'Read the failures. What is missing has failed for its input, and a resume would end in the same way: submit it as a new job with another input.';

/** Advises the customer how the resume is accepted; `refusal` is null where nothing is in its way. */
export function resumeAdvice({ heldPence, isLimited }: WishedResume, refusal: HoldRefusal | null): string {
  const needed = displayPence(heldPence);
  if (refusal === null) return `Resume the job. ${needed} is held for what is missing.`;
  if ('accountState' in refusal) return inactiveRefusal(refusal.accountState).message;
  const wish = isLimited ? 'To go on within this limit' : 'To finish';
  if ('owedPence' in refusal)
    return `${wish}, this job needs ${needed} to be held, and the account owes ${displayPence(refusal.owedPence)}, which is paid before anything is held. Top up, then resume the job.`;
  if ('availablePence' in refusal) {
    const { availablePence } = refusal;
    const missing = displayPence(heldPence - availablePence);
    return `${wish}, this job needs ${needed} to be held, and ${displayPence(availablePence)} is available. Top up at least ${missing}, then resume the job${inPart(availablePence)}.`;
  }
  const { limit, limitPence, restPence } = refusal;
  const left = `${displayPence(restPence)} is left of ${LIMIT_NAMES[limit]}, which is ${displayPence(limitPence)}`;
  const wait = limit === 'job' ? '' : ' or wait for the next month,';
  return `${wish}, this job needs ${needed} to be held, and ${left}. Raise the limit by at least ${displayPence(heldPence - restPence)},${wait} then resume the job${inPart(restPence)}.`;
}

/** Advises the customer of a running job whose hold cannot be extended by so much. */
export function forecastAdvice(amountPence: number, refusal: HoldRefusal): string {
  if ('accountState' in refusal) return inactiveRefusal(refusal.accountState).message;
  if ('owedPence' in refusal)
    return `The account owes ${displayPence(refusal.owedPence)}, which is paid before anything is held: top up.`;
  if ('availablePence' in refusal)
    return `${displayPence(refusal.availablePence)} is available: top up at least ${displayPence(amountPence - refusal.availablePence)}.`;
  const { limit, limitPence, restPence } = refusal;
  return `${displayPence(restPence)} is left of ${LIMIT_NAMES[limit]}, which is ${displayPence(limitPence)}: raise it by at least ${displayPence(amountPence - restPence)}.`;
}

function inPart(pence: number): string {
  return pence <= 0
    ? ''
    : `, or resume it with limitCents of at most ${String(pence)} to do a part of what is missing`;
}
