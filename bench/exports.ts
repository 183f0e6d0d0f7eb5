/**
 * Exports of a docked batch, from the request to the file, each on a control worker that has just begun, so that memory that one
 * export has taken is not there for the next one. The same results are exported again under another filter that all of them pass,
 * because the same request is the same export.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { DockingExportRequest } from '../src/client/types.ts';
import type { Campaign, DockedBatch } from './docked-batch.ts';
import { watchProcess } from './memory.ts';
import type { Row } from './report.ts';
import type { BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface ExportsSize {
  readonly rounds: number;
}

interface Made {
  readonly seconds: number;
  readonly megabytes: number;
  readonly bytes: number;
}

const GOAL_SECONDS = { csv: 3, parquet: 5, sdf: 60 } as const;
const GOAL_MB = 100;
const POLL_MS = 20;
/** A control worker that has begun has loaded its workflows by then. */
const SETTLE_MS = 5_000;
/** Above every score. */
const ANY_AFFINITY = 1_000;

/** Measures an export of each format. */
export async function measureExports(
  bench: BenchStack,
  campaign: Campaign,
  batch: DockedBatch,
  size: ExportsSize,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const format of ['csv', 'parquet', 'sdf'] as const) {
    const made: Made[] = [];
    for (let round = 0; round < size.rounds; round += 1) {
      await bench.stack.stopChild('control');
      await bench.stack.startChild('control');
      await sleep(SETTLE_MS);
      made.push(await make(bench, campaign, batch, { format, affinityAtMost: ANY_AFFINITY + round }));
    }
    rows.push(rowOf(batch, format, made));
  }
  return rows;
}

async function make(
  { stack }: BenchStack,
  { account: { client } }: Campaign,
  { batchId, ligands }: DockedBatch,
  request: DockingExportRequest,
): Promise<Made> {
  const watch = watchProcess(stack.pid('control'));
  const startedAt = performance.now();
  let { export: last } = await client.docking.startExport({ batchId }, request);
  while (last.status === 'QUEUED' || last.status === 'RUNNING') {
    await sleep(POLL_MS);
    ({ export: last } = await client.docking.export(last.id));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const megabytes = watch.stop();
  if (last.status !== 'SUCCEEDED' || last.artifact === null || last.result_count !== ligands)
    throw new Error(`An export ended ${last.status} with ${String(last.result_count)} results.`);
  return { seconds, megabytes, bytes: last.artifact.byte_size };
}

function rowOf({ ligands }: DockedBatch, format: keyof typeof GOAL_SECONDS, made: readonly Made[]): Row {
  const seconds = spreadOf(made.map((one) => one.seconds));
  const megabytes = spreadOf(made.map((one) => one.megabytes));
  const what = format === 'sdf' ? 'SDF of mode 1' : format === 'csv' ? 'CSV' : 'Parquet';
  return {
    item: `export of ${String(ligands)} results as ${what}`,
    measured: `${describeSpread(seconds, 's', 2)}, ${megabytes.most.toFixed(0)} MB more, file of ${((made[0]?.bytes ?? 0) / 1e6).toFixed(1)} MB`,
    baseline: '',
    ratio: '',
    goal: `< ${String(GOAL_SECONDS[format])} s, < ${String(GOAL_MB)} MB`,
    ok: seconds.most < GOAL_SECONDS[format] && megabytes.most < GOAL_MB,
    figures: { seconds, megabytes, made },
  };
}
