/** The page to sign up on: address and password, then a mail. */
import { Link } from '@tanstack/react-router';
import { fields } from 'document:fields/SignUpRequest';
import { useState } from 'react';

import { m } from '#messages';

import { bareApi } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { problemOf, TextField } from '../../ui/form.tsx';
import { Button, Notice, PageHead, Panel, Stack } from '../../ui/pieces.tsx';

export function SignUpPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState(false);
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({
    busy: false,
    error: null,
  });
  const rules = fields['password'];
  const problem = rules === undefined || password === '' ? null : problemOf(rules, password);

  const send = async (): Promise<void> => {
    setState({ busy: true, error: null });
    try {
      await bareApi.post('/auth/sign-up', { body: { email: email.trim(), password }, idempotencyKey: null });
      setSent(true);
      setState({ busy: false, error: null });
    } catch (error) {
      setState({ busy: false, error });
    }
  };

  return (
    <Stack>
      <title>{m.app_title({ page: m.sign_up_title() })}</title>
      <PageHead title={m.sign_up_title()} />
      {sent ? (
        <Notice
          tone="ok"
          title={m.sign_up_sent()}
          actions={<Button onClick={() => setSent(false)}>{m.sign_up_again()}</Button>}
        >
          <p>{m.sign_up_sent_text({ email })}</p>
        </Notice>
      ) : (
        <Panel>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (problem === null) void send();
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
              <TextField
                label={m.sign_in_password()}
                help={rules?.help}
                problem={problem}
                type="password"
                autoComplete="new-password"
                required
                value={password}
                onText={setPassword}
              />
              <Button kind="primary" type="submit" busy={state.busy}>
                {m.sign_up_do()}
              </Button>
            </Stack>
          </form>
        </Panel>
      )}
      <p>
        {m.sign_up_known()} <Link to="/sign-in">{m.sign_in_do()}</Link>
      </p>
    </Stack>
  );
}
