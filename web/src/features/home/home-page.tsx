/** Home: what runs, what needs the person, what has ended since the last visit, and the credits. */
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { money, number } from '../../ui/format.ts';
import {
  buttonClass,
  CLIP,
  Empty,
  Facts,
  NUMBER,
  PageHead,
  Panel,
  Progress,
  Stack,
  Table,
} from '../../ui/pieces.tsx';
import { Age } from '../../ui/time.tsx';
import { nameOf } from '../jobs/job.ts';
import type { Job } from '../jobs/job.ts';
import { ENDED, OPEN, State } from '../jobs/state.tsx';
import styles from './home.module.css';
import { Needs, useNeeds } from './needs-you.tsx';

const DAYS_MS = 30 * 24 * 60 * 60 * 1000;
const VISIT = 'dockyard-visit';
const RUNNING = OPEN.filter((state) => state !== 'PAUSED');

export function HomePage() {
  const [since] = useState(() => localStorage.getItem(VISIT) ?? new Date(Date.now() - DAYS_MS).toISOString());
  useEffect(() => () => localStorage.setItem(VISIT, new Date().toISOString()), []);
  const running = useGet('/jobs', { query: { status: [...RUNNING], limit: 10 } });
  const paused = useGet('/jobs', { query: { status: ['PAUSED'], limit: 10 } });
  const ended = useGet('/jobs', { query: { status: [...ENDED], limit: 10 } });
  const isEmpty = [running, paused, ended].every(({ data }) => data?.jobs.length === 0);
  const lately = ended.data?.jobs.filter(({ finishedAt }) => (finishedAt ?? '') > since) ?? [];
  const failed = lately.filter(({ status }) => status === 'FAILED' || status === 'PARTIALLY_SUCCEEDED');
  const waiting = [...(paused.data?.jobs ?? []), ...failed];
  return (
    <Stack>
      <title>{m.app_title({ page: m.app_home() })}</title>
      <PageHead title={m.app_home()} />
      {isEmpty ? (
        <FirstSteps />
      ) : (
        <div className={styles.columns}>
          <Stack>
            <Panel title={m.home_running()} flush aside={<Link to="/jobs">{m.home_all_jobs()}</Link>}>
              <Loaded answer={running}>
                {({ jobs }) => <Jobs jobs={jobs} label={m.home_running()} none={m.home_nothing_runs()} />}
              </Loaded>
            </Panel>
            <Panel title={m.home_ended()} flush>
              <Loaded answer={ended}>
                {({ jobs }) => (
                  <Jobs
                    jobs={lately.length > 0 ? lately : jobs.slice(0, 5)}
                    label={m.home_ended()}
                    none={m.home_nothing_ended()}
                  />
                )}
              </Loaded>
            </Panel>
          </Stack>
          <Stack>
            <Panel title={m.home_needs_you()} flush>
              <Loaded answer={paused} lines={2}>
                {() => <NeedsYou jobs={waiting} />}
              </Loaded>
            </Panel>
            <Credits />
          </Stack>
        </div>
      )}
    </Stack>
  );
}

function NeedsYou({ jobs }: { readonly jobs: readonly Job[] }) {
  const needs = useNeeds();
  return (
    <>
      {needs.length > 0 && <Needs needs={needs} />}
      {(jobs.length > 0 || needs.length === 0) && (
        <Jobs jobs={jobs} label={m.home_needs_you()} none={m.home_nothing_needs_you()} />
      )}
    </>
  );
}

function Jobs({
  jobs,
  label,
  none,
}: {
  readonly jobs: readonly Job[];
  readonly label: string;
  readonly none: string;
}) {
  if (jobs.length === 0) return <Empty text={none} />;
  return (
    <Table label={label}>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.jobId}>
            <td>
              <State state={job.status} />
            </td>
            <td className={CLIP}>
              <Link to="/jobs/$jobId" params={{ jobId: job.jobId }} title={nameOf(job)}>
                <bdi>{nameOf(job)}</bdi>
              </Link>
            </td>
            <td>
              {job.finishedAt === null ? (
                <Progress
                  percent={job.progressPercent}
                  label={m.jobs_percent({ percent: number(Math.floor(job.progressPercent)) })}
                />
              ) : (
                money(job.chargedCents)
              )}
            </td>
            <td className={NUMBER}>
              <Age at={job.finishedAt ?? job.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Credits() {
  const balance = useGet('/credits/balance', {});
  const usage = useGet('/credits/usage', { query: { by: 'day' } });
  return (
    <Panel title={m.home_credits()}>
      <Loaded answer={balance} lines={3}>
        {({ available_cents, held_cents, debt_cents }) => (
          <Facts
            facts={[
              [m.home_available(), money(available_cents)],
              [m.home_held(), money(held_cents)],
              ...(debt_cents > 0 ? ([[m.home_owed(), money(debt_cents)]] as const) : []),
              [m.home_spent(), usage.data === undefined ? '…' : money(usage.data.spent_cents)],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** Three steps for an account without a job. */
function FirstSteps() {
  const { installation } = useAccount();
  const balance = useGet('/credits/balance', {});
  const available = balance.data?.available_cents ?? 0;
  return (
    <Panel title={m.home_begin()}>
      <ol className={styles.steps}>
        <li>
          <h3>{m.home_step_credits()}</h3>
          <p>
            {available > 0
              ? m.home_have_credits({ sum: money(available) })
              : installation.payments
                ? m.home_buy_credits()
                : m.home_ask_credits()}
          </p>
        </li>
        <li>
          <h3>{m.home_step_example()}</h3>
          <p>{m.home_example_text()}</p>
          <p>
            <Link to="/jobs/new" search={{ example: '1a28' }} className={buttonClass('primary')}>
              {m.home_example_do()}
            </Link>
          </p>
        </li>
        <li>
          <h3>{m.home_step_own()}</h3>
          <p>
            {m.home_own_text()} <Link to="/jobs/new">{m.app_new_job()}</Link>
          </p>
        </li>
      </ol>
    </Panel>
  );
}
