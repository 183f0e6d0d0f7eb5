/** The state of a job, by its mark and its word. */
import { m } from '#messages';

import { Pill } from '../../ui/pieces.tsx';
import type { Tone } from '../../ui/pieces.tsx';

const STATES: Readonly<Record<string, readonly [mark: string, tone: Tone, word: () => string]>> = {
  SUBMITTED: ['○', 'quiet', m.job_submitted],
  QUEUED: ['○', 'quiet', m.job_queued],
  PROVISIONING: ['○', 'run', m.job_provisioning],
  RUNNING: ['◐', 'run', m.job_running],
  RECOVERING: ['◐', 'warn', m.job_recovering],
  PAUSED: ['‖', 'warn', m.job_paused],
  FINALIZING: ['◐', 'run', m.job_finalizing],
  CANCELLING: ['◐', 'quiet', m.job_cancelling],
  SUCCEEDED: ['✓', 'ok', m.job_succeeded],
  PARTIALLY_SUCCEEDED: ['◑', 'warn', m.job_partly],
  FAILED: ['✕', 'bad', m.job_failed],
  CANCELLED: ['–', 'quiet', m.job_cancelled],
};

/** The states that jobs pass through before they end. */
export const OPEN = [
  ...(['SUBMITTED', 'QUEUED', 'PROVISIONING', 'RUNNING', 'RECOVERING'] as const),
  ...(['PAUSED', 'FINALIZING', 'CANCELLING'] as const),
] as const;
export const ENDED = ['SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
/** A state that is known here. */
export type JobState = (typeof OPEN)[number] | (typeof ENDED)[number];

/** The word of a state; one that is not known yet is its own. */
export function stateWord(state: string): string {
  return STATES[state]?.[2]() ?? state;
}

export function State({ state }: { readonly state: string }) {
  const [mark, tone] = STATES[state] ?? ['○', 'quiet'];
  return (
    <Pill mark={mark} tone={tone}>
      {stateWord(state)}
    </Pill>
  );
}
