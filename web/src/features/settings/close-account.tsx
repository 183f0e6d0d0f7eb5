/** The end of the account: what it means, what stands in its way, and a yes that is typed. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { shareSignOut } from '../../app/live.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { money, number } from '../../ui/format.ts';
import { Actions, Button, Facts, Panel, Stack } from '../../ui/pieces.tsx';

export function CloseAccount() {
  const [isAsked, setAsked] = useState(false);
  return (
    <Panel title={m.settings_close()}>
      <Stack>
        <p>{m.settings_close_text()}</p>
        <Standing />
        <p className="quiet">{m.settings_close_waits()}</p>
        <Actions>
          <Button kind="danger" onClick={() => setAsked(true)}>
            {m.settings_close()}
          </Button>
        </Actions>
      </Stack>
      {isAsked && <Confirm onClose={() => setAsked(false)} />}
    </Panel>
  );
}

/** What would be lost, and what keeps the account open. */
function Standing() {
  const { plan } = useAccount().account;
  const balance = useGet('/credits/balance', {});
  const jobs = useGet('/jobs/summary', {});
  if (balance.data === undefined || jobs.data === undefined) return null;
  const { available_cents: left, held_cents: held, debt_cents: owed } = balance.data;
  const { open } = jobs.data;
  const limits = { tab: 'limits' };
  return (
    <Facts
      facts={[
        [m.settings_close_left(), money(left)],
        ...(open === 0
          ? []
          : [
              [
                m.settings_close_jobs(),
                <Link key="jobs" to="/jobs">
                  {number(open)}
                </Link>,
              ] as const,
            ]),
        ...(held === 0 ? [] : [[m.settings_close_held(), money(held)] as const]),
        ...(owed === 0
          ? []
          : [
              [
                m.settings_close_owed(),
                <Link key="owed" to="/credits">
                  {money(owed)}
                </Link>,
              ] as const,
            ]),
        ...(plan === 'free'
          ? []
          : [
              [
                m.settings_close_plan(),
                <Link key="plan" to="/credits" search={limits}>
                  {m.settings_close_plan_ends()}
                </Link>,
              ] as const,
            ]),
      ]}
    />
  );
}

function Confirm({ onClose }: { readonly onClose: () => void }) {
  const { email } = useAccount().user;
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [isSent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();
  const isTyped = typed.trim().toLowerCase() === email.toLowerCase();
  const close = async (): Promise<void> => {
    setSent(true);
    if (!isTyped) return;
    setBusy(true);
    setError(null);
    try {
      await api.post('/account/close', {
        body: reason.trim() === '' ? {} : { reason: reason.trim() },
        idempotencyKey: crypto.randomUUID(),
      });
      await navigate({ to: '/sign-in', search: { from: 'closed' } });
      shareSignOut();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.settings_close_title()} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void close();
        }}
      >
        <Stack>
          <p>{m.settings_close_text()}</p>
          <Standing />
          <TextField
            label={m.settings_close_type({ email })}
            problem={isSent && !isTyped ? m.settings_close_not_typed() : null}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            required
            value={typed}
            onText={setTyped}
          />
          <TextField label={m.settings_close_reason()} maxLength={500} value={reason} onText={setReason} />
          {error !== null && <Failure error={error} />}
          <Actions>
            <Button kind="danger" type="submit" busy={busy}>
              {m.settings_close()}
            </Button>
            <Button onClick={onClose}>{m.settings_close_keep()}</Button>
          </Actions>
        </Stack>
      </form>
    </Dialog>
  );
}
