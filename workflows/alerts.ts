import { alerts } from './lib/alert-activities.ts';

/** One round that sends the mails of alerts, started by a schedule. */
export async function sendAlerts(): Promise<void> {
  await alerts.sendAlerts();
}
