/** The codes of events. */
import { final, passing } from './code.ts';

/** Codes that the endpoints of events answer. */
export const EVENT_ERRORS = {
  CURSOR_EXPIRED: final(
    410,
    'The cursor of the events is older than 30 days, or from before the service was restored.',
    'Take the cursor of GET /events?latest=true, read the lists of what you follow, then go on with that cursor.',
  ),
  STREAM_LIMIT: passing(
    429,
    'As many streams of this account are open as may be at once.',
    'Close a stream, or wait as many seconds as Retry-After says, and repeat the request.',
  ),
};
