/** Batches, runs and results in words. */
import type {
  DockingBatchResponse,
  DockingResult,
  DockingRunResponse,
  DryRunReport,
} from '../../../client/types.ts';
import type { Column } from '../../table.ts';
import { facts, pounds, table } from '../../table.ts';
import { warningsText } from '../job-text.ts';
import { isTerminal } from '../../../domain/job-state.ts';
import { idOfName } from '../../../tools/ligand-library/names.ts';
import { count } from '../../../tools/shown.ts';

type Batch = DockingBatchResponse['batch'];
type Run = DockingRunResponse['run'];
type Counts = Batch['counts'];
type SampleFinding = NonNullable<NonNullable<Batch['reproducibility']>['same_seed']>;

/** Note for readers of scores. */
export const SCORE_NOTE =
  'Affinities in kcal/mol are scores, not measurements; differences below about 1 kcal/mol say little.';

const LONGEST_CELL = 40;

/** How far the ligands are. */
export function countsText(
  { total, succeeded, failed, running, pending, cancelled }: Counts,
  done = 'docked',
): string {
  const parts = [`${count(succeeded)} of ${count(total)} ${done}`];
  if (failed > 0) parts.push(`${count(failed)} failed`);
  if (running > 0) parts.push(`${count(running)} running`);
  if (pending > 0) parts.push(`${count(pending)} waiting`);
  if (cancelled > 0) parts.push(`${count(cancelled)} cancelled`);
  return parts.join(', ');
}

/** Everything that a batch says. */
export function batchText({ batch }: DockingBatchResponse): string {
  const lines: (readonly [string, string])[] = [
    ['Batch', batch.id],
    ['Name', batch.name],
    ['Status', batch.dry_run ? `${batch.status} (dry run: ligands are only prepared)` : batch.status],
    ...(batch.ligand_count === batch.counts.total
      ? []
      : [['Records', `${count(batch.ligand_count)}, of which ${count(batch.counts.total)} differ`] as const]),
    ['Ligands', countsText(batch.counts, batch.dry_run ? 'prepared' : 'docked')],
    ...bestLine(batch.best_affinity_kcal_mol),
    ...stopLines(batch),
    ...sampleLines(batch),
    ...enrichmentLines(batch),
    ...(batch.failure === null
      ? []
      : [['Failed', `${batch.failure.code}: ${batch.failure.message}`] as const]),
    ...(batch.runs > 1 ? [['Runs', String(batch.runs)] as const] : []),
    ['Job', batch.job_id],
    ['Made', minuteOf(batch.created_at)],
    ...(batch.finished_at === null ? [] : [['Ended', minuteOf(batch.finished_at)] as const]),
  ];
  const report = batch.dry_run_report;
  const notes = warningsText(batch.warnings);
  return `${facts(lines)}${notes}${report === undefined ? '' : `\n${reportText(report)}`}`;
}

/** When the batch stops early, and where it has. */
function stopLines({ stop_when: when, stopped_at: at }: Batch): readonly (readonly [string, string])[] {
  if (when === null) return [];
  const rule = `the best ${count(when.topN)} unchanged for ${count(when.unchangedFor)} ligands`;
  return [
    ['Stops early', rule],
    ...(at === null
      ? []
      : [['Stopped', `at ${at.ligand_id}, the ${ordinal(at.place)} in shuffled order`] as const]),
  ];
}

/** Describes the findings of docking a sample again. */
function sampleLines({ sample, reproducibility }: Batch): readonly (readonly [string, string])[] {
  if (!sample) return [];
  return [
    ['Same seed', findingText(reproducibility?.same_seed ?? null)],
    ['Other seed', findingText(reproducibility?.other_seed ?? null)],
  ];
}

/** How well the ranking finds the actives that the library marks. */
function enrichmentLines({ enrichment }: Batch): readonly (readonly [string, string])[] {
  if (enrichment === undefined) return [];
  const { column, actives, ligands, roc_auc: area, roc_auc_interval: interval, bedroc } = enrichment;
  const [low = area, high = area] = interval;
  const factors = `EF 1 % ${enrichment.enrichment_1_percent.toFixed(1)}, EF 5 % ${enrichment.enrichment_5_percent.toFixed(1)}`;
  return [
    ['Actives', `${count(actives)} of ${count(ligands)} ligands, by the column ${column}`],
    [
      'Enrichment',
      `ROC AUC ${area.toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)}), ${factors}, BEDROC ${bedroc.toFixed(3)}`,
    ],
  ];
}

