/** `dockyard outputs` */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import type { OutputItem, OutputListResponse } from '../../client/types.ts';
import { someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT, reportOf } from '../problems.ts';
import { table } from '../table.ts';
import type { Screen } from '../terminal.ts';
import { fetchToFile } from './download.ts';
import { readingJob } from './jobs.ts';
import { createPlaces, makeRoom } from './safe-path.ts';
import { withService } from './service.ts';

interface OutputOptions {
  readonly download?: string;
  readonly kind?: string;
}

/** The result of downloading the outputs of a job. */
export interface DownloadReport {
  readonly folder: string;
  readonly fetched: number;
  readonly resumed: number;
  /** Files that were there already, with the right bytes. */
  readonly kept: number;
  readonly bytesMoved: number;
  /** False while the job goes on and more outputs may come. */
  readonly final: boolean;
  readonly failures: readonly { readonly name: string; readonly code: string; readonly message: string }[];
}

const JOB = '01890a5d-ac96-774b-bcce-b302099a8057';
const PARALLEL = 6;
/** Outputs per page. Addresses live for minutes, so a page holds what is fetched within a minute. */
const PAGE = 200;

/** Adds the command on outputs. */
export function addOutputCommands(program: Command, context: CommandContext): void {
  addCommand<OutputOptions>(program, context, {
    usage: 'outputs <job>',
    summary:
      'List the verified outputs of a job, or download them: in parallel, going on where an earlier download stopped, each checked by its SHA-256. Works while the job runs.',
    examples: [
      `outputs ${JOB}`,
      `outputs ${JOB} --download poses`,
      `outputs ${JOB} --kind ranking --download .`,
    ],
    configure: (command) =>
      readingJob(command)
        .option('--download <dir>', 'download into this folder; nothing is written outside of it')
        .option('--kind <kind>', 'only outputs of this kind, such as poses or ranking', someText(64)),
    run: (cli, options, [jobId = '']) =>
      withService(cli, 'long', (client) =>
        options.download === undefined
          ? list(client, jobId.toLowerCase(), options.kind)
          : downloadJob(cli, client, jobId.toLowerCase(), options.download, options.kind),
      ),
  });
}

async function list(client: Client, jobId: string, kind: string | undefined): Promise<CommandResult> {
  const first = await client.listOutputs(jobId, { limit: 1, kind });
  const outputs: OutputItem[] = [];
  for await (const output of client.outputs(jobId, { kind })) outputs.push(output);
  const { outputs: _first, manifest: _manifest, nextCursor: _cursor, ...state } = first;
  const listed = table(
    [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'TASK', value: ({ taskIndex }) => taskIndex, align: 'right' },
      { title: 'KIND', value: (one) => one.kind },
      { title: 'BYTES', value: ({ byteSize }) => byteSize, align: 'right' },
      { title: 'SHA-256', value: ({ sha256 }) => sha256.slice(0, 16) },
    ],
    outputs,
  );
  return {
    data: { ...state, outputs },
    text: `${outputs.length === 0 ? '' : listed}${outputs.length} outputs, ${completenessText(first)}.\n`,
  };
}

/** Tells how many tasks have outputs, how many have none, and whether it is worth waiting for them. */
function completenessText({ complete, final, ...counts }: OutputListResponse): string {
  if (complete && final) return 'complete';
  const failed = counts.failedCount === 0 ? '' : `, ${counts.failedCount} failed`;
  const missing = counts.missingCount === 0 ? '' : `, ${counts.missingCount} missing`;
  const outlook = final ? 'nothing more will come' : 'more may come while the job goes on';
  return `${counts.present} of ${counts.expected} tasks have theirs${failed}${missing}; ${outlook}`;
}

async function downloadJob(
  context: CommandContext,
  client: Client,
  jobId: string,
  directory: string,
  kind: string | undefined,
): Promise<CommandResult> {
  const folder = resolve(context.folder, directory);
  const report = await downloadOutputs(client, jobId, folder, { kind, screen: context.screen });
  return { data: report, text: downloadText(report) };
}

