/** Why outputs do not count, how many did not and how many did, for Prometheus. */
import { Counter, type Registry } from 'prom-client';

/**
 * Why outputs were judged bad: not in staging; other bytes than were reported; of another size than was reported; larger
 * than outputs of their kind may be; not what the tool writes; a report that breaks the rules of reports.
 */
export const BAD_CAUSES = ['not_staged', 'changed', 'size', 'too_large', 'unverified', 'report'] as const;

/** One of the causes. */
export type BadCause = (typeof BAD_CAUSES)[number];

/** Why outputs do not count, for whoever counts causes and in the words that the customer reads. */
export interface OutputFault {
  readonly cause: BadCause;
  readonly text: string;
}

/** Counts commits and tasks whose outputs were judged bad, each once for each time that it was recorded. */
export interface CommitMetrics {
  bad(cause: BadCause): void;
  /** Counts tasks and steps that were verified. */
  committed(count: number): void;
}

/** Makes the metrics in a registry; once per process and registry. Every cause is there from the start, at 0. */
export function createCommitMetrics(registry: Registry): CommitMetrics {
  const bad = new Counter({
    name: 'dockyard_commits_bad_total',
    help: 'Tasks whose outputs were judged bad when they were to be committed, by cause.',
    labelNames: ['cause'],
    registers: [registry],
  });
  for (const cause of BAD_CAUSES) bad.inc({ cause }, 0);
  const commits = new Counter({
    name: 'dockyard_commits_total',
    help: 'Tasks and steps whose outputs were verified and committed.',
    registers: [registry],
  });
  return { bad: (cause) => bad.inc({ cause }), committed: (count) => commits.inc(count) };
}

/** Counts nothing, for a process whose numbers nobody reads. */
export const NO_COMMIT_METRICS: CommitMetrics = { bad: () => undefined, committed: () => undefined };
