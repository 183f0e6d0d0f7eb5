/** A contact is an instance's sign of life, and carries the progress of the tasks that the instance runs. */
import type { DataSource } from 'typeorm';

import type { ContactRequest, ContactResponse, InstanceClaims } from '../../../contracts/instance.ts';
import { noteFullStore } from '../../full-store.ts';
import { fenced } from '../fence.ts';
import { createContactBatch } from './contact-batch.ts';

/** Takes the contact of one instance. */
export type TakeContact = (claims: InstanceClaims, request: ContactRequest) => Promise<ContactResponse>;

/** Opens the use case. */
export function createContact(db: DataSource): TakeContact {
  const see = createContactBatch(db);
  return async (claims, { running, isStoreFull }) => {
    const seen = await see(claims, running);
    if (seen === null) throw fenced();
    if (isStoreFull === true) await noteFullStore(db, claims.jobId);
    return { stop: !seen.isOpen };
  };
}
