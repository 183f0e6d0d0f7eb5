/** Limits, credits that are bought by themselves, and the plan; owners keep them. */
import { useState } from 'react';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { TextField } from '../../ui/form.tsx';
import { money } from '../../ui/format.ts';
import { Actions, Button, Facts, Notice, Panel, Stack } from '../../ui/pieces.tsx';
import { penceOf, poundsOf } from '../../ui/pounds.ts';
import { When } from '../../ui/time.tsx';
import { AutoTopUp } from './auto-topup.tsx';
import { amountProblem, BILLING, saveBilling } from './billing.ts';
import type { Billing } from './billing.ts';
import styles from './credits.module.css';

export function LimitsTab() {
  const { account } = useAccount();
  return account.role === 'owner' ? (
    <OwnersTab />
  ) : (
    <Notice title={m.credits_owners_only()}>{m.credits_owners_only_text()}</Notice>
  );
}

function OwnersTab() {
  const answer = useGet(BILLING, {});
  return (
    <Loaded answer={answer} lines={8}>
      {(billing) => (
        <Stack>
          <Plan billing={billing} />
          <Limits billing={billing} />
          <AutoTopUp billing={billing} />
        </Stack>
      )}
    </Loaded>
  );
}

const LIMITS = [
  ['jobLimitCents', m.credits_limit_job, m.credits_limit_job_help],
  ['monthLimitCents', m.credits_limit_month, m.credits_limit_month_help],
  ['memberKeysLimitCents', m.credits_limit_members, m.credits_limit_members_help],
  ['lowBalanceCents', m.credits_low, m.credits_low_help],
] as const;
type LimitName = (typeof LIMITS)[number][0];

function Limits({ billing }: { readonly billing: Billing }) {
  const [typed, setTyped] = useState<Partial<Record<LimitName, string>>>({});
  const [state, setState] = useState<{
    readonly busy?: true;
    readonly saved?: true;
    readonly error?: unknown;
  }>({});
  const textOf = (name: LimitName): string => typed[name] ?? poundsOf(billing[name]);
  const isWrong = LIMITS.some(([name]) => amountProblem(textOf(name), name) !== null);
  const save = async (): Promise<void> => {
    setState({ busy: true });
    try {
      const changes: Partial<Record<LimitName, number | null>> = {};
      for (const [name] of LIMITS) if (typed[name] !== undefined) changes[name] = penceOf(textOf(name));
      await saveBilling(changes);
      setTyped({});
      setState({ saved: true });
    } catch (error) {
      setState({ error });
    }
  };
  const { spentCents, restCents, endsAt } = billing.spending;
  return (
    <Panel title={m.credits_limits()}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) void save();
        }}
      >
        <Stack>
          <p>
            {restCents === null
              ? m.credits_month_spent({ spent: money(spentCents) })
              : m.credits_month_of({ spent: money(spentCents), rest: money(restCents) })}{' '}
            <span className="quiet">
              {m.credits_month_ends()} <When at={endsAt} />
            </span>
          </p>
          <div className={styles.two}>
            {LIMITS.map(([name, label, help]) => (
              <TextField
                key={name}
                label={label()}
                help={help()}
                problem={amountProblem(textOf(name), name)}
                inputMode="decimal"
                placeholder={name === 'lowBalanceCents' ? m.credits_no_mail() : m.credits_none()}
                value={textOf(name)}
                onText={(text) => {
                  setTyped((before) => ({ ...before, [name]: text }));
                  setState({});
                }}
              />
            ))}
          </div>
          {state.error !== undefined && <Failure error={state.error} />}
          <Actions>
            <Button kind="primary" type="submit" busy={state.busy === true}>
              {m.credits_save_limits()}
            </Button>
            <span role="status">{state.saved === true && m.credits_saved()}</span>
          </Actions>
        </Stack>
      </form>
    </Panel>
  );
}

function Plan({ billing }: { readonly billing: Billing }) {
  const { installation } = useAccount();
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const open = async (path: '/settings/billing/subscribe' | '/settings/billing/portal'): Promise<void> => {
    setBusy(path);
    setError(null);
    try {
      const { url } = await api.post(path, { body: {}, idempotencyKey: crypto.randomUUID() });
      location.assign(url);
    } catch (failed) {
      setError(failed);
      setBusy(null);
    }
  };
  const { plan, allowanceEndsAt } = billing;
  return (
    <Panel title={m.credits_plan()}>
      <Stack>
        <Facts
          facts={[
            [m.credits_plan(), plan === 'pro' ? m.credits_plan_pro() : m.credits_plan_free()],
            ...(allowanceEndsAt === null
              ? []
              : [[m.credits_allowance_until(), <When key="until" at={allowanceEndsAt} />] as const]),
          ]}
        />
        {error !== null && <Failure error={error} />}
        {installation.payments ? (
          <Actions>
            {plan !== 'pro' && (
              <Button
                busy={busy === '/settings/billing/subscribe'}
                onClick={() => void open('/settings/billing/subscribe')}
              >
                {m.credits_subscribe()}
              </Button>
            )}
            <Button
              busy={busy === '/settings/billing/portal'}
              onClick={() => void open('/settings/billing/portal')}
            >
              {m.credits_portal()}
            </Button>
          </Actions>
        ) : (
          <p className="quiet">{m.credits_no_payments_text()}</p>
        )}
      </Stack>
    </Panel>
  );
}
