/** Lists of job states as SQL, made from the state machine, so that a statement cannot know other states than it does. */
import { TERMINAL_STATES } from '../domain/job-state.ts';

/** The terminal states of a job, for `status in …`. */
export const TERMINAL_SQL = sqlList(TERMINAL_STATES);

/** The states of a job whose execution is settled: the terminal states and PAUSED. */
export const SETTLED_SQL = sqlList([...TERMINAL_STATES, 'PAUSED']);

function sqlList(states: readonly string[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}
