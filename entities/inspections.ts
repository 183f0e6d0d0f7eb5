/** Inspections of receptors: what was asked for leads to the internal job that tells, and so to its report. */
import { EntitySchema } from 'typeorm';

import { insertTime, primary, text, time, uuid } from './columns.ts';

/** One inspection. How it stands is what its job's row says. */
export interface Inspection {
  id: string;
  accountId: string;
  /** Digest of the receptor, the part of it that is meant, and the code that looks at it. */
  cacheKey: string;
  /** The internal job; there is no row of it before it was admitted. */
  jobId: string;
  /** A job that was not admitted by then never will be. */
  startBy: Date;
  createdAt: Date;
}

/** Table `inspections`. */
export const InspectionEntity = new EntitySchema<Inspection>({
  name: 'Inspection',
  tableName: 'inspections',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    cacheKey: text,
    jobId: uuid,
    startBy: time,
    createdAt: insertTime,
  },
});
