/** The words of the reasons why a simulator cannot be run. */
import { UNAVAILABLE_WORDS } from '../availability.ts';
import type { UnavailableReason } from '../availability.ts';
import { says } from './code.ts';
import type { CodeWords } from './code.ts';

const ASK = 'Ask the operator of the service';

/** What each reason means, and what to do about it. */
export const UNAVAILABLE_CODE_WORDS: Readonly<Record<UnavailableReason, CodeWords>> = {
  PACK_NOT_INSTALLED: says(
    meaningOf('PACK_NOT_INSTALLED'),
    `${ASK} to install them; \`dockyard tools list\` on a compute host tells the packs and how to install them.`,
  ),
  MODEL_NOT_INSTALLED: says(meaningOf('MODEL_NOT_INSTALLED'), `${ASK} to install it.`),
  DATABASE_NOT_INSTALLED: says(
    meaningOf('DATABASE_NOT_INSTALLED'),
    `${ASK} to install one, or send a database of your own.`,
  ),
  GPU_REQUIRED: says(meaningOf('GPU_REQUIRED'), `${ASK} for a machine with a GPU, or use another simulator.`),
};

function meaningOf(reason: UnavailableReason): string {
  return `The simulator cannot be run now: ${UNAVAILABLE_WORDS[reason]}.`;
}
