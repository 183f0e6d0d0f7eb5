/** The recorders of all tools, as a control worker has them. */
import { dockingRecorders } from '../../src/services/docking/records/recorder.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { TEST_TOOLS } from './test-tools.ts';

/** The recorders of all tools, those for tests among them. */
export const RECORDERS = dockingRecorders(createToolRegistry({ testTools: TEST_TOOLS }));
