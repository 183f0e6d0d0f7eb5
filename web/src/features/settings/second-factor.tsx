/** The second factor: its set-up with recovery codes, which are shown once, and its end. */
import { fields } from 'document:fields/TotpCodeRequest';
import { useState } from 'react';
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { useAskBeforeLeaving } from '../../app/leaving.ts';
import { problemOf, TextField } from '../../ui/form.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Actions, Button, Code, Copy, Notice, Panel, Stack } from '../../ui/pieces.tsx';
import { readAgain } from './read-again.ts';
import styles from './settings.module.css';

type Begun = AnswerOf<'post', '/auth/totp'>;

export function SecondFactor() {
  const answer = useGet('/auth/totp', {});
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Panel title={m.settings_factor()}>
      {codes === null ? (
        <Loaded answer={answer} lines={2}>
          {({ enabled, recoveryCodesLeft }) =>
            enabled ? <TurnOff left={recoveryCodesLeft} /> : <SetUp onCodes={setCodes} />
          }
        </Loaded>
      ) : (
        <RecoveryCodes codes={codes} onStored={() => setCodes(null)} />
      )}
    </Panel>
  );
}

function SetUp({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const begin = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      setBegun(await api.post('/auth/totp', { idempotencyKey: crypto.randomUUID() }));
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  const confirm = async (code: string): Promise<void> => {
    const { recoveryCodes } = await api.post('/auth/totp/confirm', {
      body: { code },
      idempotencyKey: crypto.randomUUID(),
    });
    onCodes(recoveryCodes);
    await readAgain('/auth/totp');
  };
  return (
    <Stack>
      <p>{m.settings_factor_text()}</p>
      {error !== null && <Failure error={error} />}
      {begun === null ? (
        <Actions>
          <Button busy={busy} onClick={() => void begin()}>
            {m.settings_factor_begin()}
          </Button>
        </Actions>
      ) : (
        <>
          <p>{m.settings_factor_scan()}</p>
          <div className={styles.beside}>
            <QrCode text={begun.uri} label={m.settings_factor_picture()} />
            <Stack>
              <p>{m.settings_factor_secret()}</p>
              <div className={styles.secret}>
                <code>{begun.secret}</code>
                <Copy text={begun.secret} label={m.settings_factor_copy()} />
              </div>
              <p>
                <a href={begun.uri}>{m.settings_factor_open()}</a>
              </p>
            </Stack>
          </div>
          <CodeForm action={m.settings_factor_confirm()} kind="primary" send={confirm} />
        </>
      )}
    </Stack>
  );
}

function TurnOff({ left }: { readonly left: number }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Stack>
      <p>{m.settings_factor_on({ count: left })}</p>
      {isAsked ? (
        <>
          <p>{m.settings_factor_off_text()}</p>
          <CodeForm
            action={m.settings_factor_off()}
            help={m.sign_in_factor_help()}
            kind="danger"
            send={async (code) => {
              await api.post('/auth/totp/disable', { body: { code }, idempotencyKey: crypto.randomUUID() });
              await readAgain('/auth/totp');
            }}
          />
        </>
      ) : (
        <Actions>
          <Button onClick={() => setAsked(true)}>{m.settings_factor_off()}</Button>
        </Actions>
      )}
    </Stack>
  );
}

function CodeForm({
  action,
  help,
  kind,
  send,
}: {
  readonly action: string;
  readonly help?: string;
  readonly kind: 'primary' | 'danger';
  readonly send: (code: string) => Promise<void>;
}) {
  const [typed, setTyped] = useState('');
  const [isSent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const code = typed.trim();
  const rule = fields['code'];
  const problem = isSent && rule !== undefined ? problemOf(rule, code) : null;
  const run = async (): Promise<void> => {
    setSent(true);
    if (rule === undefined || problemOf(rule, code) !== null) return;
    setBusy(true);
    setError(null);
    try {
      await send(code);
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Stack>
        <div className={styles.narrow}>
          <TextField
            label={m.settings_factor_code()}
            help={help}
            problem={problem}
            autoComplete="one-time-code"
            autoFocus
            required
            value={typed}
            onText={setTyped}
          />
        </div>
        {error !== null && <Failure error={error} />}
        <Actions>
          <Button kind={kind} type="submit" busy={busy}>
            {action}
          </Button>
        </Actions>
      </Stack>
    </form>
  );
}

function RecoveryCodes({
  codes,
  onStored,
}: {
  readonly codes: readonly string[];
  readonly onStored: () => void;
}) {
  useAskBeforeLeaving(true, m.settings_recovery_leave());
  const text = codes.join('\n');
  return (
    <Notice
      tone="warn"
      title={m.settings_recovery()}
      actions={
        <>
          <Button kind="primary" autoFocus onClick={onStored}>
            {m.settings_recovery_stored()}
          </Button>
          <Copy text={text} label={m.settings_recovery_copy()} />
        </>
      }
    >
      <p>{m.settings_recovery_text()}</p>
      <Code text={text} label={m.settings_recovery()} />
    </Notice>
  );
}
