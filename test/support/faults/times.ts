/**
 * The times of the fault tests: scaled in `npm test`, those of production in `npm run test:faults`. Every lease is a
 * setting, so scaling changes how long a fault lasts and never what happens.
 */
import { settingsOf, tuned } from '../tuning.ts';

/** Whether the faults last as long as in production. */
export const IS_FULL = process.env['DOCKYARD_FAULTS'] === 'full';

/** The leases of the scaled times. */
export const SCALED_TIMES = tuned({
  computeHeartbeatSeconds: 2,
  computePickupSeconds: 3,
  contactSeconds: 0.3,
  silenceSeconds: 1.3,
  giveUpSeconds: 4,
  launchSeconds: 8,
  goneConfirmSeconds: 0.3,
  replacePauseSeconds: 0.02,
  goneMinAgeSeconds: 1,
  capacityPollSeconds: 1,
  commitDelayMs: 50,
  admissionWaitSeconds: 2,
  admitBySeconds: 4,
  sweepSeconds: 2,
});

/** The settings of the stack; in full mode those of production, with capacity for every job. */
export const FAULT_SETTINGS = settingsOf(
  {
    DOCKYARD_RATE_LIMIT_SCALE: '100',
    DOCKYARD_VALIDATE_ANSWERS: 'true',
    // Servers of tests listen on this machine.
    DOCKYARD_WEBHOOKS_LOOPBACK: 'true',
    DOCKYARD_CAPACITY_VCPUS: '64',
    // Two jobs of one customer run at once; the third waits.
    DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '4',
  },
  tuned({ capacityLookSeconds: 5 }),
  IS_FULL ? {} : SCALED_TIMES,
);

/** How long a job may take to end after a fault: the sum of all leases, on a slow machine. */
export const RECOVERY_MS = IS_FULL ? 300_000 : 60_000;

/** Picks the value of the present mode. */
export function timed<T>(values: { readonly scaled: T; readonly full: T }): T {
  return IS_FULL ? values.full : values.scaled;
}

/** Prints a measurement in one line. */
export function measured(what: string, values: Readonly<Record<string, number | string>>): void {
  const parts = Object.entries(values).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toFixed(2)) : value}`,
  );
  console.log(`      ${what}: ${parts.join(', ')}`);
}
