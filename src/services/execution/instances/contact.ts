/** A contact is an instance's sign of life, and carries the progress of the tasks that the instance runs. */
import type { DataSource } from 'typeorm';

import type { ContactRequest, ContactResponse, InstanceClaims } from '../../../contracts/instance.ts';
import { fenced } from '../fence.ts';
import { createContactBatch } from './contact-batch.ts';
import { createProgress } from './progress.ts';

/** Takes the contact of one instance. */
export type TakeContact = (claims: InstanceClaims, request: ContactRequest) => Promise<ContactResponse>;

/** Opens the use case. */
export function createContact(db: DataSource): TakeContact {
  const see = createContactBatch(db);
  const tellProgress = createProgress(db);
  return async (claims, { running }) => {
    const seen = await see(claims);
    if (seen === null) throw fenced();
    if (running.length > 0) await tellProgress(claims, running);
    return { stop: !seen.isOpen };
  };
}
