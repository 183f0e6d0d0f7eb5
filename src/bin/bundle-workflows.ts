/**
 * Bundles the workflows into a file named by the digest of their sources, and prints the path of the file. A control
 * worker runs this program as a process of its own when the file is missing, because the bundler needs more memory than
 * everything else a control worker does. An image build runs this program once, so that containers of the image never
 * bundle.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode } from '@temporalio/worker';

import { writeFileAtomically } from '../files.ts';
import { bundlePath } from './process/workflow-bundle.ts';

const target = await bundlePath();
const pathOf = (file: string): string => fileURLToPath(new URL(`../../workflows/${file}`, import.meta.url));
const { code } = await bundleWorkflowCode({
  workflowsPath: pathOf('index.ts'),
  workflowInterceptorModules: [pathOf('lib/tracing.ts')],
  logger: { log() {}, trace() {}, debug() {}, info() {}, warn: console.error, error: console.error },
});
await mkdir(path.dirname(target), { recursive: true });
// Several workers may bundle at once: each writes a file of its own and puts it in place by one rename.
writeFileAtomically(target, code, 0o644, false);
process.stdout.write(`${target}\n`);
