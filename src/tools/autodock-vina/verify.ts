/**
 * Judges what a docking session wrote, by reading it: an instance may be wrong, outdated or hostile. The names must be
 * complete, each report must fit its schema, the result must have the digest of its own hashed part and name the digests of
 * the files beside it, and the poses of all files must agree in number, order and energy. A task whose outputs do not verify runs again; the customer never sees such outputs.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { namesFault } from '../expected-outputs.ts';
import type { OutputFacts } from '../expected-outputs.ts';
import { asReport } from '../json-report.ts';
import { byPieces } from '../output-readers.ts';
import { countPdbAtoms } from '../pdb-file.ts';
import type { Pieces } from '../pieces.ts';
import type { ReadOutput, Verdict } from '../tool.ts';
import {
  BOX,
  NATIVE_REFERENCE,
  PREPARATION_REPORT,
  PREPARED_FLEXIBLE,
  PREPARED_PDB,
  PREPARED_PDBQT,
} from './inputs.ts';
import BOX_SCHEMA from './box.schema.json' with { type: 'json' };
import { CHECK, checkedRecord } from './dry-run.ts';
import PREPARATION_SCHEMA from './preparation.schema.json' with { type: 'json' };
import { recordOf, RESULT, resultFault } from './result.ts';
import type { DockingResult, ResultFile } from './result.ts';
import { readSdf } from './sdf.ts';
import type { SdfRecord } from './sdf.ts';
import { countModels } from './structures.ts';

const PREPARED: Readonly<Record<string, OutputFacts>> = {
  [PREPARED_PDB]: ['prepared_receptor', 'chemical/x-pdb', 'pdb'],
  [PREPARED_PDBQT]: ['prepared_receptor', 'chemical/x-pdbqt', 'pdbqt'],
  [PREPARATION_REPORT]: ['preparation_report', 'application/json', 'json'],
  [BOX]: ['box', 'application/json', 'json'],
};
const FLEXIBLE: OutputFacts = ['prepared_receptor', 'chemical/x-pdbqt', 'pdbqt'];
const CHECK_FACTS: OutputFacts = ['preparation', 'application/json', 'json'];
const NATIVE: OutputFacts = ['control', 'chemical/x-mdl-sdfile', 'sdf'];
const LIGAND_FILES: Readonly<Record<string, OutputFacts>> = {
  'poses.sdf': ['poses', 'chemical/x-mdl-sdfile', 'sdf'],
  'poses.pdbqt': ['poses_pdbqt', 'chemical/x-pdbqt', 'pdbqt'],
  'result.json': ['result', 'application/json', 'json'],
  'dock.log': ['log', 'text/plain', 'log'],
};
/** The residues whose side chains turned, where some did. */
const SIDE_CHAINS = 'flexible.pdb';
const SIDE_CHAIN_FILES: Readonly<Record<string, OutputFacts>> = {
  ...LIGAND_FILES,
  [SIDE_CHAINS]: ['side_chains', 'chemical/x-pdb', 'pdb'],
};
const MEBIBYTE = 1024 * 1024;
/** The most bytes of an output by its kind; an honest file is far smaller. */
export const DOCKING_OUTPUT_BYTES: Readonly<Record<string, number>> = {
  prepared_receptor: 64 * MEBIBYTE,
  preparation_report: 16 * MEBIBYTE,
  box: MEBIBYTE,
  // The native reference, and every file that the control docking writes.
  control: 64 * MEBIBYTE,
  poses: 64 * MEBIBYTE,
  poses_pdbqt: 64 * MEBIBYTE,
  side_chains: 64 * MEBIBYTE,
  result: 4 * MEBIBYTE,
  preparation: 4 * MEBIBYTE,
  log: 16 * MEBIBYTE,
};
/** The SD file has energies with three decimals, so energies may differ by half of the last decimal. */
const ENERGY_TOLERANCE_KCAL_MOL = 0.00051;
/** Reads the box of a preparation. */
const BOX_REPORT = asReport<unknown>({ schema: BOX_SCHEMA });
/** Reads the report of a preparation. */
const PREPARATION = asReport<{ readonly flexibleResidues?: readonly unknown[] }>({
  schema: PREPARATION_SCHEMA,
});

/**
 * Reads and judges the outputs of one task or step. Good outputs of a task answer their record; the control is shown in the
 * status of the job and has no record.
 */
