/** The web app in Chromium on a stack of its own, whose instances are within one process: pages, files and the bundle. */
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import { openBenchBrowser } from './web-browser.ts';
import { measureBuild, measureFiles, measureMemory, measureUploads } from './web-files.ts';
import type { WebFilesSize } from './web-files.ts';
import { measureChanges, measurePaints, measureTasks } from './web-pages.ts';
import type { WebPagesSize } from './web-pages.ts';

/** How much is measured. */
export interface WebSize {
  readonly pages: WebPagesSize;
  readonly files: WebFilesSize;
}

/** Room for twenty jobs that run at once. */
const SETTINGS = {
  DOCKYARD_PROVIDER: 'inprocess',
  DOCKYARD_COMPUTE_MODE: 'inprocess',
  DOCKYARD_CAPACITY_VCPUS: '64',
  DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '64',
};

/** Measures the web app. */
export async function measureWeb({ pages, files }: WebSize): Promise<Row[]> {
  const bench = await openBenchStack(SETTINGS);
  try {
    const browser = await openBenchBrowser(bench);
    try {
      return [
        ...(await measurePaints(browser, await bench.account('patient'), pages)),
        await measureChanges(browser, bench, pages),
        ...(await measureTasks(browser, await bench.account('patient'), pages)),
        await measureUploads(bench, browser, await bench.account('patient'), files),
        await measureFiles(bench, files),
        await measureMemory(files),
        ...(await measureBuild(files)),
      ];
    } finally {
      await browser.close();
    }
  } finally {
    await bench.close();
  }
}
