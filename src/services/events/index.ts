/** Events: all that the entry points use of them. */
import type { DataSource } from 'typeorm';

import type { Actor } from '../../domain/access.ts';
import type { EventListQuery, EventListResponse } from '../../domain/events.ts';
import type { JobWatch } from './job-watch.ts';
import { listEvents } from './list.ts';
import { createEventTail } from './tail.ts';

/** Events of one API process. */
export interface EventServices {
  list(actor: Actor, query: EventListQuery, waitSeconds: number): Promise<EventListResponse>;
}

/** Makes the services over the one watch of the process; `close` ends the tail. */
export function createEvents(
  db: DataSource,
  watch: Pick<JobWatch, 'hear'>,
): EventServices & { close(): void } {
  const tail = createEventTail(db, watch);
  return {
    list: (actor, query, waitSeconds) => listEvents({ db, tail }, actor, query, waitSeconds),
    close: () => tail.close(),
  };
}
