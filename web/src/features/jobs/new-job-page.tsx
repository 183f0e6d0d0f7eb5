/**
 * Any job as JSON: checked while it is typed, priced beside it, and submitted under one key for as long as the text stays the same, so a
 * second click, a reload or the way back from a payment never makes a second job. The draft lives in this tab.
 */
import { Link, useNavigate } from '@tanstack/react-router';
import { fields as estimateFields } from 'document:fields/EstimateJobRequest';
import { fields } from 'document:fields/SubmitJobRequest';
import { useQuery } from '@tanstack/react-query';
import { ClientError } from 'dockyard-client/browser';
import type { AnswerOf, CallInput } from 'dockyard-client/browser';
import { useDeferredValue, useEffect, useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { answers, useGet } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { TextArea } from '../../ui/form.tsx';
import { amount, money } from '../../ui/format.ts';
import { Button, buttonClass, Facts, Notice, PageHead, Panel, Stack } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import { changedPaths } from './changed-paths.ts';
import { EXAMPLES } from './examples.ts';
import styles from './jobs.module.css';

type Body = CallInput<'post', '/jobs/submit'>['body'];
type Price = AnswerOf<'post', '/jobs/estimate'>;

const DRAFT = 'dockyard-draft';
const PAUSE_MS = 400;

interface Draft {
  readonly text: string;
  /** The key under which this text is submitted. */
  readonly submission: string;
}

function keptDraft(): Draft | null {
  const text = sessionStorage.getItem(DRAFT);
  const submission = sessionStorage.getItem(`${DRAFT}-submission`);
  return text === null || submission === null ? null : { text, submission };
}

export function NewJobPage() {
  const search = useAddress();
  const from = oneOf(search['from']);
  const source = useGet('/jobs/{jobId}/request', { path: { jobId: from ?? '' } }, { enabled: from !== null });
  const [draft, setDraft] = useState<Draft>(() => startOf(oneOf(search['example']) ?? ''));
  const [taken, setTaken] = useState<string | null>(null);
  const original = source.data?.request;
  if (from !== null && original !== undefined && taken !== from) {
    setTaken(from);
    setDraft(freshDraft(JSON.stringify(original, null, 2)));
  }
  useEffect(() => {
    sessionStorage.setItem(DRAFT, draft.text);
    sessionStorage.setItem(`${DRAFT}-submission`, draft.submission);
  }, [draft]);
  const { body, problem } = parsed(draft.text);
  const price = usePrice(body);
  return (
    <Stack>
      <title>{m.app_title({ page: m.new_title() })}</title>
      <PageHead title={m.new_title()} />
      {from !== null && source.error !== null && <Failure error={source.error} />}
      {from !== null && original !== undefined && <Changed from={from} original={original} body={body} />}
      <div className={styles.two}>
        <TextArea
          label={m.new_request()}
          help={
            <>
              {m.new_help()} <a href="/docs">{m.app_reference()}</a>
            </>
          }
          rows={24}
          value={draft.text}
          problem={problem}
          onText={(text) => setDraft(freshDraft(text))}
        />
        <Submit draft={draft} body={problem === null ? body : null} price={price} />
      </div>
    </Stack>
  );
}

function freshDraft(text: string): Draft {
  return { text, submission: crypto.randomUUID() };
}

function startOf(example: string): Draft {
  const found = EXAMPLES[example];
  const kept = keptDraft();
  const text = found === undefined ? null : JSON.stringify(found, null, 2);
  if (text !== null) return kept?.text === text ? kept : freshDraft(text);
  return kept ?? freshDraft('{\n  "jobType": "simulation"\n}');
}

/** A request as it is typed: the object, and what is wrong with it. */
function parsed(text: string): { readonly body: object | null; readonly problem: string | null } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { body: null, problem: m.new_not_json({ reason: error instanceof Error ? error.message : '' }) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { body: null, problem: m.new_not_object() };
  const unknown = Object.keys(value).filter((name) => fields[name] === undefined);
  if (unknown.length > 0) return { body: value, problem: m.new_unknown({ names: unknown.join(', ') }) };
  if (!('jobType' in value))
    return { body: value, problem: m.new_needed({ types: fields['jobType']?.enum?.join(', ') ?? '' }) };
  return { body: value, problem: null };
}

function Changed({
  from,
  original,
  body,
}: {
  readonly from: string;
  readonly original: object;
  readonly body: object | null;
}) {
  const paths = body === null ? [] : changedPaths(original, body);
  const id = from.slice(0, 8);
  return (
    <Notice
      title={paths.length === 0 ? m.new_from_same({ id }) : m.new_from({ id, paths: paths.join(', ') })}
    />
  );
}

/** The price of a request, a moment after it was typed. */
function usePrice(body: object | null): ReturnType<typeof useQuery<Price>> {
  const asked = useDeferredValue(body);
  const priced = Object.fromEntries(
    Object.entries(asked ?? {}).filter(([name]) => estimateFields[name] !== undefined),
  );
  return useQuery<Price>({
    queryKey: ['/jobs/estimate', priced],
    enabled: asked !== null && 'jobType' in priced,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      // What is wrong with it the service says.
      return api.post('/jobs/estimate', {
        body: asBody<CallInput<'post', '/jobs/estimate'>['body']>(priced),
        signal,
        idempotencyKey: null,
      });
    },
  });
}

function asBody<T extends object>(value: object): T {
  if (isBody<T>(value)) return value;
  throw new TypeError('A request is an object.');
}

function isBody<T extends object>(value: object): value is T {
  return !Array.isArray(value);
}

function Submit({
  draft,
  body,
  price,
}: {
  readonly draft: Draft;
  readonly body: object | null;
  readonly price: ReturnType<typeof usePrice>;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();
  const submit = async (request: object): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { jobId } = await api.post('/jobs/submit', {
        body: asBody<Body>(request),
        idempotencyKey: draft.submission,
      });
      sessionStorage.removeItem(DRAFT);
      void answers.invalidateQueries({ queryKey: ['/jobs'] });
      await navigate({ to: '/jobs/$jobId', params: { jobId } });
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  const most = price.data?.ceilingCents;
  return (
    <Panel title={m.new_price()}>
      <Stack>
        {price.data === undefined && price.error === null && <p className="quiet">{m.new_pricing()}</p>}
        {price.error !== null && <Failure error={price.error} />}
        {price.data !== undefined && <PriceFacts price={price.data} />}
        {error !== null && (
          <Failure error={error}>
            {error instanceof ClientError && error.status === 402 && (
              <Link to="/credits" className={buttonClass()}>
                {m.new_credits()}
              </Link>
            )}
          </Failure>
        )}
        <Button
          kind="primary"
          busy={busy}
          disabled={body === null}
          onClick={() => {
            if (body !== null) void submit(body);
          }}
        >
          {most === undefined ? m.new_run_plain() : m.new_run({ sum: money(most) })}
        </Button>
      </Stack>
    </Panel>
  );
}

function PriceFacts({ price }: { readonly price: Price }) {
  return (
    <>
      <Facts
        facts={[
          [m.new_at_most(), money(price.ceilingCents)],
          [m.new_held(), money(price.heldCents)],
          [m.new_estimate(), amount(price.estimatedCost, price.currency)],
          [m.new_until(), <When key="until" at={price.quoteExpiresAt} />],
        ]}
      />
      {price.warnings.map(({ code, message }) => (
        <Notice key={code} tone="warn" title={code}>
          <p>{message}</p>
        </Notice>
      ))}
    </>
  );
}
