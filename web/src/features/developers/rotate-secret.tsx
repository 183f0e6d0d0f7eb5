/** Gives a webhook another secret; the old one signs beside it for a time. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/form.tsx';
import { Actions, Button } from '../../ui/pieces.tsx';
import type { Webhook } from './webhook.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

export function RotateSecret({
  webhook,
  onRotated,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onRotated: (secret: string, until: string | null) => void;
  readonly onClose: () => void;
}) {
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [overlap, setOverlap] = useState(String(DAY));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const rotate = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const overlapSeconds = Number(overlap);
      const { secret } = await api.post('/webhooks/{webhookId}/rotate-secret', {
        path: { webhookId: webhook.id },
        body: { overlapSeconds },
        idempotencyKey,
      });
      const until = new Date(Date.now() + overlapSeconds * 1_000).toISOString();
      onRotated(secret, overlapSeconds === 0 ? null : until);
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.webhook_rotate_title()} onClose={onClose}>
      <p>{m.webhook_rotate_text()}</p>
      <SelectField
        label={m.webhook_overlap()}
        value={overlap}
        options={[
          ['0', m.webhook_overlap_none()],
          [String(HOUR), m.keys_overlap_hour()],
          [String(DAY), m.keys_overlap_day()],
          [String(7 * DAY), m.keys_overlap_week()],
        ]}
        onText={setOverlap}
      />
      {error !== null && <Failure error={error} />}
      <Actions>
        <Button kind="primary" busy={busy} onClick={() => void rotate()}>
          {m.webhook_rotate_do()}
        </Button>
        <Button onClick={onClose}>{m.ui_cancel()}</Button>
      </Actions>
    </Dialog>
  );
}
