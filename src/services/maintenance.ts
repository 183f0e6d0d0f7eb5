/**
 * The maintenance mode of the service: no job is submitted, and whoever submits is told the reason and when to ask again. Everything else
 * goes on: jobs that were accepted, repeats of accepted submits, cancels, resumes, uploads and payments.
 */
import type { DataSource } from 'typeorm';

import { MaintenanceEntity } from '../../entities/maintenance.ts';
import type { Maintenance } from '../../entities/maintenance.ts';
import { AppError } from '../domain/errors.ts';
import { recordChange } from './audit/index.ts';
import type { Author } from './audit/index.ts';
import { inTransaction } from './transaction.ts';

/** The mode as operators see it. */
export type MaintenanceMode = Pick<Maintenance, 'reason' | 'since'>;

/** Longer than clients wait by themselves, so that people read the reason at once. */
const RETRY_AFTER_SECONDS = 300;

/** The reason of the mode, as a column of a query; null while the mode is off. */
export const MAINTENANCE_REASON = '(select reason from maintenance)';

/** The mode; null while it is off. */
export async function readMaintenance(db: DataSource): Promise<MaintenanceMode | null> {
  return db.getRepository(MaintenanceEntity).findOneBy({ onlyRow: true });
}

/** Turns the mode on, or changes its reason. */
export async function beginMaintenance(db: DataSource, reason: string, by: Author): Promise<MaintenanceMode> {
  return inTransaction(db, async (tx) => {
    const rows = tx.getRepository(MaintenanceEntity);
    await rows.upsert({ onlyRow: true, reason }, ['onlyRow']);
    await recordChange(tx, by, {
      accountId: null,
      action: 'maintenance.on',
      subject: 'maintenance',
      after: { reason },
    });
    return rows.findOneByOrFail({ onlyRow: true });
  });
}

/** Turns the mode off. @returns the mode that has ended; null when it was off. */
export async function endMaintenance(db: DataSource, by: Author): Promise<MaintenanceMode | null> {
  return inTransaction(db, async (tx) => {
    const rows = tx.getRepository(MaintenanceEntity);
    const mode = await rows.findOneBy({ onlyRow: true });
    if (mode === null) return null;
    await rows.delete({ onlyRow: true });
    const { reason } = mode;
    await recordChange(tx, by, {
      accountId: null,
      action: 'maintenance.off',
      subject: 'maintenance',
      before: { reason },
    });
    return mode;
  });
}

/** The refusal of a submit while the mode is on. */
export function underMaintenance(reason: string): AppError {
  const message = `The service takes no new jobs at the moment: ${reason.replace(/\.$/, '')}. Jobs that were accepted go on. Submit again later, with the same Idempotency-Key.`;
  return new AppError('MAINTENANCE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
