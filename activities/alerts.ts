import { Context } from '@temporalio/activity';

import type { Mailer } from '../src/adapters/mail/mail.ts';
import { runAutoTopUps } from '../src/services/payments/index.ts';
import type { FollowDependencies } from '../src/services/payments/index.ts';
import { sendAlerts } from '../src/services/alerts/index.ts';

/** The activities of alerts, as workflows call them. */
export type AlertActivities = ReturnType<typeof createAlertActivities>;

/** Makes the activities of alerts. */
export function createAlertActivities(
  deps: FollowDependencies & { readonly mailer: Mailer; readonly publicUrl: string },
) {
  return {
    /** Buys the auto top-ups that are due, then sends the mails that are due. May run again, and beside itself: a mail is sent by one at a time. @returns how many were sent. */
    async sendAlerts(): Promise<number> {
      const { log } = Context.current();
      // A provider of payments that fails keeps no mail back; the next round buys.
      await runAutoTopUps(deps).catch((error: unknown) => {
        log.error('auto top-ups were not all bought', { err: error });
      });
      return sendAlerts({
        ...deps,
        onFailure: (facts) => {
          log.error('the mail of an alert was not sent', facts);
        },
      });
    },
  };
}
