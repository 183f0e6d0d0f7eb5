/** The webhooks of the account: where events are sent, how each stands, what became of the last ones. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { SecretOnce } from '../../app/secret-once.tsx';
import { duration, number } from '../../ui/format.ts';
import { Button, CLIP, Empty, LINE, NUMBER, PageHead, Panel, Pill, Stack, Table } from '../../ui/pieces.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './developers.module.css';
import { DeveloperPlaces } from './places.tsx';
import { answeredBy, DELIVERIES, deliveryShown, readWebhooksAgain, webhookShown } from './webhook.ts';
import type { CreatedWebhook, Delivery, Webhook } from './webhook.ts';
import { WebhookForm } from './webhook-form.tsx';

/** How often what no event tells of is read again. */
const AGAIN_MS = 15_000;
/** Deliveries that tell how a webhook does. */
const LAST = 10;

type Doing = { readonly kind: 'make' } | { readonly kind: 'store'; readonly made: CreatedWebhook };

export function WebhooksPage() {
  const [doing, setDoing] = useState<Doing | null>(null);
  const navigate = useNavigate();
  const answer = useGet('/webhooks', {}, { everyMs: AGAIN_MS });
  const stored = (webhookId: string): void => {
    setDoing(null);
    // The question whether to leave without the secret is gone with the next drawing.
    setTimeout(() => void navigate({ to: '/developers/webhooks/$webhookId', params: { webhookId } }));
  };
  return (
    <Stack>
      <title>{m.app_title({ page: m.webhook_title() })}</title>
      <PageHead
        title={m.webhook_title()}
        facts={m.webhook_text()}
        actions={
          <Button kind="primary" disabled={doing !== null} onClick={() => setDoing({ kind: 'make' })}>
            {m.webhook_make()}
          </Button>
        }
      />
      <DeveloperPlaces />
      {doing?.kind === 'make' && (
        <WebhookForm
          title={m.webhook_make()}
          onMade={(made) => {
            setDoing({ kind: 'store', made });
            readWebhooksAgain();
          }}
          onClose={() => setDoing(null)}
        />
      )}
      {doing?.kind === 'store' && (
        <SecretOnce
          title={m.webhook_once()}
          text={m.webhook_once_text({ url: doing.made.url })}
          secret={doing.made.secret}
          copy={m.webhook_copy_secret()}
          leave={m.webhook_leave()}
          onStored={() => stored(doing.made.id)}
        >
          {doing.made.sameAs !== null && <p>{m.webhook_same_as()}</p>}
        </SecretOnce>
      )}
      <Panel flush>
        <Loaded answer={answer}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Empty text={m.webhook_none()}>
                <p className="quiet">{m.webhook_listen()}</p>
                <code>dockyard listen --forward-to http://127.0.0.1:4000/hooks</code>
              </Empty>
            ) : (
              <Webhooks webhooks={webhooks} />
            )
          }
        </Loaded>
      </Panel>
    </Stack>
  );
}

function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <Table label={m.webhook_title()}>
      <thead>
        <tr>
          <th scope="col">{m.webhook_state()}</th>
          <th scope="col">{m.webhook_url()}</th>
          <th scope="col" className={NUMBER}>
            {m.webhook_types()}
          </th>
          <th scope="col">{m.webhook_last()}</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <td>
              <WebhookState webhook={webhook} />
            </td>
            <td className={CLIP}>
              <Link
                to="/developers/webhooks/$webhookId"
                params={{ webhookId: webhook.id }}
                title={webhook.url}
              >
                <bdi>{webhook.url}</bdi>
              </Link>
            </td>
            <td className={NUMBER} title={webhook.types.join('\n')}>
              {number(webhook.types.length)}
            </td>
            <td className={LINE}>
              <Last webhookId={webhook.id} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The state of a webhook. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const [mark, tone, word] = webhookShown(webhook);
  return (
    <Pill mark={mark} tone={tone}>
      {word()}
    </Pill>
  );
}

/** What became of the last deliveries: how many were taken, and the last answer. */
function Last({ webhookId }: { readonly webhookId: string }) {
  const { data } = useGet(DELIVERIES, { path: { webhookId }, query: { limit: LAST } }, { everyMs: AGAIN_MS });
  if (data === undefined) return null;
  const [last] = data.deliveries;
  if (last === undefined) return <span className="quiet">{m.webhook_nothing_sent()}</span>;
  return (
    <div className={styles.last}>
      <Marks deliveries={data.deliveries} />
      <span className="quiet small">
        {last.attemptedAt === null ? (
          m.delivery_pending()
        ) : (
          <>
            {answeredBy(last)}
            {last.durationMs !== null && ` · ${duration(last.durationMs / 1_000)}`} ·{' '}
            <Age at={last.attemptedAt} />
          </>
        )}
      </span>
    </div>
  );
}

function Marks({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const taken = deliveries.filter(({ state }) => state === 'SUCCEEDED').length;
  const words = m.webhook_taken_of({ taken: number(taken), n: number(deliveries.length) });
  return (
    <span className={styles.marks} role="img" aria-label={words} title={words}>
      {deliveries.toReversed().map((delivery) => {
        const [, tone] = deliveryShown(delivery);
        return <span key={delivery.id} data-tone={tone} />;
      })}
    </span>
  );
}
