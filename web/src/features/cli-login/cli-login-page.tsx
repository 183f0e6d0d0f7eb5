/**
 * Lets a command line in that has opened this page: the person compares the mark, and the code goes to the port of the command line on
 * this machine. The page alone does nothing.
 */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { oneOf, useAddress } from '../../app/search.ts';
import type { Search } from '../../app/search.ts';
import { Actions, Button, Empty, Notice, PageHead, Panel, Stack } from '../../ui/pieces.tsx';
import styles from './cli-login.module.css';

interface Asked {
  readonly challenge: string;
  readonly state: string;
  readonly port: number;
}

/** What a command line asks for; null where none has asked. */
function askedOf(search: Search): Asked | null {
  const challenge = oneOf(search['challenge']) ?? '';
  const state = oneOf(search['state']) ?? '';
  const port = Number(oneOf(search['port']) ?? '');
  const isAsked =
    /^[\w-]{43}$/.test(challenge) &&
    /^[\w-]{1,200}$/.test(state) &&
    Number.isInteger(port) &&
    port >= 1024 &&
    port <= 65_535;
  return isAsked ? { challenge, state, port } : null;
}

export function CliLoginPage() {
  const asked = askedOf(useAddress());
  return (
    <Stack>
      <title>{m.app_title({ page: m.cli_login_title() })}</title>
      <PageHead title={m.cli_login_title()} />
      {asked === null ? <Empty text={m.cli_login_nobody()} /> : <Approve asked={asked} />}
    </Stack>
  );
}

function Approve({ asked: { challenge, state, port } }: { readonly asked: Asked }) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const answer = (what: Readonly<Record<string, string>>): void => {
    setDone(true);
    location.replace(`http://127.0.0.1:${String(port)}/callback?${new URLSearchParams({ ...what, state })}`);
  };
  const approve = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { code } = await api.post('/auth/cli/approve', {
        body: { challenge },
        idempotencyKey: crypto.randomUUID(),
      });
      answer({ code });
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  if (done) return <Notice tone="ok" title={m.cli_login_done()} />;
  return (
    <Panel>
      <Stack>
        <p className={styles.text}>{m.cli_login_text()}</p>
        <p>{m.cli_login_mark()}</p>
        <p className={styles.mark} id="mark">
          {challenge.slice(0, 4)}-{challenge.slice(4, 8)}
        </p>
        {error !== null && <Failure error={error} />}
        <Actions>
          <Button kind="primary" busy={busy} onClick={() => void approve()}>
            {m.cli_login_allow()}
          </Button>
          <Button onClick={() => answer({ error: 'refused' })}>{m.cli_login_refuse()}</Button>
        </Actions>
      </Stack>
    </Panel>
  );
}
