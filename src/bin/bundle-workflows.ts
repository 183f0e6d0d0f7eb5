/**
 * Bundles the workflows into a file named by the digest of their sources, and prints the path of the file. With `--sealing` it is the
 * bundle of workers that seal payloads, whose workflows put messages of failures into payloads. A control
 * worker runs this program as a process of its own when the file is missing, because the bundler needs more memory than
 * everything else a control worker does. An image build runs this program once, so that containers of the image never
 * bundle.
 *
 * Each control worker holds the text of its bundle twice, once in its main thread and once in the thread of the workflows. So the
 * bundle is plain ASCII, since V8 holds a text with one character beyond Latin-1 in two bytes each, and its source map is without
 * the sources, of which the SDK reads only the names and lines that stand in stack traces.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode } from '@temporalio/worker';

import { writeFileAtomically } from '../files.ts';
import { bundlePath } from './process/workflow-bundle.ts';

const isSealing = process.argv.includes('--sealing');
const target = await bundlePath({ isSealing });
const pathOf = (file: string): string => fileURLToPath(new URL(`../../workflows/${file}`, import.meta.url));
const SEALED_FAILURES = fileURLToPath(new URL('../contracts/sealed-failures.ts', import.meta.url));
const { code } = await bundleWorkflowCode({
  workflowsPath: pathOf('index.ts'),
  workflowInterceptorModules: [pathOf('lib/tracing.ts')],
  ...(isSealing ? { failureConverterPath: SEALED_FAILURES } : {}),
  webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  logger: { log() {}, trace() {}, debug() {}, info() {}, warn: console.error, error: console.error },
});
await mkdir(path.dirname(target), { recursive: true });
// Several workers may bundle at once: each writes a file of its own and puts it in place by one rename.
writeFileAtomically(target, inAscii(code), 0o644, false);
process.stdout.write(`${target}\n`);

/** Escapes all characters beyond ASCII, as strings, templates, regular expressions and comments take it. */
function inAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
