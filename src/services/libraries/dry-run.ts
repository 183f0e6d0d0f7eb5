/** What a dry run answers: how many ligands can be docked, why the others cannot, what there is to say of them, and the price of the rest. */
import type { DataSource } from 'typeorm';

import type { Task } from '../../../entities/tasks.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { DryRunPrice, DryRunReport } from '../../domain/docking-records.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { offerFor, toolFor } from '../jobs/offer.ts';
import type { OfferDependencies } from '../jobs/offer.ts';
import { loadJob } from '../jobs/request.ts';
import { answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { Row } from '../row.ts';

/** What prices a job, and where jobs and their ligands are. */
export interface DryRunDependencies extends OfferDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

const TASKS = `select ordinal, state, failure_code from tasks where job_id = $1 and kind = 'task' order by ordinal`;

const WARNINGS = `
  select w.code, count(*)::int as ligands from docking_preparations p
    cross join lateral (select distinct e ->> 'code' as code from jsonb_array_elements(p.warnings) e) w
  where p.job_id = $1 group by w.code order by w.code`;

/** Reads the answer of the dry run that a job is. */
export async function dryRunReport(deps: DryRunDependencies, jobId: string): Promise<DryRunReport> {
  const { db } = deps;
  const [tasks, warned, job] = await Promise.all([
    db.query<Row<Task, 'ordinal' | 'state' | 'failureCode'>[]>(TASKS, [jobId]),
    db.query<{ code: string; ligands: number }[]>(WARNINGS, [jobId]),
    loadJob(db, deps.store, jobId),
  ]);
  const ready = tasks.filter(({ state }) => state === 'SUCCEEDED').map(({ ordinal }) => ordinal);
  const failed = tasks.flatMap(({ state, failure_code: code }) =>
    state === 'FAILED' ? [code ?? 'INTERNAL_ERROR'] : [],
  );
  return {
    ligands: tasks.length,
    ready: ready.length,
    failures: countsOf(failed),
    warnings: Object.fromEntries(warned.map(({ code, ligands }) => [code, ligands])),
    price: ready.length === 0 ? null : await priceOf(deps, job.request, ready),
  };
}

/** The price of docking the tasks of these ordinals. */
async function priceOf(
  deps: DryRunDependencies,
  request: SubmitJobRequest,
  ordinals: readonly number[],
): Promise<DryRunPrice> {
  const asked = toolFor(deps.tools, dockedOf(request, ordinals), true);
  const { quote } = await offerFor(deps, asked, null, { accountPlan: null });
  return {
    estimated_cost: microToUnits(quote.estimatedMicro),
    currency: quote.pricing.currency,
    credit_currency: CREDIT_CURRENCY,
    fx_rate: answeredFxRate(quote),
    held_cents: quote.heldPence,
  };
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
