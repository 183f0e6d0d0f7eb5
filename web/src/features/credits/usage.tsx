/** What was spent, by day, job or key: bars for days, and a table with the same sums as the ledger. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { SelectField } from '../../ui/form.tsx';
import { money, number } from '../../ui/format.ts';
import { CLIP, Empty, NUMBER, Panel, Stack, Table } from '../../ui/pieces.tsx';
import styles from './credits.module.css';
import { DayBars } from './day-bars.tsx';
import { JobLink } from './job-link.tsx';

type Answer = AnswerOf<'get', '/credits/usage'>;
type Row = Answer['rows'][number];
const DAY_MS = 86_400_000;

const GROUPS = [
  ['day', m.credits_by_day],
  ['job', m.credits_by_job],
  ['key', m.credits_by_key],
] as const;
const SPANS = ['7', '30', '90'];

export function Usage() {
  const search = useAddress();
  const navigate = useNavigate();
  const [by] = GROUPS.find(([group]) => group === oneOf(search['by'])) ?? GROUPS[0];
  const span = SPANS.find((days) => days === oneOf(search['days'])) ?? '30';
  const [opened] = useState(() => Date.now());
  // Whole UTC days, so that the question stays the same while the page is open.
  const today = Math.floor(opened / DAY_MS) * DAY_MS;
  const from = new Date(today - (Number(span) - 1) * DAY_MS).toISOString();
  const usage = useGet('/credits/usage', { query: { by, from } }, { keep: true });
  const choose = (part: Readonly<Record<string, string>>): void =>
    void navigate({ to: '/credits', search: { by, days: span, ...part }, replace: true, resetScroll: false });
  return (
    <Panel flush title={m.credits_spent()}>
      <div className={styles.choices}>
        <SelectField
          label={m.credits_by()}
          value={by}
          options={GROUPS.map(([group, label]) => [group, label()])}
          onText={(group) => choose({ by: group })}
        />
        <SelectField
          label={m.credits_since()}
          value={span}
          options={SPANS.map((days) => [days, m.credits_days({ days })])}
          onText={(days) => choose({ days })}
        />
      </div>
      <Loaded answer={usage} lines={6}>
        {(data) => <Spent usage={data} />}
      </Loaded>
    </Panel>
  );
}

function Spent({ usage }: { readonly usage: Answer }) {
  const rows = usage.by === 'day' ? usage.rows.filter(({ jobs }) => jobs > 0).reverse() : usage.rows;
  if (rows.length === 0) return <Empty text={m.credits_nothing_spent()} />;
  const withHeld = usage.by !== 'day';
  return (
    <Stack>
      {usage.by === 'day' && <DayBars rows={usage.rows} />}
      <Table label={m.credits_spent()}>
        <thead>
          <tr>
            <th scope="col">{GROUPS.find(([group]) => group === usage.by)?.[1]()}</th>
            <th scope="col" className={NUMBER}>
              {m.credits_jobs()}
            </th>
            {withHeld && (
              <th scope="col" className={NUMBER}>
                {m.credits_held()}
              </th>
            )}
            <th scope="col" className={NUMBER}>
              {m.credits_charged()}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.day ?? row.job_id ?? row.key_id ?? 'people'}>
              <td className={CLIP}>
                <RowName by={usage.by} row={row} />
              </td>
              <td className={NUMBER}>{number(row.jobs)}</td>
              {withHeld && <td className={NUMBER}>{money(row.held_cents)}</td>}
              <td className={NUMBER}>{money(row.spent_cents)}</td>
            </tr>
          ))}
          {usage.others.rows > 0 && (
            <tr>
              <td>{m.credits_others({ n: number(usage.others.rows) })}</td>
              <td />
              {withHeld && <td className={NUMBER}>{money(usage.others.held_cents)}</td>}
              <td className={NUMBER}>{money(usage.others.spent_cents)}</td>
            </tr>
          )}
          <tr className={styles.total}>
            <td colSpan={2}>{m.credits_in_all()}</td>
            {withHeld && <td className={NUMBER}>{money(usage.held_cents)}</td>}
            <td className={NUMBER}>{money(usage.spent_cents)}</td>
          </tr>
        </tbody>
      </Table>
    </Stack>
  );
}

function RowName({ by, row }: { readonly by: Answer['by']; readonly row: Row }) {
  if (row.day !== null) return <>{row.day}</>;
  if (by === 'job') return <JobLink jobId={row.job_id} name={row.name} />;
  if (row.key_id === null) return <>{m.credits_by_people()}</>;
  return <bdi title={row.name ?? row.key_id}>{row.name ?? row.key_id.slice(0, 8)}</bdi>;
}
