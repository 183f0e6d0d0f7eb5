/** The variables that an instance on this machine gets from the environment of the process that starts it. */
import { describeConfig } from '../../config.ts';

/**
 * Where programs and compiled modules are, which time it is here, and whose certificates the store and the gateway may
 * show.
 */
const SYSTEM = ['PATH', 'TZ', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS'];

/** Picks the settings of an instance and the variables of `SYSTEM`; no other variable is passed on. */
export function guestEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const settings = describeConfig()
    .filter(({ roles }) => roles.includes('instance'))
    .map(({ name }) => name);
  const known = [...settings, ...SYSTEM].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}
