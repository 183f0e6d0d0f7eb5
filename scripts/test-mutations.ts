// `npm run test:mutations`: each single change of workflow code that is told in `mutations/mutants.ts` is made, and the committed
// histories are replayed against it until one fails. A change that no history notices would be noticed by the jobs of customers.
//
//   npm run test:mutations                        all of them, some minutes
//   npm run test:mutations -- --only parts.ts     those whose file or place contains a text
//   npm run test:mutations -- --product           changes of the rest of the product, which its tests must notice
//
// Exits 1 when a change is missed. What is missing then is a history of the path (`npm run history:record`), or a test.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { bundleWorkflowCode, Worker } from '@temporalio/worker';

import { historyFiles, loadHistory } from '../test/replay/history-files.ts';
import { quietRuntime } from '../test/support/quiet-runtime.ts';
import { runProductMutants } from './mutations/product-run.ts';
import { activated, writeMutants } from './mutations/mutants.ts';
import type { Mutant } from './mutations/mutants.ts';
import { repositoryRoot } from './test-plan.ts';

const quiet = (): void => undefined;
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, product: { type: 'boolean', default: false } },
});

const folder = join(repositoryRoot, '.cache', `mutants-${String(process.pid)}`);
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
if (values.product) process.exit(runProductMutants(values.only, folder) ? 0 : 1);
const mutants = writeMutants(folder);
const { code } = await bundleWorkflowCode({
  workflowsPath: join(folder, 'workflows', 'index.ts'),
  workflowInterceptorModules: [join(folder, 'workflows', 'lib', 'tracing.ts')],
  logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.error, error: console.error },
});
quietRuntime();
/** The histories, first those that have noticed the changes before: changes beside each other are on the same paths. */
const histories = historyFiles().map(({ name, events }) => ({
  workflowId: name,
  history: loadHistory(events),
}));

/** The first history that cannot be replayed; null when all can. */
async function caughtBy(changed: string): Promise<string | null> {
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: { code: changed } },
    histories,
  ))
    if (error !== undefined) {
      const place = histories.findIndex((one) => one.workflowId === workflowId);
      histories.unshift(...histories.splice(place, 1));
      return workflowId;
    }
  return null;
}

const unchanged = await caughtBy(code);
if (unchanged !== null)
  throw new Error(`${unchanged} is not replayed by the code as it is: run the replay tests.`);
const wanted = mutants.filter(({ file, place }) => file.includes(values.only) || place.includes(values.only));
const missed: Mutant[] = [];
for (const mutant of wanted) {
  const history = await caughtBy(activated(code, mutant));
  if (history === null) missed.push(mutant);
  const { file, line, what, place } = mutant;
  console.log(
    `${history === null ? 'MISSED' : 'caught'}  ${file}:${String(line)}  ${what} ${place}  ${history ?? ''}`,
  );
}
console.log(
  `${String(wanted.length - missed.length)} of ${String(wanted.length)} changes are caught, ${String(missed.length)} missed.`,
);
process.exit(missed.length > 0 ? 1 : 0);
