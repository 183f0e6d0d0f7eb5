/** The module with the tool that tests and benchmarks run, as the setting `DOCKYARD_TEST_TOOLS` names it. */
import { join } from 'node:path';

export const TEST_TOOLS = join(import.meta.dirname, '..', 'fixtures', 'noop-tool', 'tools.ts');