function findingText(finding: SampleFinding | null): string {
  if (finding === null) return 'a sample is docked again once the batch is done';
  const {
    status,
    seed,
    ligands,
    compared,
    same_cpu_class: alike,
    identical_share: identical,
    within_share: within,
    failure,
  } = finding;
  if (failure !== null) return `not docked again (${failure.code}): ${failure.message}`;
  const of = `${count(compared)} of ${count(ligands)} docked again${seed === null ? '' : ` with seed ${String(seed)}`}`;
  const bytes =
    alike === compared || identical === null ? '' : ` of the ${count(alike)} on the same class of processors`;
  const same =
    identical === null
      ? 'none on the same class of processors'
      : `${percent(identical)}${bytes} with the same bytes`;
  const shares = within === null ? '' : `: ${same}, ${percent(within)} within 0.3 kcal/mol`;
  return `${of}${shares}${status === 'SUCCEEDED' ? '' : ` (${status})`}`;
}

function percent(share: number): string {
  return `${String(Math.round(share * 100))} %`;
}

function ordinal(place: number): string {
  const tens = place % 100;
  const end = tens >= 11 && tens <= 13 ? 'th' : (ENDS[place % 10] ?? 'th');
  return `${count(place)}${end}`;
}

const ENDS: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };

/** Describes the findings of a dry run: ligands that would be docked or fail, warnings, states, and the price. */
export function reportText({ ligands, ready, failures, warnings, states, price }: DryRunReport): string {
  const summary = facts([
    ['Different ligands', count(ligands)],
    ['Can be docked', count(ready)],
    ...(Object.keys(states).length === 0 ? [] : [['Likely states', statesText(states)] as const]),
    [
      'Price of these',
      price === null
        ? 'none can be docked'
        : `at most ${pounds(price.held_cents)} (${price.currency} ${price.estimated_cost.toFixed(4)})`,
    ],
  ]);
  return `${summary}${codesText('WOULD FAIL', failures)}${codesText('WARNING', warnings)}`;
}

function statesText(states: Readonly<Record<string, number>>): string {
  const each = Object.entries(states).toSorted(([a], [b]) => Number(a) - Number(b));
  return each.map(([number, ligands]) => `${number}: ${count(ligands)} ligands`).join(', ');
}

function codesText(title: string, codes: Readonly<Record<string, number>>): string {
  const rows = Object.entries(codes).toSorted(([, a], [, b]) => b - a);
  if (rows.length === 0) return '';
  const columns: readonly Column<readonly [string, number]>[] = [
    { title, value: ([code]) => code },
    { title: 'LIGANDS', value: ([, ligands]) => ligands, align: 'right' },
  ];
  return `\n${table(columns, rows)}`;
}

/** How many ligands failed with each code, with the word that explains the codes. */
export function failuresText(counts: readonly { readonly code: string; readonly count: number }[]): string {
  const codes = Object.fromEntries(counts.map(({ code, count: ligands }) => [code, ligands]));
  const [first] = counts;
  if (first === undefined) return '';
  return `${codesText('FAILED WITH', codes)}What a code means: dockyard explain ${first.code}\n`;
}

/** Everything that a run says. */
export function runText({ run }: DockingRunResponse): string {
  const { failure } = run;
  return facts([
    ['Run', run.id],
    [run.experiment_id === null ? 'Batch' : 'Experiment', run.experiment_id ?? run.batch_id ?? '-'],
    ['Number', String(run.number)],
    ['Status', run.status],
    ['Ligands', countsText(run.counts)],
    ...bestLine(run.best_affinity_kcal_mol),
    ...(run.box === null
      ? []
      : [['Box', `${vector(run.box.center)} Å, ${run.box.size.map(fixed).join(' × ')} Å`] as const]),
    ['Seed', String(run.seed_effective ?? run.seed_requested ?? '-')],
    ...(failure === null ? [] : [['Failed', `${failure.code}: ${failure.message}`] as const]),
    ['Job', run.job_id],
  ]);
}

/** How well the control of a run found the deposited ligand; empty without a control. */
export function controlText(validation: DockingResult['validation'] | undefined): string {
  if (validation === null || validation === undefined) return '';
  const { component_id: component, rmsd_top_angstrom: top, best_mode: mode, passed } = validation;
  const distance = top === null ? '' : `: its best pose is ${top.toFixed(2)} Å from the deposited one`;
  const better = passed || mode === null || mode === 1 ? '' : `, mode ${mode} is the nearest`;
  return `Control ${component} ${passed ? 'passed' : 'not passed'}${distance}${better}.\n`;
}

