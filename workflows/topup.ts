import { sleep, workflowInfo } from '@temporalio/workflow';

import type { TopupInput, TopupResult } from '../src/contracts/topup.ts';
import { continueInNextRun } from './lib/builds.ts';
import { payments } from './lib/topup-activities.ts';

/** Pauses while the customer may pay, in minutes; the last one repeats. The first leaves the start of the top-up alone. */
const PAUSES_MINUTES = [1, 5, 10, 15];
/** The pause while a bank takes its days. */
const BANK_MINUTES = 6 * 60;

/**
 * A top-up, followed to its end by asking the provider of payments. Events bring a top-up to its end sooner; this workflow is for those
 * that never come, and for a start that was cut off between the provider's answer and the row. The workflow takes no
 * signals and only waits for timers, until the top-up is over or waits for a person. The workflow continues as new when the history grows long.
 */
export async function topup(input: TopupInput): Promise<TopupResult> {
  let pauseMinutes = PAUSES_MINUTES[0] ?? 1;
  for (let round = 1; ; round += 1) {
    await sleep(pauseMinutes * 60_000, { summary: 'until the provider is asked' });
    const { state, isOver } = await payments.followTopup(input);
    if (isOver) return { state };
    pauseMinutes =
      state === 'PROCESSING' ? BANK_MINUTES : (PAUSES_MINUTES[round] ?? PAUSES_MINUTES.at(-1) ?? 15);
    if (workflowInfo().continueAsNewSuggested) await continueInNextRun<typeof topup>(input);
  }
}
