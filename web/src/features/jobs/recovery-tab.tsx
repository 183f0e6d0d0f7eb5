/** The recovery ledger: every instance that was lost, every pause and resume, what was kept, and that none of it was charged. */
import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { keyOf, useList } from '../../api/queries.ts';
import { useWords } from '../../api/words.ts';
import { duration, money, number } from '../../ui/format.ts';
import { Button, Empty, NUMBER, Panel, Stack, Table } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import type { TabProps } from './job.ts';

export function RecoveryTab({ status }: TabProps) {
  const { jobId, recovery } = status;
  const list = useList(keyOf('/jobs/{jobId}/recoveries', { path: { jobId } }), (cursor, signal) =>
    api.get('/jobs/{jobId}/recoveries', {
      path: { jobId },
      query: cursor === undefined ? {} : { cursor },
      signal,
    }),
  );
  const entries = list.data?.pages.flatMap((page) => page.recoveries) ?? [];
  return (
    <Stack>
      <p className="quiet">
        {recovery.resumable ? m.recovery_resumable() : (recovery.resumableReason ?? m.recovery_again())}
      </p>
      <Panel flush>
        <Loaded answer={list}>
          {() =>
            entries.length === 0 ? (
              <Empty text={m.recovery_none()} />
            ) : (
              <Table label={m.jobs_tab_recovery()}>
                <thead>
                  <tr>
                    <th scope="col">{m.recovery_when()}</th>
                    <th scope="col">{m.recovery_cause()}</th>
                    <th scope="col" className={NUMBER}>
                      {m.recovery_kept()}
                    </th>
                    <th scope="col" className={NUMBER}>
                      {m.recovery_set_back()}
                    </th>
                    <th scope="col" className={NUMBER}>
                      {m.recovery_lost()}
                    </th>
                    <th scope="col" className={NUMBER}>
                      {m.jobs_charged()}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {entries.map((entry) => (
                    <tr key={`${entry.at} ${entry.kind}`}>
                      <td>
                        <When at={entry.at} />
                      </td>
                      <td>
                        <Cause code={entry.cause} />
                      </td>
                      <td className={NUMBER}>{number(entry.tasksKept)}</td>
                      <td className={NUMBER}>{number(entry.tasksSetBack)}</td>
                      <td className={NUMBER}>{duration(entry.secondsLost)}</td>
                      <td className={NUMBER}>{money(entry.chargedCents)}</td>
                    </tr>
                  ))}
                </tbody>
              </Table>
            )
          }
        </Loaded>
      </Panel>
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{m.jobs_more_rows()}</Button>}
    </Stack>
  );
}

function Cause({ code }: { readonly code: string }) {
  return <>{useWords(code) ?? code}</>;
}
