/** Turns at working through a stored file; granted by rows under a lock of the account. */
import { EntitySchema } from 'typeorm';

import { defaulted, nullable, primary, time, uuid } from './columns.ts';

/** What works a file through, or waits to. */
export interface FileTurn {
  /** The upload or the job that it is done for. */
  id: string;
  accountId: string;
  /** The attempt that has the turn; null while it waits. */
  holder: string | null;
  askedAt: Date;
  /** After this it counts for nothing. */
  until: Date;
}

/** Table `file_turns`. */
export const FileTurnEntity = new EntitySchema<FileTurn>({
  name: 'FileTurn',
  tableName: 'file_turns',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    holder: nullable(uuid),
    askedAt: defaulted(time, 'clock_timestamp()'),
    until: time,
  },
});
