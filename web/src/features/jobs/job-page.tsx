/** One job: how it stands and why, what it costs, and behind tabs everything that it did. The tab stands in the address. */
import { hasEnded } from 'dockyard-client/browser';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { ComponentType } from 'react';

import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { useWords } from '../../api/words.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { amount, duration, money, number } from '../../ui/format.ts';
import {
  Button,
  buttonClass,
  Facts,
  Notice,
  PageHead,
  Panel,
  Progress,
  Skeleton,
  Stack,
} from '../../ui/pieces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Age } from '../../ui/time.tsx';
import { CancelJobs } from './cancel-jobs.tsx';
import { nameOf } from './job.ts';
import type { TabProps } from './job.ts';
import styles from './jobs.module.css';
import { ResumeJob } from './resume-job.tsx';
import { State } from './state.tsx';

const TABS: Readonly<Record<string, readonly [label: () => string, tab: ComponentType<TabProps>]>> = {
  tasks: [m.jobs_tab_tasks, lazy(async () => ({ default: (await import('./tasks-tab.tsx')).TasksTab }))],
  bill: [m.jobs_tab_bill, lazy(async () => ({ default: (await import('./bill-tab.tsx')).BillTab }))],
  recovery: [
    m.jobs_tab_recovery,
    lazy(async () => ({ default: (await import('./recovery-tab.tsx')).RecoveryTab })),
  ],
  outputs: [
    m.jobs_tab_outputs,
    lazy(async () => ({ default: (await import('./outputs-tab.tsx')).OutputsTab })),
  ],
  log: [m.jobs_tab_log, lazy(async () => ({ default: (await import('./log-tab.tsx')).LogTab }))],
  receipt: [
    m.jobs_tab_receipt,
    lazy(async () => ({ default: (await import('./receipt-tab.tsx')).ReceiptTab })),
  ],
  request: [
    m.jobs_tab_request,
    lazy(async () => ({ default: (await import('./request-tab.tsx')).RequestTab })),
  ],
};

export function JobPage() {
  const { jobId = '' }: { readonly jobId?: string } = useParams({ strict: false });
  const answer = useGet('/jobs/{jobId}/status', { path: { jobId } });
  return (
    <Stack>
      <title>{m.app_title({ page: answer.data === undefined ? m.app_job() : nameOf(answer.data) })}</title>
      <p className="small">
        <Link to="/jobs">{m.app_jobs()}</Link>
      </p>
      <Loaded answer={answer} lines={8}>
        {(status) => <Job status={status} />}
      </Loaded>
    </Stack>
  );
}

function Job({ status }: TabProps) {
  const asked = oneOf(useAddress()['tab']) ?? 'tasks';
  const [, Tab] = TABS[asked] ?? TABS['tasks'] ?? [];
  const { jobId } = status;
  return (
    <>
      <Head status={status} />
      <Standing status={status} />
      <Tabs
        label={m.jobs_tabs()}
        current={TABS[asked] === undefined ? 'tasks' : asked}
        tabs={Object.entries(TABS).map(([tab, [label]]) => ({
          tab,
          label: label(),
          to: `/jobs/${jobId}`,
          search: { tab },
        }))}
      >
        <Suspense fallback={<Skeleton lines={6} />}>{Tab !== undefined && <Tab status={status} />}</Suspense>
      </Tabs>
    </>
  );
}

