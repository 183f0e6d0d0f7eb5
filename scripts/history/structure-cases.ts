/** Imports of entries of the archive as they are recorded: the archive of the recorder is not there, which ends an import as well. */
import { structureWorkflowId } from '../../src/contracts/names.ts';
import type { Case } from './cases.ts';
import { historyOf, runsOf, until } from './recorder.ts';

const PDB_ID = '1abc';

/** Imports. */
export const STRUCTURE_CASES: readonly Case[] = [
  {
    name: 'unreachable-archive',
    async run(recorder) {
      await recorder.workflows.importStructure(PDB_ID);
      const temporal = await recorder.temporal();
      const query = `WorkflowId = "${structureWorkflowId(PDB_ID)}"`;
      await until('the import has ended', async () => {
        const ended = await temporal.workflow.count(`${query} AND ExecutionStatus = "Completed"`);
        return ended.count > 0;
      });
      const runs = await runsOf(temporal, query);
      return Promise.all(runs.map((run) => historyOf(run, recorder.stack)));
    },
  },
];
