/**
 * Judges what a session wrote, by reading it: an instance may be wrong, outdated or hostile. The names must be complete, the
 * report must fit its schema, every file must be the one that the report is about, and the spheres, atoms and rows of the files must be those of the
 * report. Outputs that do not verify are made again; the customer never sees them.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { namesFault } from '../expected-outputs.ts';
import type { OutputFacts } from '../expected-outputs.ts';
import { isNumber, readLines } from '../lines.ts';
import { byPieces } from '../output-readers.ts';
import { countPdbAtoms } from '../pdb-file.ts';
import type { Pieces } from '../pieces.ts';
import type { ReadOutput } from '../tool.ts';
import { ALWAYS, factsOfPockets, REPORT, SELECTED, TABLE, WHOLE, WHOLE_FACTS } from './names.ts';
import { comparedReport, POCKETS, SPHERE_NUMBERS } from './report.ts';
import type { PocketRecord, PocketsReport } from './report.ts';

const SPHERE = /^ATOM {2}.{6} {3}([CO]) STP /;
const COORDINATES = [30, 38, 46] as const;
const COORDINATE_CHARACTERS = 8;
const RADIUS = 66;
const TABLE_HEAD =
  'rank,score,druggability_score,volume_angstrom3,alpha_spheres,center_x,center_y,center_z,box_center_x,box_center_y,box_center_z,box_size_x,box_size_y,box_size_z,residue_count,residues';
/** The residues of a row, as in `A:MET759 B:LEU763A`. */
const RESIDUES = /^[^=+\-@"',\s][^"',\s]*( [^=+\-@"',\s][^"',\s]*)*$/;

/** Reads and judges the outputs of the task; answers null when they are good, else why not. */
export async function verifyPockets(
  kind: StepKind | 'task',
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<string | null> {
  if (kind !== 'task') return null;
  const missing = Object.keys(ALWAYS).find((name) => !outputs.some((output) => output.name === name));
  if (missing !== undefined) return `${missing} is missing`;
  const told = await read(REPORT, POCKETS);
  if (!told.ok) return `${REPORT} is no report: ${told.fault}`;
  const report = comparedReport(told.value);
  if (typeof report === 'string') return `${REPORT} ${report}`;
  return (
    namesFault(expectedOf(report, outputs), outputs) ??
    digestFault(report, outputs) ??
    (await structureFault(report, read)) ??
    (await read(
      TABLE,
      byPieces((pieces) => tableFault(pieces, report)),
    )) ??
    (await pocketsFault(report, read))
  );
}

/** The outputs that a report demands. */
function expectedOf(
  { pockets }: PocketsReport,
  outputs: readonly StagedOutput[],
): Readonly<Record<string, OutputFacts>> {
  const hasWhole = pockets.length > 0 || outputs.some(({ name }) => name === WHOLE);
  return {
    ...ALWAYS,
    ...(hasWhole ? { [WHOLE]: WHOLE_FACTS } : {}),
    ...factsOfPockets(pockets.length),
  };
}

function digestFault({ files }: PocketsReport, outputs: readonly StagedOutput[]): string | null {
  const others = outputs.filter(({ name }) => name !== REPORT);
  const other = others.find(({ name, sha256 }) => !Object.hasOwn(files, name) || files[name] !== sha256);
  if (other !== undefined) return `${other.name} is not the file that the report is about`;
  return Object.keys(files).length === others.length ? null : `${REPORT} is about other files`;
}

async function structureFault({ selected }: PocketsReport, read: ReadOutput): Promise<string | null> {
  const atoms = await read(SELECTED, byPieces(countPdbAtoms));
  return atoms === selected.atoms ? null : `${SELECTED} has ${String(atoms)} atoms`;
}

async function pocketsFault({ pockets }: PocketsReport, read: ReadOutput): Promise<string | null> {
  for (const pocket of pockets) {
    const { atoms, alphaSpheres } = pocket.files;
    const count = await read(atoms, byPieces(countPdbAtoms));
    if (count === null || count < pocket.residueCount) return `${atoms} has ${String(count)} atoms`;
    const isSame = await read(
      alphaSpheres,
      byPieces((pieces) => hasSpheres(pieces, pocket.spheres)),
    );
    if (!isSame) return `${alphaSpheres} has other spheres than the report`;
  }
  return null;
}

/** Whether a file of spheres has exactly these. */
async function hasSpheres(pieces: Pieces, spheres: Float64Array): Promise<boolean> {
  let found = 0;
  const isSame = await readLines(pieces, (line) => {
    if (!line.startsWith('ATOM')) return true;
    const at = found * SPHERE_NUMBERS;
    found += 1;
    return at < spheres.length && isSphere(line, spheres.subarray(at, at + SPHERE_NUMBERS));
  });
  return isSame && found * SPHERE_NUMBERS === spheres.length;
}

function isSphere(line: string, numbers: Float64Array): boolean {
  const kind = SPHERE.exec(line)?.[1];
  if (kind !== (numbers.at(-1) === 1 ? 'C' : 'O')) return false;
  const places = COORDINATES.map((at) => line.slice(at, at + COORDINATE_CHARACTERS));
  const told = [...places, line.slice(RADIUS)];
  return told.every((text, index) => isNumber(text) && Number(text) === numbers[index]);
}

/** Customers open the table in a spreadsheet, so its numbers are those of the report and no cell is a formula. */
async function tableFault(pieces: Pieces, { pockets }: PocketsReport): Promise<string | null> {
  let [lines, hasHead, wrong] = [0, false, 0];
  const isHonest = await readLines(pieces, (line) => {
    const pocket = pockets[lines - 1];
    if (lines === 0) hasHead = line === TABLE_HEAD;
    else if (pocket !== undefined && !isRow(line, pocket)) wrong ||= lines;
    lines += 1;
    return true;
  });
  if (!isHonest) return `${TABLE} has lines that are too long`;
  if (!hasHead) return `${TABLE} has other columns`;
  const rows = lines - 1;
  if (rows !== pockets.length) return `${TABLE} has ${rows} rows`;
  return wrong === 0 ? null : `${TABLE} has other numbers for pocket ${wrong}`;
}

function isRow(row: string, pocket: PocketRecord): boolean {
  const cells = row.split(',');
  const names = cells.pop() ?? '';
  const numbers = [
    pocket.rank,
    pocket.score,
    pocket.druggabilityScore,
    pocket.volumeAngstrom3,
    pocket.alphaSphereCount,
    ...pocket.centerAngstrom,
    ...pocket.box.centerAngstrom,
    ...pocket.box.sizeAngstrom,
    pocket.residueCount,
  ];
  return (
    cells.length === numbers.length &&
    numbers.every((wanted, index) => isCell(cells[index] ?? '', wanted)) &&
    RESIDUES.test(names) &&
    names.split(' ').length === pocket.residueCount
  );
}

function isCell(cell: string, wanted: number | null): boolean {
  return wanted === null ? cell === '' : isNumber(cell) && Number(cell) === wanted;
}
