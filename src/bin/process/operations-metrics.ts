/**
 * Where the deployment stands, for Prometheus. All control workers answer the same numbers, because the numbers are those of the
 * database; a process reads them at most every five seconds, whoever asks.
 */
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

import { JOB_STATES, isTerminal } from '../../domain/job-state.ts';
import { readRounds } from '../../services/operations/rounds.ts';
import type { RoundStanding } from '../../services/operations/rounds.ts';
import { readStanding } from '../../services/operations/standing.ts';
import type { Standing } from '../../services/operations/standing.ts';

const FRESH_MS = 5_000;

interface View {
  readonly standing: Standing;
  readonly rounds: readonly RoundStanding[];
}

type Labels = Readonly<Record<string, string>>;
type Series = readonly (readonly [Labels, number])[];

/** The metrics: name, help, labels and the series of each. */
const METRICS: readonly (readonly [string, string, readonly string[], (view: View) => Series])[] = [
  [
    'dockyard_jobs',
    'Open jobs by state, paused ones by reason.',
    ['state', 'reason'],
    ({ standing }) => [
      ...JOB_STATES.filter((state) => !isTerminal(state) && state !== 'PAUSED').map(
        (state) => [{ state, reason: '' }, 0] as const,
      ),
      ...standing.jobs.map(
        ({ status, pauseReason, jobs }) => [{ state: status, reason: pauseReason }, jobs] as const,
      ),
    ],
  ],
  [
    'dockyard_job_oldest_seconds',
    'For how long the oldest open job has been in its state.',
    ['state', 'reason'],
    ({ standing }) =>
      standing.jobs.map(
        ({ status, pauseReason, oldestSeconds }) =>
          [{ state: status, reason: pauseReason }, oldestSeconds] as const,
      ),
  ],
  [
    'dockyard_capacity_waiting',
    'Requests for capacity that wait, by priority.',
    ['priority'],
    ({ standing }) =>
      (['high', 'low'] as const).map((priority) => [
        { priority },
        standing.waiting.find((one) => one.priority === priority)?.requests ?? 0,
      ]),
  ],
  [
    'dockyard_capacity_oldest_seconds',
    'For how long the oldest request for capacity waits, by priority.',
    ['priority'],
    ({ standing }) =>
      (['high', 'low'] as const).map((priority) => [
        { priority },
        standing.waiting.find((one) => one.priority === priority)?.oldestSeconds ?? 0,
      ]),
  ],
  [
    'dockyard_capacity_granted_vcpus',
    'vCPUs that are granted.',
    [],
    ({ standing }) => [[{}, standing.grantedVcpus]],
  ],
  [
    'dockyard_instances_vcpus',
    'vCPUs of instances that were launched and have not ended.',
    [],
    ({ standing }) => [[{}, standing.launchedVcpus]],
  ],
  [
    'dockyard_instances',
    'Instances that have not ended, by state.',
    ['state'],
    ({ standing }) => standing.instances.map(({ state, count }) => [{ state }, count]),
  ],
  ['dockyard_holds_open', 'Holds that are not settled.', [], ({ standing }) => [[{}, standing.holds.count]]],
  [
    'dockyard_holds_open_pence',
    'Sum of the holds that are not settled, in pence.',
    [],
    ({ standing }) => [[{}, standing.holds.pence]],
  ],
  [
    'dockyard_recoveries_last_hour',
    'Instances that were replaced in the last hour, by cause.',
    ['cause'],
    ({ standing }) => standing.recoveries.map(({ cause, count }) => [{ cause }, count]),
  ],
  [
    'dockyard_schedule_age_seconds',
    'Seconds since a round of the schedule succeeded.',
    ['schedule'],
    ({ rounds }) =>
      rounds.flatMap(({ schedule, ageSeconds }) =>
        ageSeconds === null ? [] : [[{ schedule }, ageSeconds] as const],
      ),
  ],
  [
    'dockyard_schedule_failures',
    'Rounds of the schedule that failed since one succeeded.',
    ['schedule'],
    ({ rounds }) => rounds.map(({ schedule, failures }) => [{ schedule }, failures]),
  ],
];

/** The names of the metrics. */
export const OPERATIONS_METRICS: readonly string[] = METRICS.map(([name]) => name);

/** Registers the metrics, once per registry; a database that does not answer gives no values. */
export function registerOperationsMetrics(registry: Registry, db: DataSource, freshMs = FRESH_MS): void {
  let reading: Promise<View | null> = Promise.resolve(null);
  let readAt = -Infinity;
  const look = (): Promise<View | null> => {
    if (performance.now() - readAt > freshMs) {
      readAt = performance.now();
      reading = Promise.all([readStanding(db), readRounds(db)]).then(
        ([standing, rounds]) => ({ standing, rounds }),
        () => null,
      );
    }
    return reading;
  };
  for (const [name, help, labelNames, seriesOf] of METRICS)
    new Gauge({
      ...{ name, help, labelNames: [...labelNames], registers: [registry] },
      async collect() {
        const view = await look();
        this.reset();
        // A gauge without labels is zero after a reset; a value that is not known is no zero.
        if (view === null && labelNames.length === 0) this.remove();
        if (view === null) return;
        for (const [labels, value] of seriesOf(view)) this.set({ ...labels }, value);
      },
    });
}
