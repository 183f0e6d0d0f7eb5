/** The mails about money that the owners of the account get. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { components } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { CheckField } from '../../ui/form.tsx';
import { money } from '../../ui/format.ts';
import { Actions, Button, Panel, Stack } from '../../ui/pieces.tsx';
import { OwnersOnly } from './owners-only.tsx';
import { readAgain } from './read-again.ts';
import { SettingsFrame } from './settings-frame.tsx';
import styles from './settings.module.css';

type Mails = components['schemas']['NotificationSettings'];
type Billing = components['schemas']['BillingSettings'];

export function NotificationsPage() {
  return (
    <SettingsFrame title={m.settings_mails()}>
      <OwnersOnly>
        <MailsPanel />
      </OwnersOnly>
    </SettingsFrame>
  );
}

function MailsPanel() {
  const mails = useGet('/settings/notifications', {});
  const billing = useGet('/settings/billing', {});
  return (
    <Panel title={m.settings_mails()}>
      <Loaded answer={mails}>
        {(now) => <Loaded answer={billing}>{(limits) => <MailsForm now={now} limits={limits} />}</Loaded>}
      </Loaded>
    </Panel>
  );
}

/** Each mail with what it watches now. */
const MAILS = [
  [
    'accountLimit',
    m.settings_mail_account,
    ({ monthLimitCents }: Billing) =>
      monthLimitCents === null
        ? m.settings_mail_account_none()
        : m.settings_mail_account_at({ sum: money(monthLimitCents) }),
  ],
  [
    'keyLimit',
    m.settings_mail_key,
    ({ keyLimits }: Billing) =>
      keyLimits.length === 0
        ? m.settings_mail_key_none()
        : m.settings_mail_key_at({ count: keyLimits.length }),
  ],
  [
    'lowBalance',
    m.settings_mail_low,
    ({ lowBalanceCents }: Billing) =>
      lowBalanceCents === null
        ? m.settings_mail_low_none()
        : m.settings_mail_low_at({ sum: money(lowBalanceCents) }),
  ],
] as const;

function MailsForm({ now, limits }: { readonly now: Mails; readonly limits: Billing }) {
  const [changed, setChanged] = useState<Partial<Mails>>({});
  const [state, setState] = useState<'saving' | 'saved' | { readonly error: unknown } | null>(null);
  const save = async (): Promise<void> => {
    setState('saving');
    try {
      await api.put('/settings/notifications', { body: changed });
      await readAgain('/settings/notifications');
      setChanged({});
      setState('saved');
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        <p className="quiet">{m.settings_mails_text()}</p>
        {MAILS.map(([name, label, about]) => (
          <CheckField
            key={name}
            label={
              <>
                {label()}
                <p className="quiet small">{about(limits)}</p>
              </>
            }
            checked={changed[name] ?? now[name]}
            onCheck={(isOn) => {
              setChanged((before) => ({ ...before, [name]: isOn }));
              setState(null);
            }}
          />
        ))}
        <p className={styles.places}>
          <Link to="/credits" search={{ tab: 'limits' }}>
            {m.settings_mails_limits()}
          </Link>
          <Link to="/developers/keys">{m.keys_title()}</Link>
        </p>
        {state !== null && typeof state === 'object' && <Failure error={state.error} />}
        <Actions>
          <Button kind="primary" type="submit" busy={state === 'saving'}>
            {m.settings_mails_save()}
          </Button>
          <span role="status">{state === 'saved' && m.credits_saved()}</span>
        </Actions>
      </Stack>
    </form>
  );
}
