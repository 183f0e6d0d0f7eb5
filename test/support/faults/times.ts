/**
 * The times of the fault tests: scaled in `npm test`, those of production in `npm run test:faults`. Every lease is a
 * setting, so scaling changes how long a fault lasts and never what happens.
 */

/** Whether the faults last as long as in production. */
export const IS_FULL = process.env['DOCKYARD_FAULTS'] === 'full';

/** The leases of the scaled times. */
export const SCALED_TIMES: Readonly<Record<string, string>> = {
  DOCKYARD_COMPUTE_HEARTBEAT_SECONDS: '2',
  DOCKYARD_COMPUTE_PICKUP_SECONDS: '3',
  DOCKYARD_CONTACT_SECONDS: '0.3',
  DOCKYARD_SILENCE_SECONDS: '1.3',
  DOCKYARD_GIVE_UP_SECONDS: '4',
  DOCKYARD_LAUNCH_SECONDS: '8',
  DOCKYARD_GONE_CONFIRM_SECONDS: '0.3',
  DOCKYARD_REPLACE_PAUSE_SECONDS: '0.02',
  DOCKYARD_GONE_MIN_AGE_SECONDS: '1',
  DOCKYARD_CAPACITY_POLL_SECONDS: '1',
  DOCKYARD_COMMIT_DELAY_MS: '50',
  DOCKYARD_ADMISSION_WAIT_SECONDS: '2',
  DOCKYARD_ADMIT_BY_SECONDS: '4',
  DOCKYARD_SWEEP_SECONDS: '2',
};

/** The settings of the stack; in full mode those of production, with capacity for every job. */
export const FAULT_SETTINGS: Readonly<Record<string, string>> = {
  DOCKYARD_RATE_LIMIT_SCALE: '100',
  DOCKYARD_VALIDATE_ANSWERS: 'true',
  DOCKYARD_CAPACITY_VCPUS: '64',
  DOCKYARD_CAPACITY_LOOK_SECONDS: '5',
  // Two jobs of one customer run at once; the third waits.
  DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '4',
  ...(IS_FULL ? {} : SCALED_TIMES),
};

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
