/** Open holds against open workflows: credits that are held for a job that nobody works on would be held for ever. */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { Hold } from '../../../entities/ledger.ts';
import type { Row } from '../row.ts';
import type { Difference } from './differences.ts';

const PAGE = 1_000;
const ASKED_AT_ONCE = 16;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Only holds that are older than this number of seconds are compared, because a new hold may be seen before its workflow. */
const QUIET_SECONDS = 300;

type OpenHold = Row<Hold, 'id' | 'jobId' | 'heldPence'>;

const OPEN = `
  select id, job_id, held_pence from holds
  where state = 'OPEN' and created_at < clock_timestamp() - make_interval(secs => $1)`;

/** Looks for open holds whose job has no open workflow. Temporal is asked for each by id. */
export async function compareHolds(
  db: DataSource,
  isOpen: (jobId: string) => Promise<boolean>,
  quietSeconds = QUIET_SECONDS,
): Promise<readonly Difference[]> {
  const limit = pLimit(ASKED_AT_ONCE);
  const found: Difference[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const page: readonly OpenHold[] = await db.query(
      `${OPEN} and id > $2 order by id limit ${String(PAGE)}`,
      [quietSeconds, after],
    );
    const answers = await Promise.all(page.map((hold) => limit(() => isOpen(hold.job_id))));
    const orphans = page.filter((_hold, index) => answers[index] === false).map(({ id }) => id);
    const still = await db.query<OpenHold[]>(`${OPEN} and id = any($2) order by id`, [quietSeconds, orphans]);
    for (const { id, job_id: jobId, held_pence: heldPence } of still)
      found.push({
        subject: id,
        detail: `${String(heldPence)} pence held for job ${jobId}, and no workflow runs`,
      });
    after = page.at(-1)?.id;
  }
  return found;
}
