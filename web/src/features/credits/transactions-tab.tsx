/** Every movement of credits, newest first. */
import { useNavigate } from '@tanstack/react-router';
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { keyOf, useList } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { SelectField } from '../../ui/form.tsx';
import { money } from '../../ui/format.ts';
import { Button, Empty, NUMBER, Panel, Stack, Table } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import styles from './credits.module.css';
import { JobLink } from './job-link.tsx';

type Transaction = AnswerOf<'get', '/credits/transactions'>['transactions'][number];
type Kind = NonNullable<Parameters<typeof readPage>[0]>;
const PAGE = 50;

const KINDS = {
  topup: m.credits_kind_topup,
  topup_bonus: m.credits_kind_bonus,
  promo: m.credits_kind_promo,
  monthly_grant: m.credits_kind_grant,
  monthly_expiry: m.credits_kind_expiry,
  hold: m.credits_kind_hold,
  hold_increase: m.credits_kind_hold_more,
  hold_release: m.credits_kind_release,
  charge: m.credits_kind_charge,
  refund: m.credits_kind_refund,
  dispute: m.credits_kind_dispute,
  adjustment: m.credits_kind_adjustment,
} as const;

const isKind = (name: string): name is keyof typeof KINDS => Object.hasOwn(KINDS, name);
const kindWord = (type: string): string => (isKind(type) ? KINDS[type]() : type);

function readPage(type: keyof typeof KINDS | null, cursor: string | undefined, signal: AbortSignal) {
  const query = {
    limit: PAGE,
    ...(type === null ? {} : { type }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return api.get('/credits/transactions', { query, signal });
}

export function TransactionsTab() {
  const asked = oneOf(useAddress()['type']);
  const type: Kind | null = asked !== null && isKind(asked) ? asked : null;
  const navigate = useNavigate();
  const list = useList(keyOf('/credits/transactions', { list: type }), (cursor, signal) =>
    readPage(type, cursor, signal),
  );
  const transactions = list.data?.pages.flatMap((page) => page.transactions) ?? [];
  return (
    <Stack>
      <Panel flush>
        <div className={styles.choices}>
          <SelectField
            label={m.credits_kind()}
            value={type ?? ''}
            options={[
              ['', m.credits_kind_any()],
              ...Object.entries(KINDS).map(([kind, word]): readonly [string, string] => [kind, word()]),
            ]}
            onText={(kind) =>
              void navigate({ to: '/credits', search: { tab: 'transactions', type: kind }, replace: true })
            }
          />
        </div>
        <Loaded answer={list} lines={8}>
          {() =>
            transactions.length === 0 ? (
              <Empty text={m.credits_no_transactions()} />
            ) : (
              <Transactions transactions={transactions} />
            )
          }
        </Loaded>
      </Panel>
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {m.credits_older()}
          </Button>
        </div>
      )}
    </Stack>
  );
}

function Transactions({ transactions }: { readonly transactions: readonly Transaction[] }) {
  return (
    <Table label={m.credits_tab_transactions()}>
      <thead>
        <tr>
          <th scope="col">{m.credits_when()}</th>
          <th scope="col">{m.credits_kind()}</th>
          <th scope="col">{m.credits_what()}</th>
          <th scope="col" className={NUMBER}>
            {m.credits_amount()}
          </th>
          <th scope="col" className={NUMBER}>
            {m.credits_after()}
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((each) => (
          <tr key={each.id}>
            <td>
              <When at={each.created_at} />
            </td>
            <td>{kindWord(each.type)}</td>
            <td className={styles.what}>
              <bdi>{each.description}</bdi> <JobLink jobId={each.job_id} name={null} />
            </td>
            <td className={NUMBER}>{money(each.amount_cents)}</td>
            <td className={NUMBER}>
              {money(each.balance_after_cents)}
              <span className="quiet small"> {each.bucket === 'monthly' ? m.credits_of_month() : ''}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
