/** The tasks of a job, failures first. However many there are, only the rows that are seen are in the page. */
import { hasEnded } from 'dockyard-client/browser';
import type { AnswerOf } from 'dockyard-client/browser';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { keyOf, useList } from '../../api/queries.ts';
import { useWords } from '../../api/words.ts';
import { duration, number } from '../../ui/format.ts';
import { Chip, Empty, Panel, Pill, Stack } from '../../ui/pieces.tsx';
import type { Tone } from '../../ui/pieces.tsx';
import type { TabProps } from './job.ts';
import styles from './jobs.module.css';

/** Rows that are read at first, and at once further down: what is live reads every page again. */
const PAGE = 100;
const FURTHER = 1_000;
const ROW_PX = 36;

const STATES: Readonly<Record<string, readonly [mark: string, tone: Tone, word: () => string]>> = {
  PENDING: ['○', 'quiet', m.task_pending],
  RUNNING: ['◐', 'run', m.task_running],
  SUCCEEDED: ['✓', 'ok', m.task_succeeded],
  FAILED: ['✕', 'bad', m.task_failed],
  CANCELLED: ['–', 'quiet', m.task_cancelled],
};
const CHOICES = ['FAILED', 'RUNNING', 'SUCCEEDED', 'PENDING', 'CANCELLED'] as const;

type Choice = (typeof CHOICES)[number] | null;

export function TasksTab({ status }: TabProps) {
  const { progress, failures } = status;
  const [hadFailures] = useState(progress.failed > 0);
  const [own, choose] = useState<Choice>();
  // Failures that a visitor has not chosen make way for all tasks once a resumed job has none any more.
  const chosen = own === undefined ? (hadFailures && progress.failed > 0 ? 'FAILED' : null) : own;
  const preparation = failures.find(({ index }) => index === null);
  return (
    <Stack>
      {preparation !== undefined && <FailureOf code={preparation.code} message={preparation.message} />}
      <div className={styles.chips} role="group" aria-label={m.jobs_tab_tasks()}>
        {[null, ...CHOICES].map((choice) => (
          <Chip key={choice} pressed={choice === chosen} onClick={() => choose(choice)}>
            {choice === null ? m.task_all({ n: number(progress.total) }) : STATES[choice]?.[2]()}
            {choice === 'FAILED' && ` (${number(progress.failed)})`}
          </Chip>
        ))}
      </div>
      <Panel flush>
        <Tasks key={chosen} status={status} chosen={chosen} />
      </Panel>
    </Stack>
  );
}

function FailureOf({ code, message }: { readonly code: string; readonly message: string }) {
  const words = useWords(code);
  return (
    <Panel title={code}>
      <p>{message}</p>
      {words !== null && <p className="quiet">{words}</p>}
    </Panel>
  );
}

function Tasks({ status, chosen }: TabProps & { readonly chosen: Choice }) {
  const { jobId } = status;
  const list = useList([...keyOf('/jobs/{jobId}/tasks', { path: { jobId } }), chosen], (cursor, signal) =>
    api.get('/jobs/{jobId}/tasks', {
      path: { jobId },
      query: {
        limit: cursor === undefined ? PAGE : FURTHER,
        ...(chosen === null ? {} : { state: [chosen] }),
        ...(cursor === undefined ? {} : { cursor }),
      },
      signal,
    }),
  );
  const tasks = useMemo(() => list.data?.pages.flatMap((page) => page.tasks) ?? [], [list.data]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (last >= tasks.length - PAGE / 2 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, tasks.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Loaded answer={list} lines={8}>
      {() =>
        tasks.length === 0 ? (
          <Empty
            text={
              chosen !== null ? m.task_none_like_this() : hasEnded(status) ? m.task_none() : m.task_none_yet()
            }
          />
        ) : (
          <div ref={box} className={styles.rows} role="region" aria-label={m.jobs_tab_tasks()} tabIndex={0}>
            <div
              role="table"
              aria-rowcount={hasNextPage ? -1 : tasks.length + 1}
              style={{ height: rows.getTotalSize() + ROW_PX, minWidth: 720 }}
            >
              <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.rowHead}`}>
                {[
                  m.task_number(),
                  m.task_id(),
                  m.jobs_state(),
                  m.task_result(),
                  m.task_time(),
                  m.jobs_tab_log(),
                ].map((head) => (
                  <span key={head} role="columnheader">
                    {head}
                  </span>
                ))}
              </div>
              {items.map(({ index, start }) => {
                const task = tasks[index];
                return task === undefined ? null : (
                  <Row key={task.index} task={task} jobId={jobId} place={index + 2} top={start + ROW_PX} />
                );
              })}
            </div>
          </div>
        )
      }
    </Loaded>
  );
}

type Task = AnswerOf<'get', '/jobs/{jobId}/tasks'>['tasks'][number];

/** A row that stays in the page is not drawn again when the table is scrolled. */
const Row = memo(function Row({
  task,
  jobId,
  place,
  top,
}: {
  readonly task: Task;
  readonly jobId: string;
  /** Which row of the table it is, the heads being the first. */
  readonly place: number;
  readonly top: number;
}) {
  const [mark, tone, word] = STATES[task.state] ?? ['○', 'quiet', () => task.state];
  const { startedAt, finishedAt, failure } = task;
  const told = failure === null ? summaryOf(task.summary) : `${failure.code}: ${failure.message}`;
  return (
    <div role="row" aria-rowindex={place} className={styles.row} style={{ top }}>
      <span role="cell">{number(task.index)}</span>
      <span role="cell" title={task.id}>
        <bdi>{task.id}</bdi>
      </span>
      <span role="cell">
        <Pill mark={mark} tone={tone}>
          {word()}
        </Pill>
      </span>
      <span role="cell" title={told}>
        {told}
      </span>
      <span role="cell">
        {startedAt === null || finishedAt === null
          ? ''
          : duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)}
      </span>
      <span role="cell">
        <Link to="/jobs/$jobId" params={{ jobId }} search={{ tab: 'log', task: String(task.index) }}>
          {m.task_log()}
        </Link>
      </span>
    </div>
  );
});

/** The figures of a task that are texts or numbers, by their names. */
function summaryOf(summary: object | null): string {
  return Object.entries(summary ?? {})
    .flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'number' || typeof value === 'string'
        ? `${wordsOf(name)} ${typeof value === 'number' ? number(value, Number.isInteger(value) ? 0 : 3) : value}`
        : [],
    )
    .join(' · ');
}

function wordsOf(name: string): string {
  return name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
}
