/** The log of one task, live while it runs, and searchable. It is a text of others: shown as it is, and nothing in it acts. */
import { useNavigate } from '@tanstack/react-router';
import { ClientError, hasEnded } from 'dockyard-client/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { oneOf, useAddress } from '../../app/search.ts';
import { TextField } from '../../ui/form.tsx';
import { number } from '../../ui/format.ts';
import { Button, Code, Empty, Stack } from '../../ui/pieces.tsx';
import type { TabProps } from './job.ts';
import styles from './jobs.module.css';

const EVERY_MS = 2_000;
/** Lines that are shown at once; of a longer log the last ones. */
const MOST_LINES = 5_000;

export function LogTab({ status }: TabProps) {
  const { jobId } = status;
  const task = oneOf(useAddress()['task']) ?? '0';
  const [typed, setTyped] = useState(task);
  const [sought, setSought] = useState('');
  const navigate = useNavigate();
  const index = /^\d{1,9}$/.test(task) ? Number(task) : 0;
  const answer = useQuery({
    queryKey: ['/jobs/{jobId}/tasks/{index}/log', { path: { jobId, index } }],
    queryFn: async ({ signal }) => {
      try {
        return await api.text('/jobs/{jobId}/tasks/{index}/log', { path: { jobId, index }, signal });
      } catch (error) {
        // A task that has not begun has no log yet.
        if (error instanceof ClientError && error.status === 404) return '';
        throw error;
      }
    },
    refetchInterval: hasEnded(status) ? false : EVERY_MS,
  });
  return (
    <Stack>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({
            to: '/jobs/$jobId',
            params: { jobId },
            search: { tab: 'log', task: typed.trim() },
            replace: true,
          });
        }}
      >
        <TextField label={m.task_number()} inputMode="numeric" value={typed} onText={setTyped} />
        <TextField label={m.log_find()} value={sought} onText={setSought} />
        <Button type="submit">{m.log_show()}</Button>
      </form>
      <Loaded answer={answer}>
        {(text) => {
          const lines = text.split('\n');
          const found =
            sought === '' ? lines : lines.filter((line) => line.toLowerCase().includes(sought.toLowerCase()));
          if (text === '') return <Empty text={m.log_none()} />;
          return (
            <>
              <p className="quiet small" role="status">
                {m.log_lines({ n: number(Math.min(found.length, MOST_LINES)), all: number(lines.length) })}
              </p>
              <Code label={m.jobs_tab_log()} text={found.slice(-MOST_LINES).join('\n')} />
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}
