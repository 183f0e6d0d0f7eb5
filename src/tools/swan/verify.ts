/**
 * Judges what a session wrote. The results are SWAN's own files, whose names only the case knows, so the report lists them, and
 * the list and the outputs must agree; the report itself must fit its schema.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { asReport } from '../json-report.ts';
import type { ReadOutput } from '../tool.ts';
import { PLAN } from './inputs.ts';
import PLAN_SCHEMA from './plan.schema.json' with { type: 'json' };
import RESULT_SCHEMA from './result.schema.json' with { type: 'json' };

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;

/** The report of a run. */
export const SUMMARY = 'summary.json';
/** Files that do not fit among the outputs, and their list. */
const [ARCHIVE, ARCHIVE_LIST] = ['case.tar', 'case.txt'];
const LOG = 'PRINT';

/** The most bytes of an output by its kind. */
export const SWAN_OUTPUT_BYTES: Readonly<Record<string, number>> = {
  plan: 16 * MEBIBYTE,
  summary: 16 * MEBIBYTE,
  field: 4 * GIBIBYTE,
  table: 4 * GIBIBYTE,
  spectrum: 4 * GIBIBYTE,
  restart: 4 * GIBIBYTE,
  archive: 4 * GIBIBYTE,
  log: GIBIBYTE,
};

const PLAN_REPORT = asReport<unknown>({ schema: PLAN_SCHEMA });
const RESULT_REPORT = asReport<{ readonly files: readonly string[] }>({
  schema: RESULT_SCHEMA,
  values: 200_000,
});

/** Judges the outputs of a task or step; answers null when they are good, else why they are not. */
export async function verifySwan(
  kind: StepKind | 'task',
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<string | null> {
  if (kind === 'prepare') {
    if (outputs.length !== 1 || outputs[0]?.name !== PLAN) return `${PLAN} alone is expected`;
    const plan = await read(PLAN, PLAN_REPORT);
    return plan.ok ? null : `${PLAN} is no plan: ${plan.fault}`;
  }
  return kind === 'task' ? taskFault(outputs, read) : null;
}

async function taskFault(outputs: readonly StagedOutput[], read: ReadOutput): Promise<string | null> {
  const summary = outputs.find(({ kind }) => kind === 'summary')?.name;
  if (summary?.endsWith(SUMMARY) !== true) return `${SUMMARY} is missing`;
  const folder = summary.slice(0, -SUMMARY.length);
  const report = await read(summary, RESULT_REPORT);
  if (!report.ok) return `${summary} is no summary: ${report.fault}`;
  const listed = new Set(report.value.files.map((name) => `${folder}${name}`));
  const beside = [SUMMARY, LOG, ARCHIVE, ARCHIVE_LIST].map((name) => `${folder}${name}`);
  const stray = outputs.find(({ name }) => !listed.has(name) && !beside.includes(name));
  if (stray !== undefined) return `${stray.name} was not expected`;
  // Files that did not fit among the outputs are in the archive.
  if (outputs.some(({ name }) => name === `${folder}${ARCHIVE}`)) return null;
  const missing = [...listed].find((name) => !outputs.some((output) => output.name === name));
  return missing === undefined ? null : `${missing} is missing`;
}
