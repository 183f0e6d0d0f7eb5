/** What there is, what is held ahead for jobs that go on, and what was spent. */
import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { money } from '../../ui/format.ts';
import { CLIP, Empty, Facts, NUMBER, Panel, Stack, Table } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import styles from './credits.module.css';
import { JobLink } from './job-link.tsx';
import { Usage } from './usage.tsx';

/** Rows of open jobs that are shown; the dearest come first. */
const MOST_OPEN = 20;

export function OverviewTab() {
  return (
    <Stack>
      <div className={styles.two}>
        <Balances />
        <Open />
      </div>
      <Usage />
    </Stack>
  );
}

function Balances() {
  const balance = useGet('/credits/balance', {});
  return (
    <Panel title={m.credits_have()}>
      <Loaded answer={balance}>
        {(data) => (
          <Stack>
            <Facts
              facts={[
                [m.credits_available(), <strong key="sum">{money(data.available_cents)}</strong>],
                [m.credits_wallet(), money(data.wallet_available_cents)],
                [m.credits_monthly(), <Monthly key="monthly" {...data} />],
                [m.credits_held(), money(data.held_cents)],
                [m.credits_owed(), money(data.debt_cents)],
              ]}
            />
            <p className="quiet small">{m.credits_explained()}</p>
            {data.debt_cents > 0 && <p className="small">{m.credits_debt_explained()}</p>}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function Monthly({
  monthly_available_cents,
  monthly_reset_at,
}: {
  readonly monthly_available_cents: number;
  readonly monthly_reset_at: string | null;
}) {
  return (
    <>
      {money(monthly_available_cents)}
      {monthly_reset_at !== null && (
        <span className="quiet">
          {' '}
          {m.credits_renewed()} <When at={monthly_reset_at} />
        </span>
      )}
    </>
  );
}

function Open() {
  const usage = useGet('/credits/usage', { query: { by: 'job', limit: 1000 } });
  return (
    <Panel flush title={m.credits_runs_up()}>
      <Loaded answer={usage}>
        {({ rows, held_cents }) => {
          const open = rows.filter((row) => row.held_cents > 0).sort((a, b) => b.held_cents - a.held_cents);
          if (open.length === 0) return <Empty text={m.credits_nothing_runs()} />;
          return (
            <Table label={m.credits_runs_up()}>
              <thead>
                <tr>
                  <th scope="col">{m.credits_job()}</th>
                  <th scope="col" className={NUMBER}>
                    {m.credits_held()}
                  </th>
                </tr>
              </thead>
              <tbody>
                {open.slice(0, MOST_OPEN).map(({ job_id, name, held_cents: held }) => (
                  <tr key={job_id}>
                    <td className={CLIP}>
                      <JobLink jobId={job_id} name={name} />
                    </td>
                    <td className={NUMBER}>{money(held)}</td>
                  </tr>
                ))}
                <tr className={styles.total}>
                  <td>{m.credits_all_held()}</td>
                  <td className={NUMBER}>{money(held_cents)}</td>
                </tr>
              </tbody>
            </Table>
          );
        }}
      </Loaded>
    </Panel>
  );
}
