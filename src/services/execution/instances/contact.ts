/** A contact is an instance's sign of life, and carries the progress of the tasks that the instance runs. */
import type { DataSource } from 'typeorm';

import type { ContactRequest, ContactResponse, InstanceClaims } from '../../../contracts/instance.ts';
import { fenced, fenceOf, JOB_WANTS_WORK, rowsOf, UNFENCED } from '../fence.ts';
import { createProgress } from './progress.ts';

const CONTACT = `
  with fence as (select i.job_id, i.slot, i.generation, ${JOB_WANTS_WORK} as is_open ${UNFENCED}),
  seen as (
    update instances i set last_contact_at = now() from fence
    where (i.job_id, i.slot, i.generation) = (fence.job_id, fence.slot, fence.generation)
      and i.fenced_at is null and i.state <> 'TERMINATED'
    returning fence.is_open
  )
  select is_open from seen`;

/** Takes the contact of one instance. */
export type TakeContact = (claims: InstanceClaims, request: ContactRequest) => Promise<ContactResponse>;

/** Opens the use case. */
export function createContact(db: DataSource): TakeContact {
  const tellProgress = createProgress(db);
  return async (claims, { running }) => {
    const [seen] = await rowsOf<{ readonly is_open: boolean }>(db, CONTACT, fenceOf(claims));
    if (seen === undefined) throw fenced();
    if (running.length > 0) await tellProgress(claims, running);
    return { stop: !seen.is_open };
  };
}
