/** What is recorded of a job on a provider with one spot place: an instance on it, and one on demand after the wait. */
import { ended, insist, job, submit } from './cases.ts';
import type { Case } from './cases.ts';
import { holdsText } from './history-text.ts';

/** Jobs that ask for spot instances. */
export const SPOT_CASES: readonly Case[] = [
  {
    name: 'spot',
    async run(recorder) {
      const request = { ...job(16, { seconds: 1 }), recovery: { mode: 'resumable' } } as const;
      const histories = await ended(recorder, await submit(recorder, request), 'SUCCEEDED');
      insist(holdsText(histories, 'no-spot'), 'a wait for a spot instance');
      insist(holdsText(histories, '"market":"ON_DEMAND"'), 'an instance on demand after the wait');
      return histories;
    },
  },
];
