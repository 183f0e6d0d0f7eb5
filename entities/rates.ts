/** Exchange rates, as they were fetched. */
import { EntitySchema } from 'typeorm';

import { boolean, date, defaulted, identity, integer, nullable, text, time, writeTime } from './columns.ts';

/** An exchange rate, USD to GBP. */
export interface StoredFxRate {
  id: number;
  /** Millionths: 0.79 is 790000. */
  rateMicro: number;
  source: string;
  /** The day for which the source gives the rate, as YYYY-MM-DD. */
  rateDate: string;
  /** PENDING while an operator has to accept the rate; SUPERSEDED when another rate came before anybody accepted the rate. */
  state: string;
  fetchedAt: Date;
  /** Null while the rate is not accepted. */
  acceptedAt: Date | null;
  /** Whether an operator accepted the rate. */
  confirmed: boolean;
}

/** Table `fx_rates`. */
export const StoredFxRateEntity = new EntitySchema<StoredFxRate>({
  name: 'StoredFxRate',
  tableName: 'fx_rates',
  columns: {
    id: identity,
    rateMicro: integer,
    source: text,
    rateDate: date,
    state: text,
    fetchedAt: writeTime,
    acceptedAt: nullable(time),
    confirmed: defaulted(boolean, 'false'),
  },
});
