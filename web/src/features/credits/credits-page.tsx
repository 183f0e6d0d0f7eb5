/** The credits of the account: what there is, what was spent and runs up, buying more, limits, statements. */
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactNode } from 'react';

import { m } from '#messages';

import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { money } from '../../ui/format.ts';
import { buttonClass, Notice, PageHead, Stack } from '../../ui/pieces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { keptDraft } from '../jobs/draft.ts';
import { LimitsTab } from './limits-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { StatementsTab } from './statements-tab.tsx';
import { TopupTab } from './topup-tab.tsx';
import { TransactionsTab } from './transactions-tab.tsx';

const TABS: readonly (readonly [tab: string, label: () => string, Body: () => ReactNode])[] = [
  ['overview', m.credits_tab_overview, OverviewTab],
  ['topup', m.credits_tab_topup, TopupTab],
  ['transactions', m.credits_tab_transactions, TransactionsTab],
  ['limits', m.credits_tab_limits, LimitsTab],
  ['statements', m.credits_tab_statements, StatementsTab],
];

export function CreditsPage() {
  const asked = oneOf(useAddress()['tab']);
  const current = TABS.find(([tab]) => tab === asked) ?? TABS[0];
  if (current === undefined) return null;
  const [tab, , Body] = current;
  return (
    <Stack>
      <title>{m.app_title({ page: m.credits_title() })}</title>
      <PageHead title={m.credits_title()} facts={<Balance />} />
      <WayBack />
      <Tabs
        label={m.credits_title()}
        current={tab}
        tabs={TABS.map(([each, label]) => ({
          tab: each,
          label: label(),
          to: '/credits',
          search: { tab: each },
        }))}
      >
        <Body />
      </Tabs>
    </Stack>
  );
}

function Balance() {
  const { data } = useGet('/credits/balance', {});
  if (data === undefined) return <>&nbsp;</>;
  return (
    <>
      {m.credits_line({ available: money(data.available_cents), held: money(data.held_cents) })}
      {data.debt_cents > 0 && <> · {m.credits_line_owed({ sum: money(data.debt_cents) })}</>}
    </>
  );
}

/** What a payment that came back here means. */
function WayBack() {
  const search = useAddress();
  if (search['topup'] === 'success') return <Paid />;
  if (search['topup'] === 'cancelled') return <Notice title={m.credits_unpaid()} />;
  if (search['from'] === 'billing')
    return <Notice title={m.credits_billing()}>{m.credits_billing_text()}</Notice>;
  return null;
}

/** The way on for whoever paid because a job cost more than there was. */
function ToDraft() {
  return (
    <Link to="/jobs/new" className={buttonClass('primary')}>
      {m.credits_to_draft()}
    </Link>
  );
}

const LOOK_MS = 5_000;

/** The newest top-up, until the event of its payment is there; the browser coming back proves nothing. */
function Paid() {
  const answer = useGet('/credits/topups', { query: { limit: 1 } }, { everyMs: LOOK_MS });
  const newest = answer.data?.topups[0];
  const isPaid = newest?.state === 'PAID';
  const { refetch } = useGet('/credits/balance', {});
  useEffect(() => {
    if (isPaid) void refetch();
  }, [isPaid, refetch]);
  if (answer.data === undefined && answer.error !== null) return <Failure error={answer.error} />;
  if (newest === undefined) return <Loaded answer={answer}>{() => null}</Loaded>;
  if (isPaid)
    return (
      <Notice
        tone="ok"
        title={m.credits_added({ sum: money(newest.amountCents + newest.bonusCents) })}
        {...(keptDraft() === null ? {} : { actions: <ToDraft /> })}
      />
    );
  if (newest.state === 'FAILED' || newest.state === 'EXPIRED')
    return <Notice tone="bad" title={m.credits_payment_failed()} />;
  return <Notice title={m.credits_paid()}>{m.credits_paid_text()}</Notice>;
}
