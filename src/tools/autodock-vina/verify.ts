/**
 * Judges what a docking session wrote, by reading it: an instance may be wrong, outdated or hostile. The names must be
 * complete, the result must have the digest of its own hashed part, and the poses of all files must agree in number,
 * order and energy. A task whose outputs do not verify runs again; the customer never sees such outputs.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { namesFault } from '../expected-outputs.ts';
import type { OutputFacts } from '../expected-outputs.ts';
import { asJson, byPieces } from '../output-readers.ts';
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
import { parseCheck } from './dry-run.ts';
import { MOST_RESULT_VALUES, parseResult, readReport } from './result.ts';
import type { DockingResult } from './result.ts';
import { readSdf } from './sdf.ts';
import type { SdfRecord } from './sdf.ts';
import { countModels, parseBox } from './structures.ts';

const PREPARED: Readonly<Record<string, OutputFacts>> = {
  [PREPARED_PDB]: ['prepared_receptor', 'chemical/x-pdb', 'pdb'],
  [PREPARED_PDBQT]: ['prepared_receptor', 'chemical/x-pdbqt', 'pdbqt'],
  [PREPARATION_REPORT]: ['preparation_report', 'application/json', 'json'],
  [BOX]: ['box', 'application/json', 'json'],
};
const FLEXIBLE: OutputFacts = ['prepared_receptor', 'chemical/x-pdbqt', 'pdbqt'];
const CHECK: OutputFacts = ['preparation', 'application/json', 'json'];
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
/** Efficiencies have three decimals, too, so they may differ by half of the last decimal. */
const EFFICIENCY_TOLERANCE = 0.00051;
/** The best affinities grow with this power of the number of heavy atoms (Nissink 2009). */
const SIZE_EXPONENT = 0.3;

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
      return typeof found === 'string' ? found : found.record;
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
  const fault = namesFault({ [name]: CHECK }, outputs);
  if (fault !== null) return fault;
  const parsed = await read(name, asJson(parseCheck, { values: MOST_RESULT_VALUES }));
  if (!parsed.ok) return `${name} ${parsed.fault}`;
  return parsed.ligandId === ligandId ? parsed.record : `${name} is of ${JSON.stringify(parsed.ligandId)}`;
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
  if ((await read(BOX, asJson(parseBox))) === null) return `${BOX} is no box`;
  const report = await read(PREPARATION_REPORT, byPieces(readReport));
  if (report === null) return `${PREPARATION_REPORT} lacks its digests`;
  if (report.isFlexible !== hasFlexible) {
    return `${PREPARED_FLEXIBLE} is ${hasFlexible ? 'not in the report' : 'missing'}`;
  }
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
): Promise<string | DockingResult> {
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
  const parsed = await read(`${folder}/result.json`, asJson(parseResult, { values: MOST_RESULT_VALUES }));
  if (!parsed.ok) return `${folder}/result.json ${parsed.fault}`;
  const { result } = parsed;
  if (ligandId !== null && result.ligandId !== ligandId) {
    return `${folder}/result.json is of ${JSON.stringify(result.ligandId)}`;
  }
  const other = outputs.find(({ name, sha256 }) => {
    const digest = result.files[name.slice(folder.length + 1)];
    return digest !== undefined && digest !== sha256;
  });
  if (other !== undefined) return `${other.name} is not the file that the result is about`;
  const energies = energyFault(result) ?? efficiencyFault(result);
  if (energies !== null) return `${folder}/result.json ${energies}`;
  if ((result.files[SIDE_CHAINS] !== undefined) !== isFlexible) {
    return `${folder}/${SIDE_CHAINS} is ${isFlexible ? 'not in the result' : 'missing'}`;
  }
  for (const name of ['poses.pdbqt', ...(isFlexible ? [SIDE_CHAINS] : [])]) {
    const models = await read(`${folder}/${name}`, byPieces(countModels));
    if (models !== result.affinitiesKcalMol.length) return `${folder}/${name} has ${String(models)} poses`;
  }
  const poses = await read(
    `${folder}/poses.sdf`,
    byPieces((pieces) => sdfFault(pieces, result)),
  );
  return poses === null ? result : `${folder}/poses.sdf ${poses}`;
}

function energyFault({ affinitiesKcalMol }: DockingResult): string | null {
  if (affinitiesKcalMol.length === 0) return 'has no poses';
  const isAscending = affinitiesKcalMol.every(
    (energy, index) => index === 0 || energy >= (affinitiesKcalMol[index - 1] ?? energy),
  );
  return isAscending ? null : 'has poses that are not in the order of their energies';
}

/**
 * Customers compare ligands by the efficiencies, so the control side computes the efficiencies anew.
 */
function efficiencyFault({ affinitiesKcalMol, efficiencies }: DockingResult): string | null {
  const { heavyAtoms, bestAffinityKcalMol, ligandEfficiency, sizeIndependentEfficiency } = efficiencies;
  const best = affinitiesKcalMol[0] ?? Number.NaN;
  if (bestAffinityKcalMol !== undefined && bestAffinityKcalMol !== best) return 'has another best score';
  const size = heavyAtoms ?? Number.NaN;
  const isOff = (told: number | undefined, wanted: number): boolean =>
    told !== undefined && !(Math.abs(told - wanted) <= EFFICIENCY_TOLERANCE);
  if (isOff(ligandEfficiency, -best / size)) return 'has another ligand efficiency';
  return isOff(sizeIndependentEfficiency, -best / size ** SIZE_EXPONENT)
    ? 'has another size-independent efficiency'
    : null;
}

async function sdfFault(pieces: Pieces, result: DockingResult): Promise<string | null> {
  let fault: string | null = null;
  let mode = 0;
  const poses = await readSdf(pieces, (record) => {
    mode += 1;
    fault ??= poseFault(record, mode, result);
  });
  if (poses === null) return 'is not well-formed';
  return poses === result.affinitiesKcalMol.length ? fault : `has ${poses} poses`;
}

function poseFault(
  { properties }: SdfRecord,
  mode: number,
  { affinitiesKcalMol, ligandId }: DockingResult,
): string | null {
  if (properties.get('ligandId') !== ligandId) return `names another ligand in pose ${mode}`;
  if (Number(properties.get('mode')) !== mode) return `has another mode in the place of pose ${mode}`;
  const energy = Number.parseFloat(properties.get('affinity_kcal_mol') ?? '');
  const difference = Math.abs(energy - (affinitiesKcalMol[mode - 1] ?? Number.NaN));
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
