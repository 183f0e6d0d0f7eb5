/** Records of docking: pages of results and exports, over one batch that is made for both. */
import { createS3Store } from '../src/adapters/storage/s3.ts';
import { loadConfig } from '../src/config.ts';
import { dockFirst, ONE_JOB, openCampaign, openWaiting, storePoses } from './docked-batch.ts';
import { measureExports } from './exports.ts';
import type { ExportsSize } from './exports.ts';
import type { Row } from './report.ts';
import { measureResults } from './results.ts';
import type { ResultsSize } from './results.ts';
import { openBenchStack } from './stack.ts';

/** How much is measured: the results of the batch, and how many ligands are docked for real to make them of. */
export interface RecordsSize {
  readonly results: number;
  readonly docked: number;
  readonly pages: ResultsSize;
  readonly exports: ExportsSize;
}

/** Measures pages, exports, or both on the same batch. */
export async function measureRecords(
  size: RecordsSize,
  wanted: { readonly results: boolean; readonly exports: boolean },
): Promise<Row[]> {
  const bench = await openBenchStack(ONE_JOB);
  try {
    const campaign = await openCampaign(bench, size.docked);
    const batch = await openWaiting(bench, campaign, size.results, 'docked');
    await dockFirst(bench, campaign, batch, size.results);
    // The database does this by itself within a minute of such a growth.
    await bench.db.query('vacuum analyze');
    const rows: Row[] = [];
    if (wanted.results) rows.push(...(await measureResults(bench, campaign, batch, size.pages)));
    if (wanted.exports) {
      await storePoses(bench, createS3Store(loadConfig('cli', bench.stack.env)), campaign, batch);
      rows.push(...(await measureExports(bench, campaign, batch, size.exports)));
    }
    return rows;
  } finally {
    await bench.close();
  }
}
