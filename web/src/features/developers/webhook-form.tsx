/** Makes or changes a webhook: its address, and the types of the events that are sent there. */
import { fields } from 'document:fields/WebhookRequest';
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { problemOf, TextField } from '../../ui/form.tsx';
import { Actions, Button, Panel, Stack } from '../../ui/pieces.tsx';
import { eventTypes, isEventType } from './event-types.ts';
import { TypeChoice } from './type-choice.tsx';
import type { CreatedWebhook, Webhook, WebhookRequest } from './webhook.ts';

/** What a program needs that fetches results. */
const USUAL: readonly string[] = ['job.succeeded', 'job.partially_succeeded', 'job.failed', 'job.paused'];

interface FormProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onMade?: (made: CreatedWebhook) => void;
  /** The webhook that is changed; a new one is made without it. */
  readonly webhook?: Webhook;
  readonly onChanged?: () => void;
}

export function WebhookForm({ title, webhook, onMade, onChanged, onClose }: FormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set(webhook?.types ?? USUAL));
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [busy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const urlProblem = (isSubmitted: boolean): string | null => {
    const rule = fields['url'];
    return rule === undefined || (url === '' && !isSubmitted) ? null : problemOf(rule, url.trim());
  };
  const submit = async (): Promise<void> => {
    setSent(true);
    if (urlProblem(true) !== null || types.size === 0) return;
    setBusy(true);
    setError(null);
    const body: WebhookRequest = { url: url.trim(), types: [...types].filter(isEventType) };
    try {
      if (webhook === undefined) onMade?.(await api.post('/webhooks', { body, idempotencyKey }));
      else {
        await api.put('/webhooks/{webhookId}', { path: { webhookId: webhook.id }, body });
        onChanged?.();
      }
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Panel title={title}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          <TextField
            label={m.webhook_url()}
            help={fields['url']?.help}
            problem={urlProblem(isSent)}
            type="url"
            inputMode="url"
            autoFocus
            required
            placeholder="https://example.org/hooks/dockyard"
            value={url}
            onText={setUrl}
          />
          <TypeChoice
            names={eventTypes}
            chosen={types}
            problem={types.size === 0 ? m.webhook_no_type() : null}
            onChosen={setTypes}
          />
          {error !== null && <Failure error={error} />}
          <Actions>
            <Button kind="primary" type="submit" busy={busy}>
              {webhook === undefined ? m.webhook_make() : m.webhook_change_do()}
            </Button>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
          </Actions>
        </Stack>
      </form>
    </Panel>
  );
}
