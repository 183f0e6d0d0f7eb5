/** Alerts of limits and balances: their mails. Triggers of the database write them. */
export { sendAlerts } from './send-alerts.ts';
export type { AlertDependencies } from './send-alerts.ts';
