/** The variables that an instance on this machine gets from the environment of the process that starts it. */
import { describeConfig } from '../../config.ts';
import { isPackVariable } from '../../packs/pack.ts';

/**
 * Variables with the places of programs, installed packs and compiled modules, the time zone, and the authorities of the
 * certificates that the store and the gateway may show.
 */
const SYSTEM = ['PATH', 'XDG_CACHE_HOME', 'TZ', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS'];

/** Picks the settings of an instance, the variables of `SYSTEM` and those that name packs; no other is passed on. */
export function guestEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const settings = describeConfig()
    .filter(({ roles }) => roles.includes('instance'))
    .map(({ name }) => name);
  const packs = Object.keys(environment).filter(isPackVariable);
  const known = [...settings, ...SYSTEM, ...packs].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}
