/** The log of events, newest first and live: what happened, by type and by the thing that it happened to, each as it is sent. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { keyOf, useList } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import {
  Actions,
  Button,
  buttonClass,
  Code,
  Copy,
  Empty,
  NUMBER,
  PageHead,
  Panel,
  Stack,
  Table,
} from '../../ui/pieces.tsx';
import { useRevealed } from '../../ui/revealed.ts';
import { Age, When } from '../../ui/time.tsx';
import styles from './developers.module.css';
import { eventTypes, isEventType } from './event-types.ts';
import type { EventType } from './event-types.ts';
import { DeveloperPlaces } from './places.tsx';
import type { EventRecord } from './webhook.ts';

const PAGE = 50;

interface EventFilter {
  readonly type?: EventType;
  readonly subject?: string;
}

export function EventsPage() {
  const search = useAddress();
  const type = oneOf(search['type']) ?? '';
  const subject = oneOf(search['subject']) ?? '';
  const filter: EventFilter = {
    ...(isEventType(type) ? { type } : {}),
    ...(subject === '' ? {} : { subject }),
  };
  const chosen = oneOf(search['event']);
  const navigate = useNavigate();
  const go = (next: EventFilter, event: string | null): void =>
    void navigate({
      to: '/developers/events',
      replace: true,
      resetScroll: false,
      search: { ...next, ...(event === null ? {} : { event }) },
    });
  return (
    <Stack>
      <title>{m.app_title({ page: m.event_title() })}</title>
      <PageHead title={m.event_title()} facts={m.event_text()} />
      <DeveloperPlaces />
      <Filters key={subject} filter={filter} onFilter={(next) => go(next, null)} />
      <Events
        filter={filter}
        chosen={chosen}
        onChosen={(id) => go(filter, id)}
        onFilter={(next) => go(next, null)}
      />
    </Stack>
  );
}

function Filters({
  filter,
  onFilter,
}: {
  readonly filter: EventFilter;
  readonly onFilter: (filter: EventFilter) => void;
}) {
  const [subject, setSubject] = useState(filter.subject ?? '');
  const { type, ...others } = filter;
  return (
    <form
      className={styles.filters}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const asked = subject.trim();
        onFilter({ ...(type === undefined ? {} : { type }), ...(asked === '' ? {} : { subject: asked }) });
      }}
    >
      <SelectField
        label={m.delivery_type()}
        value={type ?? ''}
        options={[
          ['', m.delivery_any_type()],
          ...eventTypes.map((each): readonly [string, string] => [each, each]),
        ]}
        onText={(text) => onFilter({ ...others, ...(isEventType(text) ? { type: text } : {}) })}
      />
      <TextField label={m.event_subject()} value={subject} onText={setSubject} spellCheck={false} />
      <Button type="submit">{m.event_filter()}</Button>
    </form>
  );
}

function Events({
  filter,
  chosen,
  onChosen,
  onFilter,
}: {
  readonly filter: EventFilter;
  readonly chosen: string | null;
  readonly onChosen: (id: string | null) => void;
  readonly onFilter: (filter: EventFilter) => void;
}) {
  const { type, subject } = filter;
  const list = useList(keyOf('/events', filter), async (cursor, signal) => {
    const query = {
      limit: PAGE,
      newestFirst: true,
      ...(type === undefined ? {} : { types: [type] }),
      ...(subject === undefined ? {} : { subject }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const { events, nextCursor } = await api.get('/events', { query, signal });
    // The page that is not full is the last.
    return { events, nextCursor: events.length < PAGE ? null : nextCursor };
  });
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  const [shown, fresh, reveal] = useRevealed(events, ({ timestamp }) => timestamp, JSON.stringify(filter));
  const one = events.find(({ id }) => id === chosen);
  return (
    <div className={one === undefined ? undefined : styles.beside}>
      {one !== undefined && <OneEvent event={one} onClose={() => onChosen(null)} onFilter={onFilter} />}
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
                <Empty text={Object.keys(filter).length > 0 ? m.event_none_like_this() : m.event_none()} />
              ) : (
                <EventTable events={shown} chosen={chosen} onChosen={onChosen} />
              )
            }
          </Loaded>
        </Panel>
        {list.hasNextPage && (
          <div>
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {m.event_older()}
            </Button>
          </div>
        )}
      </Stack>
    </div>
  );
}

function EventTable({
  events,
  chosen,
  onChosen,
}: {
  readonly events: readonly EventRecord[];
  readonly chosen: string | null;
  readonly onChosen: (id: string) => void;
}) {
  return (
    <Table label={m.event_title()}>
      <thead>
        <tr>
          <th scope="col">{m.delivery_type()}</th>
          <th scope="col">{m.event_told()}</th>
          <th scope="col" className={NUMBER}>
            {m.event_when()}
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id} className={event.id === chosen ? styles.chosen : undefined}>
            <td>
              <button
                type="button"
                className={styles.open}
                aria-pressed={event.id === chosen}
                onClick={() => onChosen(event.id)}
              >
                <code>{event.type}</code>
              </button>
            </td>
            <td className={styles.told}>
              <code>{toldOf(event)}</code>
            </td>
            <td className={NUMBER}>
              <Age at={event.timestamp} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** What an event tells, by name and value. */
function toldOf({ data }: EventRecord): string {
  return Object.entries(data)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function OneEvent({
  event,
  onClose,
  onFilter,
}: {
  readonly event: EventRecord;
  readonly onClose: () => void;
  readonly onFilter: (filter: EventFilter) => void;
}) {
  const text = JSON.stringify(event, null, 2);
  const [, subject] =
    Object.entries(event.data).find(([, value]) => typeof value === 'string' && ID.test(value)) ?? [];
  const { jobId } = { jobId: undefined, ...event.data };
  return (
    <Panel
      title={<code>{event.type}</code>}
      aside={
        <Button kind="bare" onClick={onClose}>
          {m.ui_close()}
        </Button>
      }
    >
      <Stack>
        <When at={event.timestamp} />
        <Actions>
          {typeof jobId === 'string' && (
            <Link to="/jobs/$jobId" params={{ jobId }} className={buttonClass()}>
              {m.event_to_job()}
            </Link>
          )}
          {typeof subject === 'string' && (
            <Button onClick={() => onFilter({ subject })}>{m.event_of_the_same()}</Button>
          )}
          <Copy text={text} label={m.event_copy()} />
        </Actions>
        <Code text={text} label={event.type} />
      </Stack>
    </Panel>
  );
}
