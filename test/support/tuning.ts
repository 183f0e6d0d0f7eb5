/** Settings of a stack whose leases are not those of production: the entries of the profile `DOCKYARD_TUNING`. */
import type { TUNING } from '../../src/config/tuning.ts';

/** Settings by the names of their variables. */
export type Settings = Readonly<Record<string, string>>;

/** The setting that changes these entries of the profile. */
export function tuned(entries: Readonly<Partial<Record<keyof typeof TUNING, number>>>): Settings {
  return { DOCKYARD_TUNING: JSON.stringify(entries) };
}

/** All of these settings; later ones win, entry by entry within the profile, too. */
export function settingsOf(...parts: readonly Settings[]): Settings {
  const profiles = parts.map(({ DOCKYARD_TUNING: profile = '{}' }): unknown => JSON.parse(profile));
  return { ...Object.assign({}, ...parts), DOCKYARD_TUNING: JSON.stringify(Object.assign({}, ...profiles)) };
}
