/** Modules that were compiled once, for the processes that a test starts itself. */
import { join } from 'node:path';

import { repositoryRoot } from '../../scripts/test-plan.ts';

/**
 * The variable that keeps the compiled modules from one start of a process to the next. The stack and `npx dockyard` set the
 * same; a test whose processes have an environment of their own adds it, because most of such a process is else compiling.
 */
export const KEPT_MODULES: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(repositoryRoot, '.cache', 'node-compile'),
};
