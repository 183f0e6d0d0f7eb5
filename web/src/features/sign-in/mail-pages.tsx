/** Pages that links of mails lead to, with their code behind the `#`; where it is missing, it is typed. */
import { ClientError } from 'dockyard-client/browser';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { readAccountAgain, useSignedIn } from '../../api/account.ts';
import { bareApi } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { mailCode } from '../../app/arrival.ts';
import { TextField } from '../../ui/form.tsx';
import { Button, Notice, PageHead, Panel, Stack } from '../../ui/pieces.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface MailPageProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly newPassword: boolean;
  /** Does what the mail is about, and answers the address that can now sign in; null where it is not told. */
  readonly send: (body: { readonly code: string; readonly password: string }) => Promise<string | null>;
}

/** Confirms the address of a sign-up, and signs in, with one typing of the password. */
export function ConfirmPage() {
  return (
    <MailPage
      title={m.confirm_title()}
      text={m.confirm_text()}
      action={m.confirm_do()}
      newPassword={false}
      send={async (body) => (await bareApi.post('/auth/verify', { body, idempotencyKey: null })).email}
    />
  );
}

/** Joins an account that somebody has invited to. */
export function JoinPage() {
  return (
    <MailPage
      title={m.join_title()}
      text={m.join_text()}
      action={m.join_do()}
      newPassword
      send={async (body) =>
        (await bareApi.post('/auth/invitations/accept', { body, idempotencyKey: null })).email
      }
    />
  );
}

/** Sets a new password; without a code, asks for the mail with one. */
export function ResetPage() {
  const [asked, setAsked] = useState(mailCode === null);
  if (asked) return <ForgotPage onCode={() => setAsked(false)} />;
  return (
    <MailPage
      title={m.reset_title()}
      text={m.reset_text()}
      action={m.reset_do()}
      newPassword
      send={async (body) => {
        await bareApi.post('/auth/password/reset', { body, idempotencyKey: null });
        return null;
      }}
    />
  );
}

function MailPage({ title, text, action, newPassword, send }: MailPageProps) {
  const [code, setCode] = useState(mailCode ?? '');
  const [password, setPassword] = useState('');
  const [proved, setProved] = useState<{ readonly email: string | null } | null>(null);
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({
    busy: false,
    error: null,
  });
  const { data: here } = useSignedIn();
  const navigate = useNavigate();
  const enter = async (): Promise<void> => {
    await readAccountAgain();
    await navigate({ to: '/' });
  };
  const run = async (): Promise<void> => {
    setState({ busy: true, error: null });
    try {
      const email = await send({ code: code.trim(), password });
      if (email === null) return setProved({ email });
      await bareApi.post('/auth/sign-in', { body: { email, password }, idempotencyKey: null });
      await enter();
    } catch (error) {
      // The address is proved; only the second factor is missing.
      if (error instanceof ClientError && error.code === 'TOTP_REQUIRED') setProved({ email: null });
      else setState({ busy: false, error });
    }
  };
  if (proved !== null)
    return (
      <Stack>
        <title>{m.app_title({ page: m.sign_in_title() })}</title>
        <PageHead title={m.sign_in_title()} />
        <Notice tone="ok" title={m.mail_proved()} />
        <Panel>
          <SignInForm onDone={() => void enter()} />
        </Panel>
      </Stack>
    );
  return (
    <Stack>
      <title>{m.app_title({ page: title })}</title>
      <PageHead title={title} facts={text} />
      {here != null && <Notice title={m.mail_other_person({ email: here.user.email })} />}
      <Panel>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <Stack>
            {state.error !== null && <Failure error={state.error} />}
            {(mailCode === null || state.error !== null) && (
              <TextField label={m.mail_code()} autoComplete="off" required value={code} onText={setCode} />
            )}
            <TextField
              label={newPassword ? m.mail_new_password() : m.sign_in_password()}
              type="password"
              autoComplete={newPassword ? 'new-password' : 'current-password'}
              required
              value={password}
              onText={setPassword}
            />
            <Button kind="primary" type="submit" busy={state.busy}>
              {action}
            </Button>
          </Stack>
        </form>
      </Panel>
    </Stack>
  );
}

function ForgotPage({ onCode }: { readonly onCode: () => void }) {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<{
    readonly busy: boolean;
    readonly sent: boolean;
    readonly error: unknown;
  }>({
    busy: false,
    sent: false,
    error: null,
  });
  const send = async (): Promise<void> => {
    setState({ busy: true, sent: false, error: null });
    try {
      await bareApi.post('/auth/password/forgot', { body: { email: email.trim() }, idempotencyKey: null });
      setState({ busy: false, sent: true, error: null });
    } catch (error) {
      setState({ busy: false, sent: false, error });
    }
  };
  return (
    <Stack>
      <title>{m.app_title({ page: m.reset_title() })}</title>
      <PageHead title={m.reset_title()} />
      {state.sent && (
        <Notice tone="ok" title={m.sign_up_sent()}>
          {m.reset_sent({ email })}
        </Notice>
      )}
      <Panel>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Stack>
            {state.error !== null && <Failure error={state.error} />}
            <TextField
              label={m.sign_in_email()}
              type="email"
              autoComplete="username"
              required
              value={email}
              onText={setEmail}
            />
            <Button kind="primary" type="submit" busy={state.busy}>
              {m.reset_ask()}
            </Button>
          </Stack>
        </form>
      </Panel>
      <p>
        <Button kind="bare" onClick={onCode}>
          {m.reset_have_code()}
        </Button>
      </p>
      <p>
        <Link to="/sign-in">{m.sign_in_do()}</Link>
      </p>
    </Stack>
  );
}
