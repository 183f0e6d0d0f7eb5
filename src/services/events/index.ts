/** Events: all that the entry points use of them. */
import type { Readable } from 'node:stream';

import type { DataSource } from 'typeorm';

import type { Actor } from '../../domain/access.ts';
import type { EventListQuery, EventListResponse, EventStreamQuery } from '../../domain/events.ts';
import type { JobWatch } from './job-watch.ts';
import { listEvents } from './list.ts';
import { createLiveJobs } from './live.ts';
import type { FollowedJob } from './stream.ts';
import { EventStreams } from './streams.ts';
import { createEventTail } from './tail.ts';

/** Events of one API process. */
export interface EventServices {
  list(actor: Actor, query: EventListQuery, waitSeconds: number): Promise<EventListResponse>;
  /** @throws INSUFFICIENT_SCOPE, SESSION_REQUIRED, STREAM_LIMIT. */
  stream(actor: Actor, query: EventStreamQuery): Promise<Readable>;
  /** The events of a job, and the job's status as it changes. @throws NOT_FOUND, STREAM_LIMIT. */
  streamJob(actor: Actor, jobId: string, after: string | undefined): Promise<Readable>;
  /** How many streams are open. */
  readonly openStreams: number;
  /** Ends all streams, before the process ends. */
  endStreams(): void;
}

/** Shorter than proxies and routers let a connection be silent. */
const HEARTBEAT_MS = 15_000;

/** Reads the status of a job. @throws NOT_FOUND. */
export type ReadJob = (actor: Actor, jobId: string) => ReturnType<FollowedJob['read']>;

/** Makes the services over the one watch of the process; `close` ends the tail. */
export function createEvents(
  db: DataSource,
  watch: Pick<JobWatch, 'hear'>,
  readJob: ReadJob,
  heartbeatMs = HEARTBEAT_MS,
): EventServices & { close(): void } {
  const tail = createEventTail(db, watch);
  const live = createLiveJobs(db, watch);
  const streams = new EventStreams({ db, tail, live, heartbeatMs });
  return {
    list: (actor, query, waitSeconds) => listEvents({ db, tail }, actor, query, waitSeconds),
    stream: (actor, query) => streams.open(actor, query, null),
    async streamJob(actor, jobId, after) {
      // A foreign job is refused before the stream begins.
      await readJob(actor, jobId);
      const query = { subject: jobId, ...(after === undefined ? {} : { after }) };
      return streams.open(actor, query, { read: () => readJob(actor, jobId) });
    },
    get openStreams() {
      return streams.size;
    },
    endStreams: () => streams.endAll(),
    close() {
      live.close();
      tail.close();
    },
  };
}
