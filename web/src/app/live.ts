/**
 * What happens, live: one tab of a browser holds the one stream of events and hands them to the others. When that tab goes, another one
 * takes the stream up behind the last event that it was handed, so none is missed. An event is thin: it says which answers to read again.
 */
import { useSyncExternalStore } from 'react';
import type { Query } from '@tanstack/react-query';
import type { AccountEvent, EventWay } from 'dockyard-client/browser';

import { forgetAccount, knownAccount } from '../api/account.ts';
import { bareApi } from '../api/api.ts';
import { answers } from '../api/queries.ts';

/** Shortest time between two readings of the same answer; longer for a list, by each further page of it that was read. */
const GATHER_MS = 400;
const CHANNEL = 'dockyard';
const STREAM_LOCK = 'dockyard-stream';

/** Answers that an event of a kind makes old; `{id}` stands for those of the thing of the event alone. A feature adds its line. */
const MADE_OLD: readonly (readonly [types: RegExp, paths: readonly string[]])[] = [
  [
    /^job\./,
    [
      '/jobs',
      '/jobs/summary',
      '/jobs/{jobId}/status',
      '/jobs/{jobId}/tasks',
      '/jobs/{jobId}/outputs',
      '/jobs/{jobId}/recoveries',
    ],
  ],
  [
    /^job\.(?!progress)/,
    ['/credits/balance', '/credits/usage', '/jobs/{jobId}/bill', '/jobs/{jobId}/receipt'],
  ],
  [/^results$/, ['/jobs/{jobId}/status', '/jobs/{jobId}/tasks', '/jobs/{jobId}/outputs']],
  [
    /^(topup|credits)\./,
    [
      '/credits/balance',
      '/credits/transactions',
      '/credits/topups',
      '/credits/topups/{topupId}',
      '/credits/usage',
      '/settings/billing',
    ],
  ],
  [/^upload\./, ['/uploads', '/uploads/usage']],
  [/^key\./, ['/keys']],
  [/^(account|member)\./, ['/account', '/members', '/invitations']],
  [/^webhook\./, ['/webhooks', '/webhooks/{webhookId}']],
  [/^./, ['/events']],
];

type Message =
  | {
      readonly kind: 'happened';
      readonly type: string;
      readonly data: Readonly<Record<string, unknown>>;
      readonly id?: string;
    }
  | { readonly kind: 'cursor'; readonly cursor: string }
  | { readonly kind: 'way'; readonly way: EventWay }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly userId: string };

const channel = new BroadcastChannel(CHANNEL);
const readers = new Set<() => void>();
let way: EventWay = 'stream';
let cursor: string | null = null;
let ending: AbortController | null = null;

/** Begins to follow; a tab follows for one person at a time. */
export function startLive(): void {
  if (ending !== null) return;
  const leaving = (ending = new AbortController());
  void navigator.locks
    .request(STREAM_LOCK, { signal: leaving.signal }, () => follow(leaving.signal))
    .catch(() => undefined);
}

/** Ends the following of this tab. */
export function stopLive(): void {
  ending?.abort();
  ending = null;
  cursor = null;
}

async function follow(signal: AbortSignal): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false)
    try {
      // What happened while nobody followed is not known.
      if (!isFirst && cursor === null) void answers.invalidateQueries();
      const onResults = (change: { readonly jobId: string }): void =>
        happened('results', { jobId: change.jobId });
      const options = { from: cursor ?? 'now', signal, onWay, onResults, onCursor };
      for await (const { type, data, id } of bareApi.events(options)) happened(type, { ...data }, id);
    } catch {
      if (signal.aborted) return;
      cursor = null;
      onWay('lost');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
}

function onWay(next: EventWay): void {
  share({ kind: 'way', way: next });
}

function onCursor(next: string): void {
  share({ kind: 'cursor', cursor: next });
}

function happened(type: string, data: Readonly<Record<string, unknown>>, id?: AccountEvent['id']): void {
  share({ kind: 'happened', type, data, ...(id === undefined ? {} : { id }) });
}

function share(message: Message): void {
  channel.postMessage(message);
  take(message);
}

function take(message: Message): void {
  switch (message.kind) {
    case 'cursor':
      cursor = message.cursor;
      return;
    case 'way':
      way = message.way;
      for (const read of readers) read();
      return;
    case 'happened':
      makeOld(message.type, message.data);
      return;
    case 'signed-out':
      stopLive();
      forgetAccount();
      // The next person in this tab sees no draft of this one.
      sessionStorage.clear();
      return;
    case 'signed-in':
      // Whoever was here before is not the person of this session any more.
      if (knownAccount()?.user.id !== message.userId) location.reload();
  }
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data));

const old = new Map<string, readonly unknown[]>();
/** Answers on the screen that are read again as soon as they may be. */
const due = new Set<Query>();
let gathering: ReturnType<typeof setTimeout> | null = null;

function makeOld(type: string, data: Readonly<Record<string, unknown>>): void {
  for (const [types, paths] of MADE_OLD)
    if (types.test(type))
      for (const path of paths) {
        const [, name] = /\{(\w+)\}/.exec(path) ?? [];
        const key = name === undefined ? [path] : [path, { path: { [name]: data[name] } }];
        old.set(JSON.stringify(key), key);
      }
  gathering ??= setTimeout(readAgain, GATHER_MS);
}

/** Has what is old read again. What is being read is left to end first: on a slow line, a reading that each event broke off would never end. */
function readAgain(): void {
  gathering = null;
  for (const queryKey of old.values()) {
    void answers.invalidateQueries({ queryKey, refetchType: 'none' });
    for (const query of answers.getQueryCache().findAll({ queryKey, type: 'active' })) due.add(query);
  }
  old.clear();
  for (const query of due) {
    const { fetchStatus, dataUpdatedAt } = query.state;
    const isEarly = Date.now() - dataUpdatedAt < (pagesOf(query) - 1) * GATHER_MS;
    if (query.isActive() && (fetchStatus !== 'idle' || isEarly)) continue;
    due.delete(query);
    void answers.refetchQueries({ queryKey: query.queryKey, exact: true, type: 'active' });
  }
  if (due.size > 0) gathering ??= setTimeout(readAgain, GATHER_MS);
}

function pagesOf({ state: { data } }: Query): number {
  return typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages.length
    : 1;
}

/** Tells the other tabs that the person has signed out, and forgets all answers here. */
export function shareSignOut(): void {
  share({ kind: 'signed-out' });
}

/** Tells the other tabs who has signed in. */
export function shareSignIn(userId: string): void {
  channel.postMessage({ kind: 'signed-in', userId } satisfies Message);
}

/** The way on which events come now. */
export function useWay(): EventWay {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => way,
  );
}
