/** The place of a job in the queue for capacity: the queue is ordered by `services/execution`, and customers see the place in the status. */

/** Names the request of an execution. */
export interface CapacityOf {
  readonly jobId: string;
  readonly execution: number;
}

/** The seats of the software that a job waits for. */
export interface SeatsInUse {
  readonly software: string;
  readonly seats: number;
  readonly used: number;
}

/** The place of a waiting request in the order of granting, from 1, and why the request waits. */
export interface QueuePlace {
  /** Among the requests that wait for a seat of the same software, where the reason is that. */
  readonly position: number;
  readonly reason: 'ACCOUNT_LIMIT' | 'CAPACITY' | 'LICENSE_SEATS';
  /** Absent where the request waits for something else. */
  readonly license?: SeatsInUse;
}

/** Tells places in the queue. */
export interface QueueView {
  /** The place of a waiting execution in the order of granting; null when it does not wait. */
  placeOf(request: CapacityOf): Promise<QueuePlace | null>;
}
