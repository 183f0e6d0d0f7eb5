/** What failed, why, and what to do, in the words of the API, with the id of the request. */
import { useEffect, useReducer, useRef } from 'react';
import type { ReactNode } from 'react';
import { ClientError } from 'dockyard-client/browser';
import type { UseQueryResult } from '@tanstack/react-query';

import { m } from '#messages';

import { timeOfDay } from '../ui/format.ts';
import { Button, Copy, Notice, Skeleton } from '../ui/pieces.tsx';
import { useWords } from './words.ts';

function titleOf(error: unknown): string {
  if (!(error instanceof ClientError)) return m.api_failed();
  if (error.status === 0) return navigator.onLine ? m.api_unreachable() : m.api_offline();
  if (error.code === 'SIGN_IN_AGAIN') return m.app_sign_in_over();
  switch (error.status) {
    case 403:
      return m.api_forbidden();
    case 404:
      return m.api_not_found();
    case 409:
      return m.api_conflict();
    case 429:
      return m.api_too_many();
    case 503:
      return m.api_unavailable();
    default:
      return m.api_refused();
  }
}

/** Seconds that are left of a wait. */
function useCountdown(seconds: number): number {
  const [passed, pass] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    const timer = setInterval(pass, 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil(seconds) - passed);
}

interface FailureProps {
  readonly error: unknown;
  readonly again?: () => void;
  readonly children?: ReactNode;
}

/** A failure as a notice. */
export function Failure(props: FailureProps) {
  const { error } = props;
  return <OneFailure key={error instanceof ClientError ? error.requestId : ''} {...props} />;
}

function OneFailure({ error, again, children }: FailureProps) {
  const known = error instanceof ClientError ? error : null;
  const words = useWords(known?.code ?? '');
  const left = useCountdown(known?.retryAfterSeconds ?? 0);
  const passes = known?.passing === true;
  const place = useRef<HTMLDivElement>(null);
  // Whoever has pressed a button below sees why nothing came of it.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place}>
      <Notice
        tone={passes ? 'warn' : 'bad'}
        title={titleOf(error)}
        actions={
          <>
            {again !== undefined && (
              <Button onClick={again} disabled={left > 0}>
                {left > 0 ? m.api_again_in({ n: left }) : m.api_again()}
              </Button>
            )}
            {children}
          </>
        }
      >
        <p>{error instanceof Error ? error.message : String(error)}</p>
        {words !== null && <p className="quiet small">{words}</p>}
        {known?.status === 503 && <p className="quiet small">{m.api_by_itself()}</p>}
        {known?.requestId != null && (
          <p className="quiet small">
            {m.api_request()} <code>{known.requestId}</code>{' '}
            <Copy text={known.requestId} label={m.api_copy_request()} />
          </p>
        )}
      </Notice>
    </div>
  );
}

/** An answer once it is there: before, its place; after a failure the last one stays, and says from when it is. */
export function Loaded<T>({
  answer,
  lines = 4,
  children,
}: {
  readonly answer: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'dataUpdatedAt'>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error, refetch, dataUpdatedAt } = answer;
  const again = (): void => void refetch();
  if (data === undefined)
    return error === null ? <Skeleton lines={lines} /> : <Failure error={error} again={again} />;
  return (
    <>
      {error !== null && (
        <Notice
          tone="warn"
          title={m.api_stale({ time: timeOfDay(dataUpdatedAt) })}
          actions={<Button onClick={again}>{m.api_again()}</Button>}
        >
          <p>{error.message}</p>
        </Notice>
      )}
      {children(data)}
    </>
  );
}
