/** The mails about limits and balances. The mails hold no name and no amount, and work as plain text. */
import type { Alert } from '../../../entities/alerts.ts';
import type { Mail } from '../../adapters/mail/mail.ts';

/** Facts of an alert that its mail tells. */
export type ToldAlert = Pick<Alert, 'kind' | 'subject' | 'period' | 'threshold'>;

/** The mail of an alert to an owner. The same id makes the same mail. */
export function alertMail(
  { id, to }: { readonly id: string; readonly to: string },
  alert: ToldAlert,
  publicUrl: string,
): Mail {
  const settings = `${publicUrl}/api/v1/settings`;
  const about = `The limits and the alert are set by PUT ${settings}/billing. Mails like this one are switched off by PUT ${settings}/notifications.`;
  const isOfCredits = alert.kind !== 'webhook-failing' && alert.kind !== 'webhook-disabled';
  return {
    id,
    to,
    subject: subjectOf(alert),
    text: [told(alert, publicUrl), ...(isOfCredits ? [about] : [])].join('\n\n'),
  };
}

function subjectOf({ kind, threshold }: ToldAlert): string {
  switch (kind) {
    case 'account-limit':
      return `Your account has used ${String(threshold)} % of its limit`;
    case 'key-limit':
      return `An API key has used ${String(threshold)} % of its limit`;
    case 'low-balance':
      return 'Your credits are running low';
    case 'auto-topup':
      return 'Your credits could not be topped up';
    case 'webhook-failing':
      return 'A webhook of your account takes nothing';
    case 'webhook-disabled':
      return 'A webhook of your account is disabled';
    default:
      return kind satisfies never;
  }
}

function told({ kind, subject, period, threshold }: ToldAlert, publicUrl: string): string {
  const month = period.slice(0, 7);
  const used = `${String(threshold)} % of the limit of ${month} (UTC) at ${publicUrl}: what is charged and what open jobs hold`;
  const full =
    threshold === 100
      ? ' Jobs are refused until the month ends or the limit is raised; open jobs run on.'
      : '';
  switch (kind) {
    case 'account-limit':
      return `Your account has reached ${used}.${full}`;
    case 'key-limit':
      return `The API key ${subject} of your account has reached ${used}.${full}`;
    case 'low-balance':
      return `The credits of your account at ${publicUrl} have fallen below the amount that you asked to be told of.`;
    case 'auto-topup':
      return `The card of your account at ${publicUrl} could not be charged for credits: it is missing, was declined, or asks for its owner. Auto top-up is paused until an owner sets it again; POST ${publicUrl}/api/v1/settings/billing/portal opens the page on which cards are kept.`;
    case 'webhook-failing':
      return `The webhook ${subject} of your account at ${publicUrl} has taken nothing for a day. Look at GET ${publicUrl}/api/v1/webhooks/${subject}/deliveries. After five days of failures the webhook is disabled.`;
    case 'webhook-disabled':
      return `The webhook ${subject} of your account at ${publicUrl} is disabled: its server has answered 410, or has taken nothing for five days. See to the server, then enable the webhook by POST ${publicUrl}/api/v1/webhooks/${subject}/enable, and ask for what was missed by POST ${publicUrl}/api/v1/webhooks/${subject}/redeliver-failed.`;
    default:
      return kind satisfies never;
  }
}
