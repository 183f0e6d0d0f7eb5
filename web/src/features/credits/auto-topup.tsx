/** Credits that are bought by themselves when they run low, within a limit of the month. */
import { useState } from 'react';

import { m } from '#messages';

import { Failure, Loaded } from '../../api/failure.tsx';
import { useWords } from '../../api/words.ts';
import { useGet } from '../../api/queries.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import { money } from '../../ui/format.ts';
import { Actions, Button, Notice, Panel, Stack } from '../../ui/pieces.tsx';
import { penceOf, poundsOf } from '../../ui/pounds.ts';
import styles from './credits.module.css';
import { amountProblem, saveBilling } from './billing.ts';
import type { Billing } from './billing.ts';

export function AutoTopUp({ billing }: { readonly billing: Billing }) {
  const tiers = useGet('/credits/tiers', {});
  const { autoTopUp } = billing;
  return (
    <Panel title={m.credits_auto()}>
      <Stack>
        <p className="quiet">{m.credits_auto_text()}</p>
        {autoTopUp?.state === 'paused' && <Paused reason={autoTopUp.pausedFor ?? ''} />}
        <Loaded answer={tiers}>
          {({ tiers: all }) => (
            <AutoForm
              now={autoTopUp}
              options={all.map(({ tierId, creditsCents, amountCents }) => [
                tierId,
                m.credits_auto_tier({ credits: money(creditsCents), price: money(amountCents) }),
              ])}
            />
          )}
        </Loaded>
      </Stack>
    </Panel>
  );
}

function Paused({ reason }: { readonly reason: string }) {
  const words = useWords(reason);
  return (
    <Notice tone="warn" title={m.credits_auto_paused()}>
      <p>{words ?? reason}</p>
      <p>{m.credits_auto_paused_text()}</p>
    </Notice>
  );
}

function AutoForm({
  now,
  options,
}: {
  readonly now: Billing['autoTopUp'];
  readonly options: readonly (readonly [string, string])[];
}) {
  const [tierId, setTier] = useState(now?.tierId ?? options[0]?.[0] ?? '');
  const [below, setBelow] = useState(now === null ? '5' : poundsOf(now.belowCents));
  const [most, setMost] = useState(now === null ? '' : poundsOf(now.monthLimitCents));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const belowCents = penceOf(below);
  const monthLimitCents = penceOf(most);
  const save = async (autoTopUp: Parameters<typeof saveBilling>[0]['autoTopUp']): Promise<void> => {
    if (autoTopUp === undefined) return;
    setBusy(true);
    setError(null);
    try {
      await saveBilling({ autoTopUp });
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (belowCents !== null && monthLimitCents !== null)
          void save({ tierId, belowCents, monthLimitCents });
      }}
    >
      <Stack>
        <div className={styles.two}>
          <SelectField label={m.credits_auto_what()} value={tierId} options={options} onText={setTier} />
          <TextField
            label={m.credits_auto_below()}
            problem={below === '' ? m.ui_needed() : amountProblem(below, 'monthLimitCents')}
            inputMode="decimal"
            value={below}
            onText={setBelow}
          />
          <TextField
            label={m.credits_auto_most()}
            help={m.credits_auto_most_help()}
            problem={amountProblem(most, 'monthLimitCents')}
            inputMode="decimal"
            required
            value={most}
            onText={setMost}
          />
        </div>
        {error !== null && <Failure error={error} />}
        <Actions>
          <Button type="submit" busy={busy} disabled={monthLimitCents === null || belowCents === null}>
            {now === null ? m.credits_auto_on() : m.credits_auto_change()}
          </Button>
          {now !== null && (
            <Button kind="danger" busy={busy} onClick={() => void save(null)}>
              {m.credits_auto_off()}
            </Button>
          )}
          {monthLimitCents === null && <span className="quiet small">{m.credits_auto_needs()}</span>}
        </Actions>
      </Stack>
    </form>
  );
}
