/** What was sent to a webhook, newest first; filters and the delivery that is looked at stand in the address. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { keyOf, useList } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import type { Search } from '../../app/search.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import { number } from '../../ui/format.ts';
import { Button, Empty, NUMBER, Panel, Stack, Table } from '../../ui/pieces.tsx';
import { useRevealed } from '../../ui/revealed.ts';
import { Age } from '../../ui/time.tsx';
import { DeliveryPanel, DeliveryStatePill, took } from './delivery-panel.tsx';
import styles from './developers.module.css';
import { eventTypes, isEventType } from './event-types.ts';
import type { EventType } from './event-types.ts';
import { fieldTime, isoOf } from './field-time.ts';
import { answeredBy, DELIVERIES, deliveryStates, deliveryWord } from './webhook.ts';
import type { Delivery, DeliveryState, Webhook } from './webhook.ts';

const PAGE = 50;
/** Deliveries are tried while somebody looks, and no event tells of a try. */
const AGAIN_MS = 3_000;

interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly type?: EventType;
  readonly since?: string;
  readonly until?: string;
}

const STATES = new Map<string, DeliveryState>(deliveryStates.map((state) => [state, state]));

/** The filter of an address; what no filter is, is left out. */
function filterOf(search: Search): DeliveryFilter {
  const state = STATES.get(oneOf(search['state']) ?? '');
  const type = oneOf(search['type']) ?? '';
  const since = isoOf(oneOf(search['since']) ?? '');
  const until = isoOf(oneOf(search['until']) ?? '');
  return {
    ...(state === undefined ? {} : { state }),
    ...(isEventType(type) ? { type } : {}),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
  };
}

export function DeliveriesTab({
  webhook,
  onRedeliverFailed,
}: {
  readonly webhook: Webhook;
  readonly onRedeliverFailed: () => void;
}) {
  const search = useAddress();
  const filter = filterOf(search);
  const chosen = oneOf(search['delivery']);
  const path = { webhookId: webhook.id };
  const navigate = useNavigate();
  const go = (next: DeliveryFilter, delivery: string | null, replace: boolean): void =>
    void navigate({
      to: '/developers/webhooks/$webhookId',
      params: path,
      replace,
      resetScroll: false,
      search: { ...next, ...(delivery === null ? {} : { delivery }) },
    });
  const list = useList(
    [...keyOf(DELIVERIES, { path }), filter],
    (cursor, signal) =>
      api.get(DELIVERIES, {
        path,
        query: { ...filter, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
        signal,
      }),
    { everyMs: AGAIN_MS },
  );
  const all = list.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [];
  const [shown, fresh, reveal] = useRevealed(all, ({ createdAt }) => createdAt, JSON.stringify(filter));
  return (
    <Stack>
      <Filters webhook={webhook} filter={filter} onFilter={(next) => go(next, null, true)}>
        <Button disabled={!webhook.enabled} onClick={onRedeliverFailed}>
          {m.webhook_redeliver_failed()}
        </Button>
      </Filters>
      <div className={chosen === null ? undefined : styles.beside}>
        {chosen !== null && (
          <DeliveryPanel
            key={chosen}
            webhook={webhook}
            deliveryId={chosen}
            onClose={() => go(filter, null, false)}
          />
        )}
        <Stack>
          <Panel flush>
            {fresh > 0 && (
              <Button kind="bare" onClick={reveal}>
                {m.delivery_fresh({ count: fresh })}
              </Button>
            )}
            <Loaded answer={list} lines={8}>
              {() =>
                shown.length === 0 ? (
                  <Empty
                    text={Object.keys(filter).length > 0 ? m.delivery_none_like_this() : m.delivery_none()}
                  />
                ) : (
                  <Deliveries
                    deliveries={shown}
                    chosen={chosen}
                    onChosen={(id) => go(filter, id, chosen !== null)}
                  />
                )
              }
            </Loaded>
          </Panel>
          {list.hasNextPage && (
            <div>
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {m.delivery_older()}
              </Button>
            </div>
          )}
        </Stack>
      </div>
    </Stack>
  );
}

function Filters({
  webhook,
  filter,
  onFilter,
  children,
}: {
  readonly webhook: Webhook;
  readonly filter: DeliveryFilter;
  readonly onFilter: (filter: DeliveryFilter) => void;
  readonly children: ReactNode;
}) {
  // What was sent before its types changed, and tests, are there, too.
  const types = eventTypes.filter(
    (type) => webhook.types.includes(type) || type === 'webhook.test' || type === filter.type,
  );
  const { state, type, since, until } = filter;
  const change = (part: Readonly<Record<keyof DeliveryFilter, string>>): void => onFilter(filterOf(part));
  const now = { state: state ?? '', type: type ?? '', since: since ?? '', until: until ?? '' };
  return (
    <div className={styles.filters} role="search">
      <SelectField
        label={m.webhook_state()}
        value={now.state}
        options={[
          ['', m.delivery_any_state()],
          ...deliveryStates.map((each): readonly [string, string] => [each, deliveryWord(each)]),
        ]}
        onText={(text) => change({ ...now, state: text })}
      />
      <SelectField
        label={m.delivery_type()}
        value={now.type}
        options={[
          ['', m.delivery_any_type()],
          ...types.map((each): readonly [string, string] => [each, each]),
        ]}
        onText={(text) => change({ ...now, type: text })}
      />
      <TextField
        label={m.delivery_since()}
        type="datetime-local"
        value={fieldTime(now.since)}
        onText={(text) => change({ ...now, since: text })}
      />
      <TextField
        label={m.delivery_until()}
        type="datetime-local"
        value={fieldTime(now.until)}
        onText={(text) => change({ ...now, until: text })}
      />
      {children}
    </div>
  );
}

function Deliveries({
  deliveries,
  chosen,
  onChosen,
}: {
  readonly deliveries: readonly Delivery[];
  readonly chosen: string | null;
  readonly onChosen: (id: string) => void;
}) {
  return (
    <Table label={m.webhook_deliveries()}>
      <thead>
        <tr>
          <th scope="col">{m.webhook_state()}</th>
          <th scope="col">{m.delivery_type()}</th>
          <th scope="col">{m.delivery_answer()}</th>
          <th scope="col" className={NUMBER}>
            {m.delivery_attempt()}
          </th>
          <th scope="col" className={NUMBER}>
            {m.delivery_took()}
          </th>
          <th scope="col" className={NUMBER}>
            {m.delivery_made()}
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id} className={delivery.id === chosen ? styles.chosen : undefined}>
            <td>
              <DeliveryStatePill delivery={delivery} />
            </td>
            <td>
              <button
                type="button"
                className={styles.open}
                aria-pressed={delivery.id === chosen}
                onClick={() => onChosen(delivery.id)}
              >
                <code>{delivery.type}</code>
              </button>
            </td>
            <td>{answeredBy(delivery)}</td>
            <td className={NUMBER}>{number(delivery.attempt)}</td>
            <td className={NUMBER}>{delivery.durationMs === null ? '' : took(delivery.durationMs)}</td>
            <td className={NUMBER}>
              <Age at={delivery.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
