/** Has everything sent again that a webhook did not take since a time. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { number } from '../../ui/format.ts';
import { Actions, Button } from '../../ui/pieces.tsx';
import { fieldTime, isoOf } from './field-time.ts';
import { readWebhooksAgain } from './webhook.ts';
import type { Webhook } from './webhook.ts';

const DAY_MS = 24 * 3_600_000;

export function RedeliverFailed({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const [since, setSince] = useState(() =>
    fieldTime(webhook.failingSince ?? new Date(Date.now() - DAY_MS).toISOString()),
  );
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [sent, setSent] = useState<number | null>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const at = isoOf(since);
      const query = at === null ? {} : { since: at };
      const path = { webhookId: webhook.id };
      for (let all = 0, more = true; more;) {
        const answer = await api.post('/webhooks/{webhookId}/redeliver-failed', {
          path,
          query,
          idempotencyKey: crypto.randomUUID(),
        });
        all += answer.redelivered;
        ({ more } = answer);
        setSent(all);
      }
      readWebhooksAgain();
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <Dialog title={m.webhook_redeliver_title()} onClose={onClose}>
      <p>{m.webhook_redeliver_text()}</p>
      <TextField
        label={m.delivery_since()}
        help={m.webhook_redeliver_help()}
        type="datetime-local"
        value={since}
        onText={setSince}
      />
      {sent !== null && <p role="status">{m.webhook_redelivered({ count: sent, n: number(sent) })}</p>}
      {error !== null && <Failure error={error} />}
      <Actions>
        {(sent === null || error !== null) && (
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            {m.webhook_redeliver_do()}
          </Button>
        )}
        <Button onClick={onClose}>{sent === null ? m.ui_cancel() : m.ui_close()}</Button>
      </Actions>
    </Dialog>
  );
}
