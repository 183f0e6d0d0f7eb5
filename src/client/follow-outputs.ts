/**
 * Follows the outputs of a job: each is given once, in the order of the commits, until the service says that nothing more
 * comes. A job that ends without some of its outputs ends the following, too.
 */
import type { Query } from './transport.ts';
import type { JobStatusResponse, OutputItem, OutputListResponse } from './types.ts';

const BEFORE_EVERYTHING = '1970-01-01T00:00:00Z';

/** The two calls that following makes: the changes of the job, and the outputs since a time. */
export interface OutputSource {
  readonly changes: AsyncIterable<JobStatusResponse>;
  readonly list: (query: Query) => Promise<OutputListResponse>;
}

/** Gives a job's outputs as they are committed, up to the last. */
export async function* followOutputs({
  changes,
  list,
}: OutputSource): AsyncGenerator<OutputItem, void, void> {
  // The time is sent back as the service answered it, because a Date would lose the microseconds.
  let since = BEFORE_EVERYTHING;
  for await (const _change of changes) {
    let latest = since;
    let page = await list({ since });
    for (;;) {
      yield* page.outputs;
      latest = page.outputs.at(-1)?.createdAt ?? latest;
      if (page.nextCursor === null) break;
      page = await list({ since, cursor: page.nextCursor });
    }
    // An output that is committed between two pages is on a later page, so the figures of the last page are the newest.
    if (page.final) return;
    since = latest;
  }
}
