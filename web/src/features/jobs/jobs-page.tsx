/** The jobs of the account, newest first and live; filters stand in the address. */
import { hasEnded } from 'dockyard-client/browser';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { useAddress } from '../../app/search.ts';
import { amount, money, number } from '../../ui/format.ts';
import {
  Button,
  buttonClass,
  CLIP,
  Empty,
  NUMBER,
  PageHead,
  Panel,
  Progress,
  Stack,
  Table,
} from '../../ui/pieces.tsx';
import { useRevealed } from '../../ui/revealed.ts';
import { Age } from '../../ui/time.tsx';
import { CancelJobs } from './cancel-jobs.tsx';
import { filterOf, JobFilters } from './job-filters.tsx';
import { useJobs } from './job-list.ts';
import { nameOf } from './job.ts';
import type { Job } from './job.ts';
import styles from './jobs.module.css';
import { State } from './state.tsx';

export function JobsPage() {
  const filter = filterOf(useAddress());
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [cancelling, setCancelling] = useState<readonly Job[] | null>(null);
  const list = useJobs(filter);
  const jobs = useMemo(() => list.data?.pages.flatMap((page) => page.jobs) ?? [], [list.data]);
  const [shown, fresh, reveal] = useRevealed(jobs, ({ createdAt }) => createdAt, JSON.stringify(filter));
  const chosen = shown.filter((job) => selected.has(job.jobId) && !hasEnded(job));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Stack>
      <title>{m.app_title({ page: m.app_jobs() })}</title>
      <PageHead
        title={m.app_jobs()}
        facts={<Counts />}
        actions={
          <Link to="/jobs/new" className={`${buttonClass('primary')} ${styles.onPhones}`}>
            {m.app_new_job()}
          </Link>
        }
      />
      <JobFilters
        filter={filter}
        onFilter={(search) => void navigate({ to: '/jobs', search, replace: true })}
      />
      <Panel flush>
        {fresh > 0 && (
          <Button kind="bare" onClick={reveal}>
            {m.jobs_fresh({ count: fresh })}
          </Button>
        )}
        {chosen.length > 0 && (
          <Button kind="bare" onClick={() => setCancelling(chosen)}>
            {m.jobs_cancel_chosen({ count: chosen.length })}
          </Button>
        )}
        <Loaded answer={list} lines={8}>
          {() =>
            shown.length === 0 ? (
              <Empty text={isFiltered ? m.jobs_none_like_this() : m.jobs_none()}>
                {isFiltered ? (
                  <Link to="/jobs" className={buttonClass()}>
                    {m.jobs_show_all()}
                  </Link>
                ) : (
                  <Link to="/jobs/new" search={{ example: '1a28' }} className={buttonClass()}>
                    {m.jobs_example()}
                  </Link>
                )}
              </Empty>
            ) : (
              <JobTable jobs={shown} selected={selected} onSelected={setSelected} />
            )
          }
        </Loaded>
      </Panel>
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {m.jobs_more()}
          </Button>
        </div>
      )}
      {cancelling !== null && (
        <CancelJobs
          jobs={cancelling}
          onClose={() => {
            setCancelling(null);
            setSelected(new Set());
          }}
        />
      )}
    </Stack>
  );
}

function Counts() {
  const { data } = useGet('/jobs/summary', {});
  if (data === undefined) return <>&nbsp;</>;
  const { open, byStatus } = data;
  return (
    <>
      {m.jobs_counts({
        open: number(open),
        running: number(byStatus.RUNNING),
        paused: number(byStatus.PAUSED),
        failed: number(byStatus.FAILED),
      })}
    </>
  );
}

function JobTable({
  jobs,
  selected,
  onSelected,
}: {
  readonly jobs: readonly Job[];
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (selected: ReadonlySet<string>) => void;
}) {
  const toggle = (jobId: string): void => {
    const next = new Set(selected);
    if (!next.delete(jobId)) next.add(jobId);
    onSelected(next);
  };
  return (
    <Table label={m.app_jobs()}>
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden-text">{m.jobs_choose()}</span>
          </th>
          <th scope="col">{m.jobs_state()}</th>
          <th scope="col">{m.jobs_name()}</th>
          <th scope="col">{m.jobs_kind()}</th>
          <th scope="col">{m.jobs_progress()}</th>
          <th scope="col" className={NUMBER}>
            {m.jobs_cost()}
          </th>
          <th scope="col" className={NUMBER}>
            {m.jobs_age()}
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.jobId}>
            <td>
              {!hasEnded(job) && (
                <input
                  type="checkbox"
                  aria-label={m.jobs_choose_one({ name: nameOf(job) })}
                  checked={selected.has(job.jobId)}
                  onChange={() => toggle(job.jobId)}
                />
              )}
            </td>
            <td>
              <State state={job.status} />
            </td>
            <td className={CLIP}>
              <Link to="/jobs/$jobId" params={{ jobId: job.jobId }} title={nameOf(job)}>
                <bdi>{nameOf(job)}</bdi>
              </Link>
            </td>
            <td>{job.simulator ?? job.jobType}</td>
            <td>
              <Progress
                percent={job.progressPercent}
                label={m.jobs_percent({ percent: number(Math.floor(job.progressPercent)) })}
              />
            </td>
            <td className={NUMBER}>{costOf(job)}</td>
            <td className={NUMBER}>
              <Age at={job.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function costOf(job: Job): string {
  return hasEnded(job)
    ? money(job.chargedCents)
    : m.jobs_about({ sum: amount(job.estimatedCost, job.currency) });
}
