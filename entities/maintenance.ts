/** The maintenance mode of the service, in which no job is submitted. */
import { EntitySchema } from 'typeorm';

import { boolean, defaulted, primary, text, writeTime } from './columns.ts';

/** The one row that is there while the mode is on. */
export interface Maintenance {
  /** Always true, so that there is one row at most. */
  onlyRow: boolean;
  /** The reason as customers are told it. */
  reason: string;
  since: Date;
}

/** Table `maintenance`. */
export const MaintenanceEntity = new EntitySchema<Maintenance>({
  name: 'Maintenance',
  tableName: 'maintenance',
  columns: { onlyRow: primary(defaulted(boolean, 'true')), reason: text, since: writeTime },
});
