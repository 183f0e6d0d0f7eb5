/** The bill of a job, line by line and execution by execution, with what was not charged. */
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { amount, duration, money, number } from '../../ui/format.ts';
import { Empty, NUMBER, Panel, Stack, Table } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import type { TabProps } from './job.ts';
import styles from './jobs.module.css';

type Execution = AnswerOf<'get', '/jobs/{jobId}/bill'>['executions'][number];
const MICRO = 1_000_000;

const LINES: Readonly<Record<string, () => string>> = {
  start_fee: m.bill_start_fee,
  tasks: m.bill_tasks,
  time: m.bill_time,
  software: m.bill_software,
  storage: m.bill_storage,
  egress: m.bill_egress,
  ceiling: m.bill_ceiling,
};

export function BillTab({ status }: TabProps) {
  const { jobId, progress, recovery } = status;
  const answer = useGet('/jobs/{jobId}/bill', { path: { jobId } });
  return (
    <Stack>
      <Loaded answer={answer} lines={8}>
        {({ executions, chargedCents }) => (
          <>
            {executions.map((execution) => (
              <ExecutionBill key={execution.execution} bill={execution} />
            ))}
            <Panel title={m.bill_in_all({ sum: money(chargedCents) })}>
              <p>{m.bill_not_charged()}</p>
              <ul>
                <li>{m.bill_failed({ count: progress.failed })}</li>
                <li>{m.bill_lost({ count: recovery.recoveries, time: duration(recovery.secondsLost) })}</li>
              </ul>
            </Panel>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function ExecutionBill({ bill }: { readonly bill: Execution }) {
  const { currency, lines, settledAt } = bill;
  const micro = (value: number): string => amount(value / MICRO, currency);
  return (
    <Panel
      title={m.bill_execution({ n: bill.execution })}
      aside={<span className="quiet">{settledAt === null ? m.bill_open() : <When at={settledAt} />}</span>}
      flush
    >
      {lines.length === 0 ? (
        <Empty text={m.bill_no_lines()} />
      ) : (
        <Table label={m.bill_execution({ n: bill.execution })}>
          <thead>
            <tr>
              <th scope="col">{m.bill_line()}</th>
              <th scope="col">{m.bill_class()}</th>
              <th scope="col" className={NUMBER}>
                {m.bill_count()}
              </th>
              <th scope="col" className={NUMBER}>
                {m.bill_amount()}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr key={`${line.kind} ${line.priceClass ?? ''} ${String(index)}`}>
                <td>{LINES[line.kind]?.() ?? line.kind}</td>
                <td>{line.priceClass}</td>
                <td className={NUMBER}>
                  {line.tasks === null ? '' : number(line.tasks)}
                  {line.meteredMs === null ? '' : ` ${duration(line.meteredMs / 1000)}`}
                </td>
                <td className={NUMBER}>{micro(line.amountMicro)}</td>
              </tr>
            ))}
            <Sum label={m.bill_total()} value={micro(bill.totalMicro)} />
            {bill.fxSource !== null && (
              <Sum
                label={m.bill_rate({
                  rate: String(bill.fxRate),
                  source: bill.fxSource,
                  date: bill.fxDate ?? '',
                })}
                value={amount(bill.convertedMicro / MICRO, 'GBP')}
              />
            )}
            <Sum label={settledAt === null ? m.bill_due() : m.jobs_charged()} value={money(bill.dueCents)} />
            <Sum label={m.jobs_held()} value={money(bill.heldCents)} />
            <Sum label={m.jobs_given_back()} value={money(bill.releasedCents)} />
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function Sum({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <tr className={styles.total}>
      <td colSpan={3}>{label}</td>
      <td className={NUMBER}>{value}</td>
    </tr>
  );
}
