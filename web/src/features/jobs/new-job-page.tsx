/** Any job as JSON: checked while it is typed, priced beside it, and submitted under the key of its draft, so it never becomes two jobs. */
import { Link, useNavigate } from '@tanstack/react-router';
import { fields as estimateFields } from 'document:fields/EstimateJobRequest';
import { fields } from 'document:fields/SubmitJobRequest';
import { useQuery } from '@tanstack/react-query';
import { ClientError } from 'dockyard-client/browser';
import type { AnswerOf, CallInput } from 'dockyard-client/browser';
import { useDeferredValue, useEffect, useRef, useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { AGAIN_MS, answers, isPassing, useGet } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { TextArea } from '../../ui/form.tsx';
import { amount, duration, money } from '../../ui/format.ts';
import { Button, buttonClass, Facts, Notice, PageHead, Panel, Skeleton, Stack } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import { changedPaths } from './changed-paths.ts';
import { forgetDraft, freshDraft, keepDraft, keptDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { EXAMPLES } from './examples.ts';
import styles from './jobs.module.css';

type Body = CallInput<'post', '/jobs/submit'>['body'];
type Price = AnswerOf<'post', '/jobs/estimate'>;

const PAUSE_MS = 400;
const BLANK = '{\n  "jobType": "simulation"\n}';

export function NewJobPage() {
  const search = useAddress();
  const from = oneOf(search['from']);
  const example = EXAMPLES[oneOf(search['example']) ?? ''];
  const page =
    example !== undefined ? (
      <Begun request={example} from={null} />
    ) : from !== null ? (
      <FromJob jobId={from} />
    ) : (
      <DraftOfJob />
    );
  return (
    <Stack>
      <title>{m.app_title({ page: m.new_title() })}</title>
      <PageHead title={m.new_title()} />
      {page}
    </Stack>
  );
}

function FromJob({ jobId }: { readonly jobId: string }) {
  const answer = useGet('/jobs/{jobId}/request', { path: { jobId } });
  return <Loaded answer={answer}>{({ request }) => <Begun request={request} from={jobId} />}</Loaded>;
}

/** Begins a draft in the place of the one before and leads to it, so a reload finds what was typed since, under its key. */
function Begun({ request, from }: { readonly request: object; readonly from: string | null }) {
  const navigate = useNavigate();
  useEffect(() => {
    keepDraft(freshDraft(JSON.stringify(request, null, 2), from));
    void navigate({ to: '/jobs/new', search: {}, replace: true });
  }, [request, from, navigate]);
  return <Skeleton lines={8} />;
}

function DraftOfJob() {
  const [draft, setDraft] = useState<Draft>(() => keptDraft() ?? freshDraft(BLANK, null));
  const change = (text: string): void => {
    const next = freshDraft(text, draft.from);
    keepDraft(next);
    setDraft(next);
  };
  const { body, problem } = parsed(draft.text);
  const price = usePrice(body);
  return (
    <>
      {draft.from !== null && <Changed from={draft.from} body={body} />}
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
          onText={change}
        />
        <Submit draft={draft} body={problem === null ? body : null} price={price} />
      </div>
    </>
  );
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
  const types = fields['jobType']?.enum ?? [];
  if (!('jobType' in value) || !types.some((type) => type === value.jobType))
    return { body: value, problem: m.new_needed({ types: types.join(', ') }) };
  return { body: value, problem: null };
}

/** The job that a draft was begun from, and what differs. */
function Changed({ from, body }: { readonly from: string; readonly body: object | null }) {
  const { data } = useGet('/jobs/{jobId}/request', { path: { jobId: from } });
  if (data === undefined) return null;
  const paths = body === null ? [] : changedPaths(data.request, body);
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
  const priced = pricedOf(asked);
  return useQuery<Price>({
    queryKey: ['/jobs/estimate', priced],
    // A type alone has no price yet.
    enabled: asked !== null && 'jobType' in priced && Object.keys(priced).length > 1,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (isPassing(state.error) ? AGAIN_MS : false),
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

/** The part of a request that has a price. A job may carry any metadata; the price takes what the service knows. */
function pricedOf(body: object | null): object {
  const known = Object.entries(body ?? {}).filter(([name]) => estimateFields[name] !== undefined);
  return Object.fromEntries(
    known.map(([name, value]: [string, unknown]) => [name, name === 'metadata' ? knownOf(value) : value]),
  );
}

function knownOf(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return metadata;
  const names = estimateFields['metadata']?.names ?? [];
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => names.includes(name)));
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
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const navigate = useNavigate();
  const submit = async (request: object): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { jobId } = await api.post('/jobs/submit', {
        body: asBody<Body>(request),
        idempotencyKey: draft.submission,
      });
      forgetDraft(draft);
      void answers.invalidateQueries({ queryKey: ['/jobs'] });
      // Whoever has gone to another page meanwhile stays there.
      if (isHere.current) await navigate({ to: '/jobs/$jobId', params: { jobId } });
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  const most = price.data?.ceilingCents;
  return (
    <Panel title={m.new_price()}>
      <Stack>
        {price.data === undefined && price.error === null && (
          <p className="quiet">
            {m.new_pricing()}{' '}
            {draft.text === BLANK && draft.from === null && (
              <Link to="/jobs/new" search={{ example: '1a28' }}>
                {m.jobs_example()}
              </Link>
            )}
          </p>
        )}
        {price.error !== null && <Failure error={price.error} />}
        {price.data !== undefined && <PriceFacts price={price.data} />}
        {error !== null && (
          <Failure error={error}>
            {error instanceof ClientError && error.status === 402 && (
              <Link to="/credits" search={{ tab: 'topup' }} className={buttonClass()}>
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
          [m.new_longest(), duration(price.longestTaskSeconds)],
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
