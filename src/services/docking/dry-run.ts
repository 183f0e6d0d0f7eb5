/** Answer of a dry run: the number of ligands that can be docked and their price, the reasons against the others, and warnings. */
import type { DataSource } from 'typeorm';

import type { Task } from '../../../entities/tasks.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { accruedMicro } from '../../domain/charge.ts';
import { decodeClasses } from '../../domain/price-classes.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { Quote } from '../../domain/pricing.ts';
import { endingOf } from '../../domain/state-prices.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { offerFor, toolFor } from '../jobs/offer.ts';
import type { OfferDependencies } from '../jobs/offer.ts';
import { loadJob } from '../job-records/request.ts';
import { answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { Row } from '../row.ts';
import type { DockingBatchResponse } from '../../domain/answers.ts';

type DryRunPrice = NonNullable<NonNullable<DockingBatchResponse['batch']['dry_run_report']>['price']>;
type DryRunReport = NonNullable<DockingBatchResponse['batch']['dry_run_report']>;

/** Dependencies of a dry run: those of an offer, the jobs, and the files of their ligands. */
export interface DryRunDependencies extends OfferDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

const TASKS = `select t.ordinal, t.state, t.failure_code, p.states from tasks t
  left join docking_preparations p on p.job_id = t.job_id and p.ordinal = t.ordinal
  where t.job_id = $1 and t.kind = 'task' order by t.ordinal`;

interface CheckedTask extends Row<Task, 'ordinal' | 'state' | 'failureCode'> {
  readonly states: number | null;
}

const WARNINGS = `
  select w.code, count(*)::int as ligands from docking_preparations p
    cross join lateral (select distinct e ->> 'code' as code from jsonb_array_elements(p.warnings) e) w
  where p.job_id = $1 group by w.code order by w.code`;

/** Reads the answer of the dry run that a job is. */
export async function dryRunReport(deps: DryRunDependencies, jobId: string): Promise<DryRunReport> {
  const { db } = deps;
  const [tasks, warned, job] = await Promise.all([
    db.query<CheckedTask[]>(TASKS, [jobId]),
    db.query<{ code: string; ligands: number }[]>(WARNINGS, [jobId]),
    loadJob(db, deps.store, jobId),
  ]);
  const ready = tasks.filter(({ state }) => state === 'SUCCEEDED');
  const failed = tasks.flatMap(({ state, failure_code: code }) =>
    state === 'FAILED' ? [code ?? 'INTERNAL_ERROR'] : [],
  );
  return {
    ligands: tasks.length,
    ready: ready.length,
    failures: countsOf(failed),
    warnings: Object.fromEntries(warned.map(({ code, ligands }) => [code, ligands])),
    states: countsOf(ready.flatMap(({ states }) => (states === null ? [] : [String(states)]))),
    price: ready.length === 0 ? null : await priceOf(deps, job.request, ready),
  };
}

/** The price of docking what is ready: what it comes to in the states that were found, and what is held. */
async function priceOf(
  deps: DryRunDependencies,
  request: SubmitJobRequest,
  ready: readonly CheckedTask[],
): Promise<DryRunPrice> {
  const ordinals = ready.map(({ ordinal }) => ordinal);
  const asked = toolFor(deps.tools, dockedOf(request, ordinals), true);
  const { quote, plan } = await offerFor(deps, asked, null, { accountPlan: null });
  return {
    estimated_cost: microToUnits(expectedMicro(quote, plan, ready)),
    currency: quote.pricing.currency,
    credit_currency: CREDIT_CURRENCY,
    fx_rate: answeredFxRate(quote),
    held_cents: quote.heldPence,
  };
}

function expectedMicro(quote: Quote, { classes }: JobPlan, ready: readonly CheckedTask[]): number {
  if (classes === undefined) return quote.estimatedMicro;
  const planned = decodeClasses(classes, ready.length);
  const verified = planned.map((name, index) => ({
    priceClass: `${name}${endingOf(ready[index]?.states ?? null) ?? ''}`,
    tasks: 1,
    meteredMs: 0,
  }));
  return accruedMicro(quote, verified);
}

/** The request of the docking that the dry run was about, with these of its ligands. */
function dockedOf(request: SubmitJobRequest, ordinals: readonly number[]): SubmitJobRequest {
  const { dryRun: _only, libraryUse, ...params } = request.simulationParams ?? {};
  const wanted = new Set(ordinals);
  const records = libraryUse?.records?.filter((_record, ordinal) => wanted.has(ordinal)) ?? [];
  return {
    ...request,
    simulationParams: {
      ...params,
      ...(libraryUse === undefined ? {} : { libraryUse: { ...libraryUse, records } }),
    },
  };
}

function countsOf(codes: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const code of codes.toSorted()) counts.set(code, (counts.get(code) ?? 0) + 1);
  return Object.fromEntries(counts);
}
