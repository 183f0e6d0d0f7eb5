/** `dockyard admin jobs show` and `dockyard admin jobs explain` */
import type { Command } from 'commander';

import { viewJobWorkflow } from '../../adapters/temporal/job-view.ts';
import { capacityLimitsOf } from '../../config/capacity-settings.ts';
import type { JobExplanation, JobPage, WorkflowView } from '../../domain/job-view.ts';
import { explainJob } from '../../services/operations/explain-job.ts';
import { readJobPage } from '../../services/operations/job-page.ts';
import { id } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { TEMPORAL_ACCESS } from '../settings.ts';
import { explanationText, jobPageText } from './job-show-text.ts';

const CAPACITY = [
  ...(['capacityVcpus', 'accountCapacityVcpus', 'capacityGpus', 'accountCapacityGpus'] as const),
  ...(['capacityPlans', 'capacityClasses', 'capacitySeats'] as const),
] as const;

interface Found {
  readonly page: JobPage;
  readonly workflow: WorkflowView;
  readonly explanation: JobExplanation;
}

/** Adds the commands that tell of one job. */
export function addJobShowCommands(jobs: Command, context: CommandContext): void {
  const configure = (command: Command): Command => {
    command.registeredArguments[0]?.argParser(id);
    return command;
  };
  addCommand(jobs, context, {
    usage: 'show <job>',
    summary:
      'Show one job: its rows, workflow, instances and money, why the job is where it is, and what to do.',
    examples: ['admin jobs show 01890a5d-ac96-774b-bcce-b302099a8057'],
    configure,
    run: (cli, _options, [jobId = '']) => show(cli, jobId.toLowerCase()),
  });
  addCommand(jobs, context, {
    usage: 'explain <job>',
    summary: 'Say in a few sentences why a job is where it is, and what to do.',
    examples: ['admin jobs explain 01890a5d-ac96-774b-bcce-b302099a8057'],
    configure,
    run: (cli, _options, [jobId = '']) => explain(cli, jobId.toLowerCase()),
  });
}

async function find(cli: CommandContext, jobId: string): Promise<Found> {
  const temporal = await cli.settings.read(...TEMPORAL_ACCESS);
  const limits = capacityLimitsOf(await cli.settings.read(...CAPACITY));
  const page = await withDatabase(cli, (db) => readJobPage(db, jobId, limits));
  const workflow = await viewJobWorkflow(temporal, jobId);
  return { page, workflow, explanation: explainJob(page, workflow) };
}

async function show(cli: CommandContext, jobId: string): Promise<CommandResult> {
  const { page, workflow, explanation } = await find(cli, jobId);
  const text = `${jobPageText(page, workflow)}\n${explanationText(explanation)}`;
  return { data: { ...page, workflow, ...explanation }, text };
}

async function explain(cli: CommandContext, jobId: string): Promise<CommandResult> {
  const { page, explanation } = await find(cli, jobId);
  const { status, statusAt } = page;
  return { data: { jobId, status, statusAt, ...explanation }, text: explanationText(explanation) };
}
