/** Ends a key for ever, after a yes that says what happens. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Actions, Button } from '../../ui/pieces.tsx';
import type { ApiKey } from './key.ts';
import styles from './keys.module.css';

export function RevokeKey({
  apiKey,
  onDone,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const revoke = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await api.delete('/keys/{keyId}', { path: { keyId: apiKey.id } });
      onDone();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.keys_revoke_title()} onClose={onClose}>
      <p className={styles.text}>
        <bdi>{apiKey.name}</bdi>{' '}
        <code className="quiet">
          {apiKey.prefix}…{apiKey.last4}
        </code>
      </p>
      <p>{m.keys_revoke_text()}</p>
      {error !== null && <Failure error={error} />}
      <Actions>
        <Button kind="danger" busy={busy} onClick={() => void revoke()}>
          {m.keys_revoke_do()}
        </Button>
        <Button autoFocus onClick={onClose}>
          {m.keys_keep()}
        </Button>
      </Actions>
    </Dialog>
  );
}
