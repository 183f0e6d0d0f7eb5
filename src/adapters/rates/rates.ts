/** A source of exchange rates as Dockyard uses one. */
import type { FxRate } from '../../domain/fx.ts';

/** A source of exchange rates. Only the schedule that stores rates asks the source. */
export interface RateSource {
  /** Reads the newest rate. @throws Error when the source does not answer in time, or answers no plausible rate. */
  read(): Promise<FxRate>;
}
