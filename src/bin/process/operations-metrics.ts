/**
 * State of the deployment, for Prometheus. All control workers answer the same numbers, because the numbers are those of the
 * database; a process reads them at most every five seconds, whoever asks.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

import { JOB_STATES, isTerminal } from '../../domain/job-state.ts';
import { PLAIN_CLASS } from '../../domain/capacity-pools.ts';
import { INSTANCE_WORK, LOSS_CAUSES, readLastHour } from '../../services/operations/last-hour.ts';
import type { LastHour } from '../../services/operations/last-hour.ts';
import { readRounds } from '../../services/operations/rounds.ts';
import type { RoundStanding } from '../../services/operations/rounds.ts';
import { readStanding } from '../../services/operations/standing.ts';
import type { Standing } from '../../services/operations/standing.ts';
import { readWebhookStanding } from '../../services/webhooks/index.ts';
import type { WebhookStanding } from '../../services/webhooks/index.ts';

const FRESH_MS = 5_000;
/** A longer time between two readings is a pause of whoever reads, of which nothing is known. */
const LONGEST_STEP_SECONDS = 120;

interface View {
  readonly standing: Standing;
  readonly rounds: readonly RoundStanding[];
  readonly hour: LastHour;
  readonly webhooks: WebhookStanding;
}

type Labels = Readonly<Record<string, string>>;
type Series = readonly (readonly [Labels, number])[];

/** A number of each class that waits; the plain class has its zeroes, so that a rule finds a series at all times. */
function waitingBy({ waiting }: Standing, numberOf: (one: Standing['waiting'][number]) => number): Series {
  return [
    ...(['high', 'low'] as const).map((priority) => [{ priority, class: PLAIN_CLASS }, 0] as const),
    ...waiting.map((one) => [{ priority: one.priority, class: one.instanceClass }, numberOf(one)] as const),
  ];
}

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
    'Requests for capacity that wait, by priority and class of instances.',
    ['priority', 'class'],
    ({ standing }) => waitingBy(standing, ({ requests }) => requests),
  ],
  [
    'dockyard_capacity_oldest_seconds',
    'For how long the oldest request for capacity waits, by priority and class of instances.',
    ['priority', 'class'],
    ({ standing }) => waitingBy(standing, ({ oldestSeconds }) => oldestSeconds),
  ],
  [
    'dockyard_capacity_granted_gpus',
    'GPUs that are granted.',
    [],
    ({ standing }) => [[{}, standing.grantedGpus]],
  ],
  [
    'dockyard_capacity_granted_seats',
    'Seats of licensed software that are granted, by software.',
    ['software'],
    ({ standing }) => standing.grantedSeats.map(({ software, seats }) => [{ software }, seats]),
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
  [
    'dockyard_mails_unsent',
    'Mails of alerts of the last day that were not taken three times or more.',
    [],
    ({ standing }) => [[{}, standing.mailsUnsent]],
  ],
  [
    'dockyard_topups_parked',
    'Payments of the last three days that do not agree with their top-ups.',
    [],
    ({ standing }) => [[{}, standing.topupsParked]],
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
    'dockyard_tasks_redone_last_hour',
    'Tasks and steps that are run again because their instance was lost in the last hour.',
    [],
    ({ hour }) => [[{}, hour.tasksRedone]],
  ],
  [
    'dockyard_capacity_grants_last_hour',
    'Requests for capacity that were granted vCPUs, or more of them, in the last hour.',
    [],
    ({ hour }) => [[{}, hour.grants]],
  ],
  [
    'dockyard_launches_last_hour',
    'Instances that were launched in the last hour.',
    [],
    ({ hour }) => [[{}, hour.launches]],
  ],
  [
    'dockyard_launch_failures_last_hour',
    'Instances that were launched in the last hour and given up without a contact, by cause.',
    ['cause'],
    ({ hour }) =>
      LOSS_CAUSES.map((cause) => [
        { cause },
        hour.launchFailures.find((one) => one.cause === cause)?.count ?? 0,
      ]),
  ],
  [
    'dockyard_instances_by_work',
    'Instances that have not ended: without a first contact (starting), with a running task (at_work), with none (idle).',
    ['work'],
    ({ hour }) =>
      INSTANCE_WORK.map((work) => [{ work }, hour.work.find((one) => one.work === work)?.count ?? 0]),
  ],
  [
    'dockyard_ledger_imbalance',
    'Faults that the last audit of the ledger has found, by check.',
    ['check'],
    ({ rounds }) =>
      rounds.flatMap(({ findings }) =>
        Object.entries(findings).map(([check, count]) => [{ check }, count] as const),
      ),
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
  [
    'dockyard_webhook_deliveries',
    'Deliveries of webhooks by state: all that wait (PENDING), and those of the last hour that do not.',
    ['state'],
    ({ webhooks }) => webhooks.deliveries.map(({ state, count }) => [{ state }, count]),
  ],
  [
    'dockyard_webhook_due_oldest_seconds',
    'Age of the oldest delivery that is due, of webhooks that a sender works on (at_work) or not (none).',
    ['sender'],
    ({ webhooks: { oldestDueSeconds } }) => [
      [{ sender: 'at_work' }, oldestDueSeconds.atWork],
      [{ sender: 'none' }, oldestDueSeconds.none],
    ],
  ],
  [
    'dockyard_webhook_fan_out_behind_events',
    'Events whose deliveries were not made yet.',
    [],
    ({ webhooks }) => [[{}, webhooks.behindEvents]],
  ],
  [
    'dockyard_webhook_fan_out_behind_seconds',
    'Age of the oldest event whose deliveries were not made yet.',
    [],
    ({ webhooks }) => [[{}, webhooks.behindSeconds]],
  ],
];

/** The names of the gauges. */
export const OPERATIONS_METRICS: readonly string[] = METRICS.map(([name]) => name);

/** Registers the metrics, once per registry; a database that does not answer gives no values. */
export function registerOperationsMetrics(registry: Registry, db: DataSource, freshMs = FRESH_MS): void {
  let reading: Promise<View | null> = Promise.resolve(null);
  let readAt = -Infinity;
  const look = (): Promise<View | null> => {
    if (performance.now() - readAt > freshMs) {
      readAt = performance.now();
      reading = Promise.all([
        readStanding(db),
        readRounds(db),
        readLastHour(db),
        readWebhookStanding(db),
      ]).then(
        ([standing, rounds, hour, webhooks]) => ({ standing, rounds, hour, webhooks }),
        () => null,
      );
    }
    return reading;
  };
  registerInstanceSeconds(registry, look);
  for (const [name, help, labelNames, seriesOf] of METRICS)
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
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

/** Instance-seconds are the instances of a reading times the time to the next one, so they count while somebody reads. */
function registerInstanceSeconds(registry: Registry, look: () => Promise<View | null>): void {
  let last: { readonly view: View; readonly at: number } | null = null;
  new Counter({
    name: 'dockyard_instance_seconds_total',
    help: 'Seconds of instances that were paid, by what they did meanwhile.',
    labelNames: ['work'],
    registers: [registry],
    async collect() {
      const view = await look();
      if (view === null || view === last?.view) return;
      for (const work of INSTANCE_WORK) this.inc({ work }, 0);
      const at = performance.now();
      const seconds = last === null ? 0 : (at - last.at) / 1000;
      if (last !== null && seconds <= LONGEST_STEP_SECONDS)
        for (const { work, count } of last.view.hour.work) this.inc({ work }, count * seconds);
      last = { view, at };
    },
  });
}
