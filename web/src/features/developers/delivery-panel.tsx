/** One delivery: what was sent, what was answered, when it is tried again. The answer is a foreign text, and is shown as one. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { useWords } from '../../api/words.ts';
import { duration, number } from '../../ui/format.ts';
import { Actions, Button, Code, Copy, Facts, Panel, Pill, Stack } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import { answeredBy, DELIVERIES, deliveryShown, readWebhooksAgain } from './webhook.ts';
import type { Delivery, Webhook } from './webhook.ts';

const ONE = `${DELIVERIES}/{deliveryId}` as const;
const AGAIN_MS = 3_000;
const SECOND_MS = 1_000;

export function DeliveryStatePill({ delivery }: { readonly delivery: Pick<Delivery, 'state' | 'attempt'> }) {
  const [mark, tone, word] = deliveryShown(delivery);
  return (
    <Pill mark={mark} tone={tone}>
      {word()}
    </Pill>
  );
}

/** How long a try took. */
export function took(ms: number): string {
  return ms < SECOND_MS ? m.delivery_ms({ n: number(ms) }) : duration(ms / SECOND_MS);
}

export function DeliveryPanel({
  webhook,
  deliveryId,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly deliveryId: string;
  readonly onClose: () => void;
}) {
  const path = { webhookId: webhook.id, deliveryId };
  const answer = useGet(ONE, { path }, { everyMs: AGAIN_MS });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const redeliver = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await api.post(`${ONE}/redeliver`, { path, idempotencyKey: crypto.randomUUID() });
      readWebhooksAgain();
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <Panel
      title={m.delivery_one()}
      aside={
        <Button kind="bare" onClick={onClose}>
          {m.ui_close()}
        </Button>
      }
    >
      <Loaded answer={answer} lines={8}>
        {(delivery) => (
          <Stack>
            <Told delivery={delivery} />
            {webhook.enabled && (
              <Actions>
                <Button busy={busy} onClick={() => void redeliver()}>
                  {m.delivery_redeliver()}
                </Button>
              </Actions>
            )}
            {error !== null && <Failure error={error} />}
            <h3>{m.delivery_request()}</h3>
            <Code text={requestOf(delivery)} label={m.delivery_request()} />
            <h3>{m.delivery_answer_begins()}</h3>
            {delivery.answer === null || delivery.answer === '' ? (
              <p className="quiet">{m.delivery_no_answer()}</p>
            ) : (
              <Code text={delivery.answer} label={m.delivery_answer_begins()} />
            )}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function Told({ delivery }: { readonly delivery: Delivery }) {
  const { eventId, type, attempt, code, durationMs, attemptedAt, nextAttemptAt, createdAt } = delivery;
  const words = useWords(code ?? '');
  return (
    <>
      <Facts
        facts={[
          [m.webhook_state(), <DeliveryStatePill key="state" delivery={delivery} />],
          [m.delivery_type(), <code key="type">{type}</code>],
          [
            m.delivery_event(),
            <span key="event">
              <code>{eventId}</code> <Copy text={eventId} label={m.delivery_copy_event()} />
            </span>,
          ],
          [m.delivery_made(), <When key="made" at={createdAt} />],
          [m.delivery_attempt(), number(attempt)],
          ...(attemptedAt === null
            ? []
            : ([[m.delivery_tried(), <When key="tried" at={attemptedAt} />]] as const)),
          ...(durationMs === null ? [] : ([[m.delivery_took(), took(durationMs)]] as const)),
          ...(attemptedAt === null ? [] : ([[m.delivery_answer(), answeredBy(delivery)]] as const)),
          ...(nextAttemptAt === null
            ? []
            : ([[m.delivery_next(), <When key="next" at={nextAttemptAt} />]] as const)),
        ]}
      />
      {words !== null && <p className="quiet">{words}</p>}
    </>
  );
}

/** The request as it goes over the wire; time and signature are another one at each try. */
function requestOf({
  eventId,
  request,
}: {
  readonly eventId: string;
  readonly request: { readonly url: string; readonly body: string };
}): string {
  return `POST ${request.url}\ncontent-type: application/json\nwebhook-id: ${eventId}\nwebhook-timestamp: …\nwebhook-signature: v1,…\n\n${prettyOf(request.body)}`;
}

/** JSON in lines; any other text as it is. */
function prettyOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
