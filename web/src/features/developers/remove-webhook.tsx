/** Deletes a webhook, after a yes that says what goes with it. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Actions, Button } from '../../ui/pieces.tsx';
import styles from './developers.module.css';
import { readWebhooksAgain } from './webhook.ts';
import type { Webhook } from './webhook.ts';

export function RemoveWebhook({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await api.delete('/webhooks/{webhookId}', { path: { webhookId: webhook.id } });
      await navigate({ to: '/developers/webhooks' });
      readWebhooksAgain();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.webhook_remove_title()} onClose={onClose}>
      <p className={styles.text}>
        <bdi>{webhook.url}</bdi>
      </p>
      <p>{m.webhook_remove_text()}</p>
      {error !== null && <Failure error={error} />}
      <Actions>
        <Button kind="danger" busy={busy} onClick={() => void remove()}>
          {m.webhook_remove()}
        </Button>
        <Button autoFocus onClick={onClose}>
          {m.webhook_keep()}
        </Button>
      </Actions>
    </Dialog>
  );
}
