/** Whether what a process depends on answers now. Each probe has a time limit, so that readiness never hangs. */
import { atMostEvery } from './at-most-every.ts';

/** Whether one dependency answers. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly detail?: string;
}

/** The answer of GET /readyz. */
export interface HealthReport {
  readonly ok: boolean;
  readonly dependencies: Readonly<Record<'postgres' | 'temporal' | 'storage' | 'gateway', DependencyHealth>>;
  /** Notes for an operator, though the process serves. */
  readonly notes: string[];
}

/** A probe of one dependency; it throws when the dependency does not answer. */
export type HealthProbe = () => Promise<unknown>;

/** The probes, by dependency. */
export type HealthProbes = Readonly<Record<keyof HealthReport['dependencies'], HealthProbe>>;

/** How often the dependencies of a process are asked at most. */
export const HEALTH_EVERY_MS = 1_000;

const PROBE_MS = 2_500;

/**
 * Makes the look at all dependencies. Anybody may ask for the health of a process, so the dependencies are asked once a
 * second at most, and everybody gets that answer.
 */
export function createHealthCheck(
  probes: HealthProbes,
  notes: () => Promise<readonly string[]> = async () => [],
): () => Promise<HealthReport> {
  return atMostEvery(HEALTH_EVERY_MS, () => checkHealth(probes, notes));
}

/** Runs all probes at once. Notes that cannot be made make no process unready. */
async function checkHealth(
  probes: HealthProbes,
  takeNotes: () => Promise<readonly string[]>,
): Promise<HealthReport> {
  const [postgres, temporal, storage, gateway, notes] = await Promise.all([
    look(probes.postgres),
    look(probes.temporal),
    look(probes.storage),
    look(probes.gateway),
    inTime(takeNotes).catch(() => []),
  ]);
  const dependencies = { postgres, temporal, storage, gateway };
  return {
    ok: Object.values(dependencies).every((dependency) => dependency.ok),
    dependencies,
    notes: [...notes],
  };
}

async function look(probe: HealthProbe): Promise<DependencyHealth> {
  try {
    await inTime(probe);
    return { ok: true };
  } catch (error) {
    return { ok: false, detail: detailOf(error) };
  }
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PROBE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A short text without addresses, because the health report is shown to anybody. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return 'does not answer';
  if ('code' in error && typeof error.code === 'string') return `does not answer (${error.code})`;
  return error.message === 'no answer in time' ? error.message : 'does not answer';
}