/** The result of a download as text. */
export function downloadText({ folder, fetched, resumed, kept, final }: DownloadReport): string {
  const was = kept === 0 ? '' : `, ${kept} were there already`;
  const half = resumed === 0 ? '' : `, ${resumed} of them from where they had stopped`;
  const rest = final ? '' : 'The job goes on: run the same command again for what comes later.\n';
  return `${fetched + resumed} outputs downloaded into ${folder}${half}${was}; every SHA-256 is right.\n${rest}`;
}

/** Downloads the outputs of a job. @throws CommandProblem when an output could not be fetched, after all others were tried. */
export async function downloadOutputs(
  client: Client,
  jobId: string,
  folder: string,
  { kind, screen }: { readonly kind?: string | undefined; readonly screen: Screen },
): Promise<DownloadReport> {
  await mkdir(folder, { recursive: true });
  const counts = { fetched: 0, resumed: 0, kept: 0, bytesMoved: 0 };
  const failures: DownloadReport['failures'][number][] = [];
  const errors: unknown[] = [];
  const meter = createMeter(screen, counts);
  // The status is read before the outputs, so that when the job has ended by then, the pages hold all outputs.
  const { final, expected } = await client.listOutputs(jobId, { limit: 1, kind });
  const placeOf = createPlaces(expected);
  // All downloads take from one generator, so each output is fetched once.
  const queue = client.outputs(jobId, { limit: PAGE, kind });
  const work = async (): Promise<void> => {
    for (let next = await queue.next(); next.done !== true; next = await queue.next()) {
      const output = next.value;
      try {
        const path = await makeRoom(folder, placeOf(output));
        const refresh = (): Promise<string> => freshUrl(client, jobId, output.artifactId);
        const { outcome, bytesMoved } = await fetchToFile(output, path, { refresh });
        counts[outcome] += 1;
        counts.bytesMoved += bytesMoved;
        meter.show();
      } catch (error) {
        const problem = reportOf(error);
        errors.push(error);
        failures.push({
          name: output.name,
          code: problem?.code ?? 'INTERNAL_ERROR',
          message: problem?.message ?? '',
        });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  meter.end();
  if (failures.length > 0) throw failureOf(errors, failures);
  return { folder, ...counts, final, failures };
}

/** The problem that stands for all failed downloads: the worst failure, with the names of all outputs that failed. */
function failureOf(errors: readonly unknown[], failures: DownloadReport['failures']): CommandProblem {
  const first = reportOf(errors[0]);
  const names = failures.slice(0, 5).map(({ name, message }) => `${name}: ${message}`);
  const more = failures.length > names.length ? ` and ${failures.length - names.length} more` : '';
  return new CommandProblem(
    first?.exitCode ?? EXIT.failed,
    first?.code ?? 'INTERNAL_ERROR',
    `${failures.length} outputs could not be downloaded: ${names.join(' ')}${more} Run the same command again to get what is missing.`,
    errors[0],
  );
}

/** A new address of an output whose address has expired. */
async function freshUrl(client: Client, jobId: string, artifactId: string): Promise<string> {
  for await (const output of client.outputs(jobId)) if (output.artifactId === artifactId) return output.url;
  throw new CommandProblem(EXIT.refused, 'NOT_FOUND', `The job lists no output ${artifactId} any more.`);
}

interface Counts {
  readonly fetched: number;
  readonly resumed: number;
  readonly kept: number;
  readonly bytesMoved: number;
}

function createMeter(screen: Screen, counts: Counts): { show(): void; end(): void } {
  const line = (): string => {
    const megabytes = (counts.bytesMoved / 1e6).toFixed(1);
    return `${counts.fetched + counts.resumed + counts.kept} outputs, ${megabytes} MB`;
  };
  let isShown = false;
  return {
    show() {
      if (!screen.isTTY) return;
      isShown = true;
      screen.write(`\r\u001B[2K${line()}`);
    },
    end() {
      if (isShown) screen.write('\r\u001B[2K');
      else screen.write(`${line()}\n`);
    },
  };
}
