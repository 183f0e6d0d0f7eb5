/** Buying credits: what there is to buy, and what became of each purchase. */
import { useState } from 'react';
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { keyOf, useGet, useList } from '../../api/queries.ts';
import { money } from '../../ui/format.ts';
import { Button, Empty, Notice, NUMBER, Panel, Pill, Stack, Table } from '../../ui/pieces.tsx';
import type { Tone } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import styles from './credits.module.css';

type Tier = AnswerOf<'get', '/credits/tiers'>['tiers'][number];
type Topup = AnswerOf<'get', '/credits/topups'>['topups'][number];

export function TopupTab() {
  const { installation } = useAccount();
  return (
    <Stack>
      {installation.payments ? (
        <Tiers />
      ) : (
        <Notice title={m.credits_no_payments()}>{m.credits_no_payments_text()}</Notice>
      )}
      <Topups />
    </Stack>
  );
}

function Tiers() {
  const tiers = useGet('/credits/tiers', {});
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const buy = async (tierId: string): Promise<void> => {
    setBusy(tierId);
    setError(null);
    try {
      const { url } = await api.post('/credits/topup', {
        body: { tierId },
        idempotencyKey: `${idempotencyKey}-${tierId}`,
      });
      location.assign(url);
    } catch (failed) {
      setError(failed);
      setBusy(null);
    }
  };
  return (
    <Panel title={m.credits_buy()}>
      <Stack>
        <p className="quiet">{m.credits_buy_text()}</p>
        {error !== null && <Failure error={error} />}
        <Loaded answer={tiers}>
          {({ tiers: all }) => (
            <ul className={styles.tiers}>
              {all.map((tier) => (
                <OneTier
                  key={tier.tierId}
                  tier={tier}
                  busy={busy === tier.tierId}
                  taken={busy !== null}
                  onBuy={() => void buy(tier.tierId)}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </Stack>
    </Panel>
  );
}

function OneTier({
  tier,
  busy,
  taken,
  onBuy,
}: {
  readonly tier: Tier;
  readonly busy: boolean;
  readonly taken: boolean;
  readonly onBuy: () => void;
}) {
  return (
    <li className={styles.tier}>
      <strong>{m.credits_tier({ sum: money(tier.creditsCents) })}</strong>
      <span className="quiet small">
        {tier.bonusCents > 0 ? m.credits_bonus({ sum: money(tier.bonusCents) }) : m.credits_no_bonus()}
      </span>
      <Button busy={busy} disabled={taken} onClick={onBuy}>
        {m.credits_pay({ sum: money(tier.amountCents) })}
      </Button>
    </li>
  );
}

const STATES: Readonly<Record<string, readonly [mark: string, tone: Tone, word: () => string]>> = {
  CREATED: ['○', 'quiet', m.credits_topup_open],
  OPEN: ['○', 'quiet', m.credits_topup_open],
  PROCESSING: ['◐', 'run', m.credits_topup_processing],
  PAID: ['✓', 'ok', m.credits_topup_paid],
  FAILED: ['✕', 'bad', m.credits_topup_failed],
  EXPIRED: ['–', 'quiet', m.credits_topup_expired],
};

function Topups() {
  const list = useList(keyOf('/credits/topups', { list: true }), (cursor, signal) =>
    api.get('/credits/topups', { query: cursor === undefined ? {} : { cursor }, signal }),
  );
  const topups = list.data?.pages.flatMap((page) => page.topups) ?? [];
  return (
    <>
      <Panel flush title={m.credits_bought()}>
        <Loaded answer={list}>
          {() =>
            topups.length === 0 ? (
              <Empty text={m.credits_none_bought()} />
            ) : (
              <Table label={m.credits_bought()}>
                <thead>
                  <tr>
                    <th scope="col">{m.credits_when()}</th>
                    <th scope="col">{m.credits_topup_state()}</th>
                    <th scope="col" className={NUMBER}>
                      {m.credits_price()}
                    </th>
                    <th scope="col" className={NUMBER}>
                      {m.credits_tax()}
                    </th>
                    <th scope="col" className={NUMBER}>
                      {m.credits_got()}
                    </th>
                    <th scope="col">{m.credits_papers()}</th>
                  </tr>
                </thead>
                <tbody>
                  {topups.map((topup) => (
                    <TopupRow key={topup.id} topup={topup} />
                  ))}
                </tbody>
              </Table>
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
    </>
  );
}

function TopupRow({ topup }: { readonly topup: Topup }) {
  const [mark, tone, word] = STATES[topup.state] ?? ['○', 'quiet', () => topup.state];
  const isPaid = topup.state === 'PAID';
  return (
    <tr>
      <td>
        <When at={topup.createdAt} />
      </td>
      <td>
        <Pill mark={mark} tone={tone}>
          {word()}
        </Pill>
      </td>
      <td className={NUMBER}>{money(topup.amountCents)}</td>
      <td className={NUMBER}>{isPaid ? money(topup.taxCents) : ''}</td>
      <td className={NUMBER}>{isPaid ? money(topup.amountCents + topup.bonusCents) : ''}</td>
      <td>
        <div className={styles.papers}>
          <Paper href={topup.url} label={m.credits_pay_on()} />
          <Paper href={topup.invoiceUrl} label={m.credits_invoice()} />
          <Paper href={topup.receiptUrl} label={m.credits_receipt()} />
          {topup.refundedCents > 0 && (
            <span className="quiet">{m.credits_paid_back({ sum: money(topup.refundedCents) })}</span>
          )}
        </div>
      </td>
    </tr>
  );
}

function Paper({ href, label }: { readonly href: string | null; readonly label: string }) {
  if (href === null) return null;
  return (
    <a href={href} rel="noreferrer">
      {label}
    </a>
  );
}
