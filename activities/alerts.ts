import { Context } from '@temporalio/activity';
import type { DataSource } from 'typeorm';

import type { Mailer } from '../src/adapters/mail/mail.ts';
import { sendAlerts } from '../src/services/alerts/index.ts';

/** The activities of alerts, as workflows call them. */
export type AlertActivities = ReturnType<typeof createAlertActivities>;

/** Makes the activities of alerts. */
export function createAlertActivities(deps: {
  readonly db: DataSource;
  readonly mailer: Mailer;
  readonly publicUrl: string;
}) {
  return {
    /** Sends the mails that are due. May run again, and beside itself: a mail is sent by one at a time. @returns how many were sent. */
    sendAlerts(): Promise<number> {
      const { log } = Context.current();
      return sendAlerts({
        ...deps,
        onFailure: (facts) => {
          log.error('the mail of an alert was not sent', facts);
        },
      });
    },
  };
}
