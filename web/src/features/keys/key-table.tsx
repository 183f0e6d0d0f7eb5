/** Keys in rows; a key with an end counts down to the moment from which it answers 401. */
import { useEffect, useState } from 'react';

import { m } from '#messages';

import { duration, money, utcTime } from '../../ui/format.ts';
import { Button, NUMBER, Pill, Table } from '../../ui/pieces.tsx';
import type { Tone } from '../../ui/pieces.tsx';
import { Age, When } from '../../ui/time.tsx';
import type { ApiKey } from './key.ts';
import { scopeWords } from './key.ts';
import styles from './keys.module.css';

interface RowDoes {
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
  readonly onEnded: () => void;
}

export function KeyTable({ keys, ...does }: RowDoes & { readonly keys: readonly ApiKey[] }) {
  return (
    <Table label={m.keys_title()}>
      <thead>
        <tr>
          <th scope="col">{m.keys_name()}</th>
          <th scope="col">{m.keys_state()}</th>
          <th scope="col">{m.keys_may()}</th>
          <th scope="col">{m.keys_used()}</th>
          <th scope="col" className={NUMBER}>
            {m.keys_month()}
          </th>
          <th scope="col">
            <span className="hidden-text">{m.keys_do()}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} {...does} />
        ))}
      </tbody>
    </Table>
  );
}

const STATES: Readonly<Record<string, readonly [mark: string, tone: Tone, word: () => string]>> = {
  ACTIVE: ['✓', 'ok', m.keys_active],
  EXPIRED: ['–', 'quiet', m.keys_expired],
  REVOKED: ['✕', 'bad', m.keys_revoked],
};

function KeyRow({ apiKey, onRotate, onRevoke, onEnded }: RowDoes & { readonly apiKey: ApiKey }) {
  const { name, environment, prefix, last4, status, scopes, allowedCidrs, lastUsedAt, expiresAt } = apiKey;
  const [mark, tone, word] = STATES[status] ?? ['○', 'quiet', () => status];
  const isActive = status === 'ACTIVE';
  return (
    <tr>
      <td className={styles.name}>
        <bdi title={name}>{name}</bdi>
        <span className="quiet small">
          <code>
            {prefix}…{last4}
          </code>{' '}
          {environment === 'test' && m.keys_test()}
        </span>
      </td>
      <td>
        <Pill mark={mark} tone={tone}>
          {word()}
        </Pill>
        <div className="quiet small">
          {isActive && expiresAt !== null && <Left until={expiresAt} onEnded={onEnded} />}
          {!isActive && <When at={apiKey.revokedAt ?? expiresAt ?? apiKey.createdAt} />}
        </div>
      </td>
      <td className={styles.may}>
        {scopes.map((scope) => (
          <code key={scope} title={scopeWords(scope)}>
            {scope}
          </code>
        ))}
        {allowedCidrs !== null && (
          <span className="quiet small">{m.keys_from({ networks: allowedCidrs.join(', ') })}</span>
        )}
      </td>
      <td>
        {lastUsedAt === null ? <span className="quiet">{m.keys_never()}</span> : <Age at={lastUsedAt} />}
      </td>
      <td className={NUMBER}>
        {apiKey.monthlyLimitCents === null || apiKey.monthSpentCents === null ? (
          <span className="quiet">{m.keys_no_limit()}</span>
        ) : (
          m.keys_of({ spent: money(apiKey.monthSpentCents), limit: money(apiKey.monthlyLimitCents) })
        )}
      </td>
      <td className={NUMBER}>
        {isActive && (
          <>
            <Button kind="bare" aria-label={m.keys_rotate_one({ name })} onClick={() => onRotate(apiKey)}>
              {m.keys_rotate()}
            </Button>
            <Button kind="bare" aria-label={m.keys_revoke_one({ name })} onClick={() => onRevoke(apiKey)}>
              {m.keys_revoke()}
            </Button>
          </>
        )}
      </td>
    </tr>
  );
}

/** The time until a key ends, by the second; then the keys are read again, so that the row says that the key has ended. */
function Left({ until, onEnded }: { readonly until: string; readonly onEnded: () => void }) {
  const [left, setLeft] = useState(() => secondsUntil(until));
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) {
      onEnded();
      return;
    }
    const timer = setInterval(() => setLeft(secondsUntil(until)), 1000);
    return () => clearInterval(timer);
  }, [until, isOver, onEnded]);
  return (
    <time dateTime={until} title={utcTime(until)}>
      {isOver ? m.keys_ending() : m.keys_left({ time: duration(left) })}
    </time>
  );
}

const secondsUntil = (iso: string): number => Math.ceil((Date.parse(iso) - Date.now()) / 1000);