export async function verifyDocking(
  kind: StepKind | 'task',
  item: { readonly itemId: string; readonly isDryRun?: boolean },
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<Verdict> {
  switch (kind) {
    case 'prepare':
      return verifyPreparation(outputs, read);
    case 'task': {
      if (item.isDryRun === true) return readCheck(item.itemId, outputs, read);
      const found = await readPoses(`ligands/${item.itemId}`, null, item.itemId, outputs, read);
      return typeof found === 'string' ? found : recordOf(found);
    }
    case 'control': {
      // A control that cannot be docked ends with a warning and without outputs; it does not fail the job.
      if (outputs.length === 0) return null;
      const found = await readPoses('control', 'control', null, outputs, read);
      return typeof found === 'string' ? found : null;
    }
    case 'merge':
    case 'finish':
      return null;
    default:
      return kind satisfies never;
  }
}

/** Reads the finding of a dry run about a ligand; answers the fault where the file is no finding. */
async function readCheck(
  ligandId: string,
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<Verdict> {
  const name = `ligands/${ligandId}/preparation.json`;
  const fault = namesFault({ [name]: CHECK_FACTS }, outputs);
  if (fault !== null) return fault;
  const report = await read(name, CHECK);
  if (!report.ok) return `${name} is no preparation: ${report.fault}`;
  const told = report.value.preparation.ligandId;
  if (told !== ligandId) return `${name} is of ${JSON.stringify(told)}`;
  const record = await checkedRecord(report.value);
  return typeof record === 'string' ? `${name} ${record}` : record;
}

async function verifyPreparation(outputs: readonly StagedOutput[], read: ReadOutput): Promise<string | null> {
  const has = (name: string): boolean => outputs.some((output) => output.name === name);
  const [hasNative, hasFlexible] = [has(NATIVE_REFERENCE), has(PREPARED_FLEXIBLE)];
  const expected = {
    ...PREPARED,
    ...(hasNative ? { [NATIVE_REFERENCE]: NATIVE } : {}),
    ...(hasFlexible ? { [PREPARED_FLEXIBLE]: FLEXIBLE } : {}),
  };
  const fault = namesFault(expected, outputs);
  if (fault !== null) return fault;
  for (const name of [PREPARED_PDB, PREPARED_PDBQT, ...(hasFlexible ? [PREPARED_FLEXIBLE] : [])]) {
    const atoms = await read(name, byPieces(countPdbAtoms));
    if (atoms === null) return `${name} has an atom without a place`;
    if (atoms === 0) return `${name} has no atoms`;
  }
  const box = await read(BOX, BOX_REPORT);
  if (!box.ok) return `${BOX} is no box: ${box.fault}`;
  const report = await read(PREPARATION_REPORT, PREPARATION);
  if (!report.ok) return `${PREPARATION_REPORT} is no report: ${report.fault}`;
  if ((report.value.flexibleResidues !== undefined) !== hasFlexible)
    return `${PREPARED_FLEXIBLE} is ${hasFlexible ? 'not in the report' : 'missing'}`;
  if (!hasNative) return null;
  const molecules = await read(
    NATIVE_REFERENCE,
    byPieces((pieces) => readSdf(pieces, () => undefined)),
  );
  return molecules === 1 ? null : `${NATIVE_REFERENCE} is not one molecule`;
}

/** The result of a docked ligand; the text of what is wrong where the files are not those of one result. */
async function readPoses(
  folder: string,
  kind: string | null,
  ligandId: string | null,
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<string | ResultFile> {
  const isFlexible = outputs.some((output) => output.name === `${folder}/${SIDE_CHAINS}`);
  const files = isFlexible ? SIDE_CHAIN_FILES : LIGAND_FILES;
  const expected = Object.fromEntries(
    Object.entries(kind === null ? files : ofKind(files, kind)).map(([name, facts]) => [
      `${folder}/${name}`,
      facts,
    ]),
  );
  const fault = namesFault(expected, outputs);
  if (fault !== null) return fault;
  const report = await read(`${folder}/result.json`, RESULT);
  if (!report.ok) return `${folder}/result.json is no result: ${report.fault}`;
  const { result } = report.value;
  if (ligandId !== null && result.ligandId !== ligandId)
    return `${folder}/result.json is of ${JSON.stringify(result.ligandId)}`;
  const other = outputs.find(({ name, sha256 }) => {
    const digest = result.files[name.slice(folder.length + 1)];
    return digest !== undefined && digest !== sha256;
  });
  if (other !== undefined) return `${other.name} is not the file that the result is about`;
  const sums = await resultFault(report.value);
  if (sums !== null) return `${folder}/result.json ${sums}`;
  if ((result.files[SIDE_CHAINS] !== undefined) !== isFlexible)
    return `${folder}/${SIDE_CHAINS} is ${isFlexible ? 'not in the result' : 'missing'}`;
  for (const name of ['poses.pdbqt', ...(isFlexible ? [SIDE_CHAINS] : [])]) {
    const models = await read(`${folder}/${name}`, byPieces(countModels));
    if (models !== result.poses.length) return `${folder}/${name} has ${String(models)} poses`;
  }
  const poses = await read(
    `${folder}/poses.sdf`,
    byPieces((pieces) => sdfFault(pieces, result)),
  );
  return poses === null ? report.value : `${folder}/poses.sdf ${poses}`;
}

async function sdfFault(pieces: Pieces, result: DockingResult): Promise<string | null> {
  let fault: string | null = null;
  let mode = 0;
  const poses = await readSdf(pieces, (record) => {
    mode += 1;
    fault ??= poseFault(record, mode, result);
  });
  if (poses === null) return 'is not well-formed';
  return poses === result.poses.length ? fault : `has ${poses} poses`;
}

function poseFault(record: SdfRecord, mode: number, { poses, ligandId }: DockingResult): string | null {
  if (record.get('ligandId') !== ligandId) return `names another ligand in pose ${mode}`;
  if (Number(record.get('mode')) !== mode) return `has another mode in the place of pose ${mode}`;
  const energy = Number.parseFloat(record.get('affinity_kcal_mol') ?? '');
  const difference = Math.abs(energy - (poses[mode - 1]?.affinityKcalMol ?? Number.NaN));
  return difference <= ENERGY_TOLERANCE_KCAL_MOL ? null : `has another energy in pose ${mode}`;
}

function ofKind(
  files: Readonly<Record<string, OutputFacts>>,
  kind: string,
): Readonly<Record<string, OutputFacts>> {
  return Object.fromEntries(
    Object.entries(files).map(([name, [, mediaType, format]]) => [name, [kind, mediaType, format]]),
  );
}
