/**
 * Webhooks: places that events are sent to, and what was sent to each. Only an owner who has signed in may call these. What makes something
 * carries an idempotency key, so that a secret whose answer was lost is told again by a repeat.
 */
import { pages } from './pages.ts';
import type { Call, CallOptions, Query, Transport, WriteOptions } from './transport.ts';
import type {
  CreatedWebhook,
  RedeliveredWebhooks,
  RotatedWebhookSecret,
  RotateWebhookSecretRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryListResponse,
  WebhookDeliveryResponse,
  WebhookListResponse,
  WebhookRequest,
} from './types.ts';

/** The choice of deliveries; times are ISO 8601. */
export interface DeliveryFilter {
  readonly state?: WebhookDelivery['state'];
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
}

/** The operations on webhooks. Every one throws ClientError. */
export interface Webhooks {
  /** The webhooks of the account, oldest first. */
  list(options?: CallOptions): Promise<readonly Webhook[]>;
  /** Creates a webhook; the answer alone has its secret, and a repeat with the same key has it again. */
  create(request: WebhookRequest, options?: WriteOptions): Promise<CreatedWebhook>;
  /** A webhook, without its secret. */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /** Makes address and types of a webhook what the request says. */
  change(webhookId: string, request: WebhookRequest, options?: WriteOptions): Promise<Webhook>;
  /** Deletes a webhook with its secrets and deliveries. */
  delete(webhookId: string, options?: CallOptions): Promise<void>;
  /** Sends an event of the type `webhook.test`. */
  test(webhookId: string, options?: WriteOptions): Promise<WebhookDelivery>;
  /** Makes another secret; the old one signs for `overlapSeconds` more, a day without it. */
  rotateSecret(
    webhookId: string,
    request?: Partial<RotateWebhookSecretRequest>,
    options?: WriteOptions,
  ): Promise<RotatedWebhookSecret>;
  /** Enables a webhook that was disabled. */
  enable(webhookId: string, options?: WriteOptions): Promise<Webhook>;
  /** Tells what was sent to a webhook or waits to be, newest first, page by page. */
  deliveries(
    webhookId: string,
    filter?: DeliveryFilter,
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, void>;
  /** A delivery with what is sent and the beginning of the last answer. */
  delivery(webhookId: string, deliveryId: string, options?: CallOptions): Promise<WebhookDeliveryResponse>;
  /** Sends a delivery again, at once. */
  redeliver(webhookId: string, deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery>;
  /** Sends again what was given up or skipped since a time; `more` of the answer asks for another call. */
  redeliverFailed(
    webhookId: string,
    filter?: Pick<DeliveryFilter, 'since'>,
    options?: WriteOptions,
  ): Promise<RedeliveredWebhooks>;
}

const BASE = '/webhooks';
const PAGE = 200;

/** Makes the operations over a transport. */
export function createWebhooks(transport: Transport): Webhooks {
  const read = <T extends object>(path: string, query: Query, { signal }: CallOptions): Promise<T> =>
    transport.json<T>({ method: 'GET', path, query, repeatable: true, signal });
  const write = <T extends object>(
    call: Pick<Call, 'path' | 'query' | 'body'> & { readonly method?: 'PUT' },
    { idempotencyKey = crypto.randomUUID(), signal }: WriteOptions,
  ): Promise<T> => {
    const headers = { 'idempotency-key': idempotencyKey };
    return transport.json<T>({ method: 'POST', ...call, headers, repeatable: true, signal });
  };
  return {
    list: async (options = {}) => (await read<WebhookListResponse>(BASE, {}, options)).webhooks,
    create: (body, options = {}) => write({ path: BASE, body }, options),
    get: (webhookId, options = {}) => read(pathOf(webhookId), {}, options),
    change: (webhookId, body, options = {}) =>
      write({ method: 'PUT', path: pathOf(webhookId), body }, options),
    async delete(webhookId, { signal } = {}) {
      await transport.send({ method: 'DELETE', path: pathOf(webhookId), repeatable: true, signal });
    },
    test: (webhookId, options = {}) => write({ path: `${pathOf(webhookId)}/test` }, options),
    rotateSecret: (webhookId, body = {}, options = {}) =>
      write({ path: `${pathOf(webhookId)}/rotate-secret`, body }, options),
    enable: (webhookId, options = {}) => write({ path: `${pathOf(webhookId)}/enable` }, options),
    deliveries: (webhookId, filter = {}, options = {}) =>
      pages(
        (cursor) =>
          read<WebhookDeliveryListResponse>(
            `${pathOf(webhookId)}/deliveries`,
            { ...filter, limit: PAGE, cursor },
            options,
          ),
        ({ deliveries }) => deliveries,
      ),
    delivery: (webhookId, deliveryId, options = {}) => read(deliveryPath(webhookId, deliveryId), {}, options),
    redeliver: (webhookId, deliveryId, options = {}) =>
      write({ path: `${deliveryPath(webhookId, deliveryId)}/redeliver` }, options),
    redeliverFailed: (webhookId, { since } = {}, options = {}) =>
      write({ path: `${pathOf(webhookId)}/redeliver-failed`, query: { since } }, options),
  };
}

function pathOf(webhookId: string): string {
  return `${BASE}/${encodeURIComponent(webhookId)}`;
}

function deliveryPath(webhookId: string, deliveryId: string): string {
  return `${pathOf(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}`;
}
