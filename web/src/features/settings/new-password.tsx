/** Another password, by a link that comes by mail. */
import { useState } from 'react';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { bareApi } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { Actions, Button, Notice, Panel, Stack } from '../../ui/pieces.tsx';

export function NewPassword() {
  const { email } = useAccount().user;
  const [state, setState] = useState<'asking' | 'sent' | { readonly error: unknown } | null>(null);
  const ask = async (): Promise<void> => {
    setState('asking');
    try {
      await bareApi.post('/auth/password/forgot', { body: { email }, idempotencyKey: null });
      setState('sent');
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <Panel title={m.settings_password()}>
      <Stack>
        <p>{m.settings_password_text()}</p>
        {state === 'sent' && <Notice tone="ok" title={m.settings_password_sent({ email })} />}
        {state !== null && typeof state === 'object' && <Failure error={state.error} />}
        <Actions>
          <Button busy={state === 'asking'} onClick={() => void ask()}>
            {m.settings_password_do()}
          </Button>
        </Actions>
      </Stack>
    </Panel>
  );
}