function Head({ status }: TabProps) {
  const [over, setOver] = useState<'cancel' | 'resume' | null>(null);
  const { cost, progress } = status;
  const mayResume = cost.toFinishCents !== null;
  const failsAgain = cost.toFinishFailsAgain && hasEnded(status);
  return (
    <>
      <PageHead
        title={<bdi>{nameOf(status)}</bdi>}
        facts={
          <span className={styles.status}>
            <State state={status.status} />
            <span>{status.jobType}</span>
            <span>
              {m.jobs_done_of({ done: number(progress.completed), total: number(progress.total) })}
              {progress.failed > 0 && ` · ${m.jobs_failed_n({ n: number(progress.failed) })}`}
            </span>
            <span>
              {m.jobs_begun()} <Age at={status.submittedAt} />
            </span>
          </span>
        }
        actions={
          <>
            {failsAgain && (
              <Link to="/jobs/new" search={{ from: status.jobId }} className={buttonClass('primary')}>
                {m.request_again()}
              </Link>
            )}
            {mayResume && !failsAgain && (
              <Button
                kind={status.status === 'PAUSED' ? 'primary' : 'plain'}
                onClick={() => setOver('resume')}
              >
                {m.jobs_resume_for({ sum: money(cost.toFinishCents ?? 0) })}
              </Button>
            )}
            {!hasEnded(status) && status.status !== 'CANCELLING' && (
              <Button kind="danger" onClick={() => setOver('cancel')}>
                {m.jobs_cancel_one()}
              </Button>
            )}
          </>
        }
      />
      {!hasEnded(status) && (
        <Progress
          percent={progress.percent}
          label={m.jobs_percent({ percent: number(Math.floor(progress.percent)) })}
        />
      )}
      {over === 'cancel' && <CancelJobs jobs={[status]} onClose={() => setOver(null)} />}
      {over === 'resume' && <ResumeJob status={status} onClose={() => setOver(null)} />}
    </>
  );
}

/** The seats of the software that a job waits for. */
function seatsOf(queue: TabProps['status']['queue']): readonly (readonly [string, string])[] {
  if (queue?.license === undefined) return [];
  const { software, seats, used } = queue.license;
  return [[m.jobs_seats({ software }), m.jobs_seats_of({ used: number(used), seats: number(seats) })]];
}

/** Why the job is in its state and what one does, and what it costs. */
function Standing({ status }: TabProps) {
  const { cost, progress, queue, pauseReason, statusReason } = status;
  const state = useWords(status.status);
  const cause = pauseReason ?? queue?.reason ?? '';
  const reason = useWords(cause);
  const beside = useWords(statusReason ?? '') ?? statusReason;
  const isOpen = !hasEnded(status);
  return (
    <div className={styles.two}>
      <Panel>
        <Stack>
          {state !== null && <p>{state}</p>}
          {reason !== null && <p>{reason}</p>}
          {beside !== null && statusReason !== cause && beside !== reason && (
            <p className="quiet">{beside}</p>
          )}
          {status.warnings.map(({ code, message }) => (
            <Notice key={code} tone="warn" title={code}>
              <p>{message}</p>
            </Notice>
          ))}
          {isOpen && (
            <Facts
              facts={[
                ...(queue?.position == null ? [] : ([[m.jobs_place(), number(queue.position)]] as const)),
                ...seatsOf(queue),
                ...(progress.etaSeconds === null
                  ? []
                  : ([[m.jobs_left(), duration(progress.etaSeconds)]] as const)),
                [m.jobs_instances(), number(status.instances.length)],
              ]}
            />
          )}
          {isOpen && <p className="quiet small">{m.jobs_may_close()}</p>}
        </Stack>
      </Panel>
      <Panel>
        <Facts
          facts={[
            [m.jobs_charged(), money(cost.chargedCents)],
            [m.jobs_held(), money(cost.heldCents)],
            [m.jobs_given_back(), money(cost.releasedCents)],
            [m.jobs_estimated(), amount(cost.estimatedCost, cost.currency)],
            ...(cost.forecast === null
              ? []
              : ([
                  [
                    m.jobs_forecast(),
                    m.jobs_from_to({
                      low: money(cost.forecast.lowCents),
                      high: money(cost.forecast.highCents),
                    }),
                  ],
                ] as const)),
            ...(cost.limitCents === null ? [] : ([[m.jobs_limit(), money(cost.limitCents)]] as const)),
          ]}
        />
        {cost.toFinishAdvice !== null && !(cost.toFinishFailsAgain && !isOpen) && (
          <p className={`quiet ${styles.below}`}>{cost.toFinishAdvice}</p>
        )}
      </Panel>
    </div>
  );
}
