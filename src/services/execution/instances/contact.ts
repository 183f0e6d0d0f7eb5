/**
 * A contact is an instance's sign of life, and carries the progress of the tasks that the instance runs. The progress of a
 * job is written at most once a second, because every write wakes all long polls that wait for the job's next version.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { ContactRequest, ContactResponse, InstanceClaims } from '../../../contracts/instance.ts';
import { announceJob } from '../../events/announce.ts';
import { fenced, fenceOf, JOB_WANTS_WORK, rowsOf, UNFENCED } from '../fence.ts';

const PROGRESS_INTERVAL_MS = 1000;
const REMEMBERED_JOBS = 10_000;

const CONTACT = `
  with fence as (select i.job_id, i.slot, i.generation, ${JOB_WANTS_WORK} as is_open ${UNFENCED}),
  seen as (
    update instances i set last_contact_at = now() from fence
    where (i.job_id, i.slot, i.generation) = (fence.job_id, fence.slot, fence.generation)
      and i.fenced_at is null and i.state <> 'TERMINATED'
    returning fence.is_open
  )
  select is_open from seen`;

// The job's row is locked first, as in a commit and a replacement: in another order two of them would deadlock.
const PROGRESS = `
  with fence as (select j.id ${UNFENCED} for no key update of j),
  moved as (
    update tasks t set progress_percent = told.percent
    from fence, unnest($4::text[], $5::int[], $6::real[]) as told (kind, ordinal, percent)
    where t.job_id = $1 and t.kind = told.kind and t.ordinal = told.ordinal and t.state = 'RUNNING'
      and t.slot = $2 and t.generation = $3 and t.progress_percent <> told.percent
    returning 1
  ), job as (
    update jobs set version = version + 1, updated_at = now() where id = $1 and exists (select 1 from moved) returning 1
  )
  select 1 from job`;

/** Takes the contact of one instance. */
export type TakeContact = (claims: InstanceClaims, request: ContactRequest) => Promise<ContactResponse>;

/** Opens the use case; it remembers when each job's progress was written last. */
export function createContact(db: DataSource): TakeContact {
  const writtenAt = new LRUCache<string, number>({ max: REMEMBERED_JOBS });
  return async (claims, { running }) => {
    const [seen] = await rowsOf<{ readonly is_open: boolean }>(db, CONTACT, fenceOf(claims));
    if (seen === undefined) throw fenced();
    const now = performance.now();
    const last = writtenAt.get(claims.jobId);
    if (running.length > 0 && (last === undefined || now - last >= PROGRESS_INTERVAL_MS)) {
      writtenAt.set(claims.jobId, now);
      const moved = await rowsOf(db, PROGRESS, [
        ...fenceOf(claims),
        running.map(({ kind }) => kind),
        running.map(({ ordinal }) => ordinal),
        running.map(({ percent }) => percent),
      ]);
      if (moved.length > 0) void announceJob(db, claims.jobId);
    }
    return { stop: !seen.is_open };
  };
}
