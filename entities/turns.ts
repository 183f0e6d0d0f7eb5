/** Turns at working through a stored file. Turns are granted by changing rows under a lock of the account. */
import { EntitySchema } from 'typeorm';

import { defaulted, nullable, primary, time, uuid } from './columns.ts';

/** An upload or a job whose file is being worked through, or waits for its turn. */
export interface FileTurn {
  /** The id of the upload or of the job. */
  id: string;
  accountId: string;
  /** The attempt that has the turn; null while the upload or the job waits. */
  holder: string | null;
  askedAt: Date;
  /** The row counts for nothing after this time. */
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
