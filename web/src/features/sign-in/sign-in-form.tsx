/** Address, password and, where there is one, the second factor. */
import { ClientError } from 'dockyard-client/browser';
import type { components } from 'dockyard-client/browser';
import { useState } from 'react';

import { m } from '#messages';

import { bareApi } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { signInCode } from '../../app/arrival.ts';
import { shareSignIn } from '../../app/live.ts';
import { TextField } from '../../ui/form.tsx';
import { Button, Stack } from '../../ui/pieces.tsx';

export type Person = components['schemas']['SignInResponse'];

interface Props {
  /** The address, where it is known who signs in. */
  readonly email?: string;
  readonly onDone: (person: Person) => void;
}

/** Whether a sign-in by the provider waits for a code of the second factor in this browser. */
const waitsForFactor = signInCode === 'TOTP_REQUIRED';

export function SignInForm({ email: known, onDone }: Props) {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [step, setStep] = useState<'password' | 'factor' | 'provider-factor'>(
    waitsForFactor && known === undefined ? 'provider-factor' : 'password',
  );
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({
    busy: false,
    error: null,
  });

  const send = async (): Promise<void> => {
    setState({ busy: true, error: null });
    try {
      const code = totp.trim();
      const person =
        step === 'provider-factor'
          ? await bareApi.post('/auth/oidc/finish', { body: { totp: code }, idempotencyKey: null })
          : await bareApi.post('/auth/sign-in', {
              body: { email: email.trim(), password, ...(code === '' ? {} : { totp: code }) },
              idempotencyKey: null,
            });
      shareSignIn(person.user.id);
      onDone(person);
    } catch (error) {
      const code = error instanceof ClientError ? error.code : '';
      if (code === 'TOTP_REQUIRED') setStep('factor');
      if (code === 'OIDC_EXPIRED') setStep('password');
      setState({ busy: false, error: code === 'TOTP_REQUIRED' ? null : error });
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack>
        {state.error !== null && <Failure error={state.error} />}
        {step === 'password' && (
          <>
            <TextField
              label={m.sign_in_email()}
              type="email"
              autoComplete="username"
              required
              readOnly={known !== undefined}
              value={email}
              onText={setEmail}
            />
            <TextField
              label={m.sign_in_password()}
              type="password"
              autoComplete="current-password"
              required
              autoFocus={known !== undefined}
              value={password}
              onText={setPassword}
            />
          </>
        )}
        {step !== 'password' && (
          <TextField
            label={m.sign_in_factor()}
            help={m.sign_in_factor_help()}
            autoComplete="one-time-code"
            required
            autoFocus
            value={totp}
            onText={setTotp}
          />
        )}
        <Button kind="primary" type="submit" busy={state.busy}>
          {m.sign_in_do()}
        </Button>
      </Stack>
    </form>
  );
}
