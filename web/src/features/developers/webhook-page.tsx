/** One webhook: how it stands, what was sent to it, how its messages are verified. */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { SecretOnce } from '../../app/secret-once.tsx';
import { number } from '../../ui/format.ts';
import { Button, Notice, PageHead, Stack } from '../../ui/pieces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Age, When } from '../../ui/time.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import styles from './developers.module.css';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { RemoveWebhook } from './remove-webhook.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { VerifyTab } from './verify-tab.tsx';
import { readWebhooksAgain, sendTest } from './webhook.ts';
import type { Webhook } from './webhook.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhooks-page.tsx';

const AGAIN_MS = 5_000;

export function WebhookPage() {
  const { webhookId = '' }: { readonly webhookId?: string } = useParams({ strict: false });
  const answer = useGet('/webhooks/{webhookId}', { path: { webhookId } }, { everyMs: AGAIN_MS });
  return (
    <Stack>
      <title>{m.app_title({ page: answer.data?.url ?? m.webhook_one() })}</title>
      <p className="small">
        <Link to="/developers/webhooks">{m.webhook_title()}</Link>
      </p>
      <Loaded answer={answer} lines={8}>
        {(webhook) => <OneWebhook webhook={webhook} />}
      </Loaded>
    </Stack>
  );
}

/** What is done on the page now. */
type Doing =
  | { readonly kind: 'change' | 'rotate' | 'remove' | 'redeliver' }
  | { readonly kind: 'store'; readonly secret: string; readonly until: string | null };

function OneWebhook({ webhook }: { readonly webhook: Webhook }) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = (): void => setDoing(null);
  const done = (): void => {
    close();
    readWebhooksAgain();
  };
  return (
    <>
      <Head webhook={webhook} onDoing={(kind) => setDoing({ kind })} />
      <Standing webhook={webhook} />
      {doing?.kind === 'change' && (
        <WebhookForm title={m.webhook_change()} webhook={webhook} onChanged={done} onClose={close} />
      )}
      {doing?.kind === 'store' && (
        <SecretOnce
          title={m.webhook_once()}
          text={m.webhook_once_text({ url: webhook.url })}
          secret={doing.secret}
          copy={m.webhook_copy_secret()}
          leave={m.webhook_leave()}
          onStored={close}
        >
          {doing.until === null ? (
            <p>{m.webhook_old_ended()}</p>
          ) : (
            <p>
              {m.webhook_both_sign()} <When at={doing.until} />
            </p>
          )}
        </SecretOnce>
      )}
      <PageTabs webhook={webhook} onRedeliver={() => setDoing({ kind: 'redeliver' })} />
      {doing?.kind === 'rotate' && (
        <RotateSecret
          webhook={webhook}
          onRotated={(secret, until) => setDoing({ kind: 'store', secret, until })}
          onClose={close}
        />
      )}
      {doing?.kind === 'remove' && <RemoveWebhook webhook={webhook} onClose={close} />}
      {doing?.kind === 'redeliver' && <RedeliverFailed webhook={webhook} onClose={close} />}
    </>
  );
}

function PageTabs({ webhook, onRedeliver }: { readonly webhook: Webhook; readonly onRedeliver: () => void }) {
  const current = oneOf(useAddress()['tab']) === 'verify' ? 'verify' : 'deliveries';
  const to = `/developers/webhooks/${webhook.id}`;
  return (
    <Tabs
      label={m.webhook_tabs()}
      current={current}
      tabs={[
        { tab: 'deliveries', label: m.webhook_deliveries(), to, search: {} },
        { tab: 'verify', label: m.webhook_verify(), to, search: { tab: 'verify' } },
      ]}
    >
      {current === 'verify' ? (
        <VerifyTab />
      ) : (
        <DeliveriesTab webhook={webhook} onRedeliverFailed={onRedeliver} />
      )}
    </Tabs>
  );
}

function Head({
  webhook,
  onDoing,
}: {
  readonly webhook: Webhook;
  readonly onDoing: (kind: 'change' | 'rotate' | 'remove') => void;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();
  const { enabled, types, createdAt } = webhook;
  const test = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { id } = await sendTest(webhook.id);
      await navigate({
        to: '/developers/webhooks/$webhookId',
        params: { webhookId: webhook.id },
        search: { delivery: id },
        replace: true,
      });
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <>
      <PageHead
        title={
          <bdi className={styles.title} title={webhook.url}>
            {webhook.url}
          </bdi>
        }
        facts={
          <span className={styles.facts}>
            <WebhookState webhook={webhook} />
            <span title={types.join('\n')}>
              {m.webhook_n_types({ count: types.length, n: number(types.length) })}
            </span>
            <span>
              {m.webhook_made()} <Age at={createdAt} />
            </span>
          </span>
        }
        actions={
          <>
            {enabled && (
              <Button kind="primary" busy={busy} onClick={() => void test()}>
                {m.webhook_test()}
              </Button>
            )}
            <Button onClick={() => onDoing('change')}>{m.webhook_change()}</Button>
            <Button onClick={() => onDoing('rotate')}>{m.webhook_rotate()}</Button>
            <Button kind="danger" onClick={() => onDoing('remove')}>
              {m.webhook_remove()}
            </Button>
          </>
        }
      />
      {error !== null && <Failure error={error} />}
    </>
  );
}

/** What is wrong with a webhook, and what one does. */
function Standing({ webhook }: { readonly webhook: Webhook }) {
  const { enabled, disabledReason, failingSince } = webhook;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  if (enabled && failingSince === null) return null;
  const enable = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const path = { webhookId: webhook.id };
      await api.post('/webhooks/{webhookId}/enable', { path, idempotencyKey: crypto.randomUUID() });
      readWebhooksAgain();
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <Notice
      tone={enabled ? 'warn' : 'bad'}
      title={
        enabled
          ? m.webhook_is_failing()
          : disabledReason === 'GONE'
            ? m.webhook_is_gone()
            : m.webhook_has_failed()
      }
      actions={
        !enabled && (
          <Button kind="primary" busy={busy} onClick={() => void enable()}>
            {m.webhook_enable()}
          </Button>
        )
      }
    >
      <p>{enabled ? m.webhook_is_failing_text() : m.webhook_disabled_text()}</p>
      {failingSince !== null && (
        <p className="quiet">
          {m.webhook_since()} <When at={failingSince} />
        </p>
      )}
      {error !== null && <Failure error={error} />}
    </Notice>
  );
}
