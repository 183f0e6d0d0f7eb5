/** Start of the workflow of a top-up, and its end. */
import type { TopupState } from '../domain/topups.ts';

/** The top-up that is followed. */
export interface TopupInput {
  readonly topupId: string;
}

/** The state in which nothing more is waited for. */
export interface TopupResult {
  readonly state: TopupState;
}
