/** Texts for operators about one job. */
import type {
  CapacityView,
  CountedCause,
  ExecutionView,
  InstanceView,
  JobChange,
  JobExplanation,
  JobPage,
  PendingActivity,
  WorkflowView,
} from '../../domain/job-view.ts';
import { lengthText, secondsIn } from '../../services/operations/explain-job.ts';
import { facts, moment, pounds, printable, table } from '../table.ts';
import type { Column } from '../table.ts';

const EXECUTIONS: readonly Column<ExecutionView>[] = [
  { title: 'EXECUTION', value: ({ execution }) => execution, align: 'right' },
  { title: 'HOLD', value: ({ holdState }) => holdState },
  { title: 'HELD', value: ({ heldPence }) => pounds(heldPence), align: 'right' },
  { title: 'CHARGED', value: ({ chargedPence }) => pounds(chargedPence), align: 'right' },
  { title: 'RELEASED', value: ({ releasedPence }) => pounds(releasedPence), align: 'right' },
  { title: 'BEGAN', value: ({ startedAt }) => moment(startedAt) },
  { title: 'SETTLED', value: ({ settledAt }) => moment(settledAt) },
];

const INSTANCES: readonly Column<InstanceView>[] = [
  { title: 'INSTANCE', value: ({ slot, generation }) => `${slot}.${generation}` },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'MARKET', value: ({ market }) => market },
  { title: 'LAUNCHED', value: ({ launchedAt }) => moment(launchedAt) },
  { title: 'LAST CONTACT', value: ({ lastContactAt }) => moment(lastContactAt) },
  { title: 'FENCED', value: ({ fencedAt }) => moment(fencedAt) },
  { title: 'CAUSE', value: ({ fenceCause }) => fenceCause },
];

const PENDING: readonly Column<PendingActivity>[] = [
  { title: 'PENDING', value: ({ name }) => name },
  { title: 'OF', value: ({ workflowId }) => workflowId.split('/').slice(2).join('/') || 'job' },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'ATTEMPT', value: ({ attempt }) => attempt, align: 'right' },
  { title: 'SINCE', value: ({ startedAt, scheduledAt }) => moment(startedAt ?? scheduledAt) },
  { title: 'LAST FAILURE', value: ({ lastFailure }) => lastFailure },
];

const CHANGES: readonly Column<JobChange>[] = [
  { title: 'CHANGED', value: ({ at }) => moment(at) },
  { title: 'BY', value: ({ by }) => by },
  { title: 'ACTION', value: ({ action }) => action },
  { title: 'REASON', value: ({ reason }) => reason },
];

/** The whole page of a job, without its explanation. */
export function jobPageText(page: JobPage, workflow: WorkflowView): string {
  return [
    factsText(page, workflow),
    table(EXECUTIONS, page.executions),
    tableText(INSTANCES, page.instances),
    workflow.kind === 'run' ? tableText(PENDING, workflow.pending) : '',
    tableText(causes('LOST BY'), page.losses),
    tableText(causes('FAILED BY'), page.failures),
    tableText(CHANGES, page.changes),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** The explanation of a job: what is so, then what to do. */
export function explanationText({ why, next }: JobExplanation): string {
  const lines = (sentences: readonly string[]): string =>
    sentences.map((sentence) => `  ${printable(sentence)}\n`).join('');
  const todo = next.length === 0 ? '  Nothing.\n' : lines(next);
  return `Why\n${lines(why)}What to do\n${todo}`;
}

function factsText(page: JobPage, workflow: WorkflowView): string {
  const { tasks, statusReason, pauseReason } = page;
  const reason = statusReason ?? pauseReason;
  const shownReason = reason === null ? '' : ` (${reason})`;
  const since = `since ${moment(page.statusAt) ?? ''}, ${lengthText(secondsIn(page))} ago`;
  const counts = [`${tasks.verified} of ${tasks.total} verified`, `${tasks.running} running`];
  if (tasks.failed > 0) counts.push(`${tasks.failed} failed`);
  return facts([
    ['Job', page.jobId],
    ['Account', page.accountId],
    ['Tool', `${page.toolId} on ${page.provider}, recovery ${page.recoveryMode}`],
    ['Status', `${page.status}${shownReason} ${since}`],
    ['Submitted', moment(page.submittedAt) ?? ''],
    ['Tasks', counts.join(', ')],
    ['Recoveries', page.recoveries],
    ['Held', pounds(page.heldPence)],
    ['Due so far', pounds(page.duePence)],
    ['Charged', pounds(page.chargedPence)],
    ['Capacity', capacityText(page.capacity)],
    ['Workflow', workflowText(workflow)],
  ]);
}

function capacityText(capacity: CapacityView | null): string {
  if (capacity === null) return 'not asked for';
  const { state, vcpus, wantedVcpus, requestedAt, grantedAt, reason } = capacity;
  if (state === 'RELEASED') return 'given back';
  const of = wantedVcpus === null || wantedVcpus <= vcpus ? '' : ` of ${wantedVcpus}`;
  const since = moment(state === 'WAITING' ? requestedAt : (grantedAt ?? requestedAt)) ?? '';
  return `${state} ${vcpus}${of} vCPUs, since ${since}${state === 'WAITING' && reason !== null ? ` (${reason})` : ''}`;
}

function workflowText(workflow: WorkflowView): string {
  switch (workflow.kind) {
    case 'unreachable':
      return `not known: Temporal at ${workflow.address} does not answer (${workflow.cause})`;
    case 'gone':
      return 'none, and no history';
    case 'run': {
      const { status, buildId, startedAt, closedAt, historyEvents, parts } = workflow;
      const build = buildId === null ? '' : ` on build ${buildId}`;
      const end = closedAt === null ? '' : ` to ${moment(closedAt) ?? ''}`;
      const size = `${historyEvents} events in its history, ${parts} parts`;
      return `${status}${build} since ${moment(startedAt) ?? ''}${end}, ${size}`;
    }
  }
}

function causes(title: string): readonly Column<CountedCause>[] {
  return [
    { title, value: ({ cause }) => cause },
    { title: 'COUNT', value: ({ count }) => count, align: 'right' },
    { title: 'LAST', value: ({ lastAt }) => moment(lastAt) },
  ];
}

function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.length === 0 ? '' : table(columns, rows);
}
