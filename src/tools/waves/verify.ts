/**
 * Judges what a session wrote. The results are the model's own files, whose names only the case knows, so the report lists them, and
 * the list and the outputs must agree; the report itself must fit its schema.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { asReport } from '../json-report.ts';
import type { Schema } from '../json-report.ts';
import type { ReadOutput } from '../tool.ts';
import { PLAN } from './inputs.ts';
import type { WaveModel, WaveReports } from './model.ts';

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;

/** The report of a run. */
export const SUMMARY = 'summary.json';
/** Files that do not fit among the outputs, and their list. */
const [ARCHIVE, ARCHIVE_LIST] = ['case.tar', 'case.txt'];

/** The most bytes of an output by its kind. */
export const WAVE_OUTPUT_BYTES: Readonly<Record<string, number>> = {
  plan: 16 * MEBIBYTE,
  summary: 16 * MEBIBYTE,
  field: 4 * GIBIBYTE,
  table: 4 * GIBIBYTE,
  spectrum: 4 * GIBIBYTE,
  restart: 4 * GIBIBYTE,
  archive: 4 * GIBIBYTE,
  log: GIBIBYTE,
};

/** Makes the reports from their schemas. */
export function waveReports(plan: Schema, result: Schema): WaveReports {
  return { plan: asReport({ schema: plan }), result: asReport({ schema: result, values: 200_000 }) };
}

/** Judges the outputs of a task or step; answers null when they are good, else why they are not. */
export async function verifyWaves(
  kind: StepKind | 'task',
  {
    outputs,
    read,
    model,
  }: { readonly outputs: readonly StagedOutput[]; readonly read: ReadOutput; readonly model: WaveModel },
): Promise<string | null> {
  if (kind === 'task') return taskFault(outputs, read, model);
  if (kind !== 'prepare') return null;
  const names = outputs.map(({ name }) => name).toSorted();
  if (names.join(' ') !== model.prepared.toSorted().join(' '))
    return `${model.prepared.join(' and ')} alone are expected`;
  const plan = await read(PLAN, model.reports.plan);
  return plan.ok ? null : `${PLAN} is no plan: ${plan.fault}`;
}

async function taskFault(
  outputs: readonly StagedOutput[],
  read: ReadOutput,
  model: WaveModel,
): Promise<string | null> {
  const summary = outputs.find(({ kind }) => kind === 'summary')?.name;
  if (summary?.endsWith(SUMMARY) !== true) return `${SUMMARY} is missing`;
  const folder = summary.slice(0, -SUMMARY.length);
  const report = await read(summary, model.reports.result);
  if (!report.ok) return `${summary} is no summary: ${report.fault}`;
  const listed = new Set(report.value.files.map((name) => `${folder}${name}`));
  const beside = [SUMMARY, ...model.unlisted, ARCHIVE, ARCHIVE_LIST].map((name) => `${folder}${name}`);
  const stray = outputs.find(({ name }) => !listed.has(name) && !beside.includes(name));
  if (stray !== undefined) return `${stray.name} was not expected`;
  // Files that did not fit among the outputs are in the archive.
  if (outputs.some(({ name }) => name === `${folder}${ARCHIVE}`)) return null;
  const missing = [...listed].find((name) => !outputs.some((output) => output.name === name));
  return missing === undefined ? null : `${missing} is missing`;
}
