/** Inspections and conversions: the digest of a question leads to the internal job whose report answers the question. */
import { EntitySchema } from 'typeorm';

import { insertTime, primary, text, time, uuid } from './columns.ts';

/** One inspection of a receptor, or conversion of a file. Its state is the state of its job. */
export interface Inspection {
  id: string;
  accountId: string;
  /** Digest of the file, of what is asked about it, and of the code that answers. */
  cacheKey: string;
  /** The internal job; the job has no row before its admission. */
  jobId: string;
  /** A job that was not admitted by this time is never admitted. */
  startBy: Date;
  createdAt: Date;
  /** When its answer was asked for last. */
  usedAt: Date;
  kind: 'inspection' | 'conversion';
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
    usedAt: insertTime,
    kind: text,
  },
});