/** Describes a batch or run whose end was asked for. */
export function cancelText(what: 'batch' | 'run', { status }: Pick<Run, 'status'>, again: string): string {
  return isTerminal(status)
    ? `The ${what} had ended already: ${status}\n`
    : `The ${what} will end (now ${status}); what is docked is kept. Follow it with: dockyard ${again}\n`;
}

/** A list of runs. */
export function runsTable(runs: readonly Run[]): string {
  const columns: readonly Column<Run>[] = [
    { title: 'RUN', value: ({ id }) => id },
    { title: 'NO', value: ({ number }) => number, align: 'right' },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'BEST', value: ({ best_affinity_kcal_mol: best }) => score(best), align: 'right' },
    { title: 'SEED', value: (run) => run.seed_effective ?? run.seed_requested, align: 'right' },
    { title: 'MADE', value: (run) => minuteOf(run.created_at) },
  ];
  return table(columns, runs);
}

/** A list of batches. */
export function batchesTable(batches: readonly Batch[]): string {
  const columns: readonly Column<Batch>[] = [
    { title: 'BATCH', value: ({ id }) => id },
    { title: 'STATUS', value: ({ status, dry_run: isDry }) => (isDry ? `${status} (dry)` : status) },
    {
      title: 'DOCKED',
      value: ({ counts }) => `${count(counts.succeeded)}/${count(counts.total)}`,
      align: 'right',
    },
    { title: 'FAILED', value: ({ counts }) => counts.failed, align: 'right' },
    { title: 'BEST', value: ({ best_affinity_kcal_mol: best }) => score(best), align: 'right' },
    { title: 'MADE', value: (batch) => minuteOf(batch.created_at) },
    { title: 'NAME', value: ({ name }) => cut(name) },
  ];
  return table(columns, batches);
}

/** The columns of a table of results; the modes that match are shown where interactions were asked for. */
export function resultColumns(asksInteractions: boolean): readonly Column<DockingResult>[] {
  return [
    { title: 'RANK', value: ({ rank }) => rank, align: 'right' },
    { title: 'LIGAND', value: (result) => cut(nameOf(result)) },
    { title: 'AFFINITY', value: (result) => score(result.best_affinity_kcal_mol), align: 'right' },
    {
      title: 'EFF',
      value: ({ ligand_efficiency: efficiency }) => efficiency?.toFixed(2) ?? null,
      align: 'right',
    },
    { title: 'CHARGE', value: ({ formal_charge: charge }) => signed(charge), align: 'right' },
    { title: 'PLAUSIBLE', value: plausibleText, align: 'right' },
    ...(asksInteractions
      ? [{ title: 'MODES', value: ({ matched_modes: modes }: DockingResult) => modes?.join(' ') ?? null }]
      : []),
    { title: 'NOTES', value: noteOf },
  ];
}

/** A result in one line below the bar of a batch that runs. */
export function resultLine(result: DockingResult): string {
  const rank = String(result.rank ?? '').padStart(4);
  return `${rank}  ${(score(result.best_affinity_kcal_mol) ?? '').padStart(7)}  ${cut(nameOf(result))}`;
}

/** The best ligand in words. */
export function bestText(result: DockingResult): string {
  return `${nameOf(result)}, ${score(result.best_affinity_kcal_mol) ?? '-'} kcal/mol`;
}

/** The label of a ligand, and its id where the id is not made of the label. */
export function nameOf({ label, ligand_id: id }: Pick<DockingResult, 'label' | 'ligand_id'>): string {
  return idOfName(label) === id || label === id ? label : `${label} (${id})`;
}

function noteOf({
  status,
  failure,
  warnings,
  cached_from_result_id: cached,
  library_line: line,
}: DockingResult): string {
  if (failure !== null) {
    // The message of an unreadable record names the line already.
    const place = line === null || failure.message.startsWith('Line ') ? '' : ` (line ${line})`;
    return `${failure.code}${place}: ${failure.message}`;
  }
  if (status !== 'SUCCEEDED') return status;
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return [...(cached === null ? [] : ['reused']), ...codes].join(' ');
}

function plausibleText({ plausible_pose_count: plausible, pose_count: poses }: DockingResult): string | null {
  return plausible === null || poses === null ? null : `${plausible}/${poses}`;
}

function bestLine(best: number | null): readonly (readonly [string, string])[] {
  return best === null ? [] : [['Best', `${best.toFixed(2)} kcal/mol`]];
}

function score(value: number | null): string | null {
  return value === null ? null : value.toFixed(2);
}

function signed(value: number | null): string | null {
  return value === null ? null : value > 0 ? `+${value}` : String(value);
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function vector(values: readonly number[]): string {
  return values.map(fixed).join(', ');
}

function cut(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}

/** A time to the minute, in UTC. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')}Z`;
}
