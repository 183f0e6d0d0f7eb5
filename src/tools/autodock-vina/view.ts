/**
 * `view.pml` shows receptor, box and the poses of every ligand in PyMOL. The paths are relative to the folder of the
 * downloaded outputs. The only text of a customer in the script is the ids of ligands, whose characters the contract
 * bounds.
 */
import { PREPARED_PDB } from './inputs.ts';
import type { Box } from './structures.ts';

/** PyMOL reads every file at its start, so of a large library only the best ligands are loaded. */
export const MOST_LOADED = 100;

/** The corners of a box as signs along x, y and z; an edge joins two that differ in one sign. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [1, 2, 4].map((bit) => ((bits & bit) === 0 ? -1 : 1)));

/**
 * The script. It loads the ligands that are given, at most `MOST_LOADED`, best first; of those docked in all it says how many
 * more there are. Only the best is switched on, with its side chains where some turned.
 */
export function viewScript(
  ligandIds: readonly string[],
  box: Box | null,
  { isFlexible, dockedCount }: { readonly isFlexible: boolean; readonly dockedCount: number },
): string {
  const loaded = ligandIds.slice(0, MOST_LOADED);
  const left = dockedCount - loaded.length;
  return [
    '# Open in the folder of the downloaded outputs: pymol view.pml',
    '# Ligands are numbered by rank; each has its modes as states, the best first.',
    ...(left === 0 ? [] : [`# The best ${MOST_LOADED} are loaded; ${left} more are ranked in ranking.csv.`]),
    `load ${PREPARED_PDB}, receptor`,
    'hide everything, receptor',
    'show cartoon, receptor',
    'color grey80, receptor and elem C',
    ...(box === null ? [] : boxLines(box)),
    ...loaded.flatMap((ligandId, index) =>
      ligandLines(ligandId, objectName(ligandId, index, loaded.length), index === 0, isFlexible),
    ),
    ...(loaded.length === 0 ? [] : pocketLines()),
    ...(isFlexible && loaded.length > 0 ? sideChainLines() : []),
    loaded.length > 0 ? 'zoom docked' : box === null ? 'zoom receptor' : 'zoom box',
    '',
  ].join('\n');
}

function ligandLines(ligandId: string, name: string, isFirst: boolean, isFlexible: boolean): string[] {
  const sides = isFlexible ? [{ file: 'flexible.pdb', object: `${name}_side_chains`, group: 'turned' }] : [];
  return [{ file: 'poses.sdf', object: name, group: 'docked' }, ...sides].flatMap(
    ({ file, object, group }) => [
      `load ligands/${ligandId}/${file}, ${object}`,
      ...(isFirst ? [`group ${group}, ${object}`] : [`group ${group}, ${object}, add`, `disable ${object}`]),
    ],
  );
}

function pocketLines(): string[] {
  return [
    'show sticks, docked',
    'hide sticks, docked and elem H and (neighbor elem C)',
    'select pocket, byres (receptor within 5 of docked)',
    'show lines, pocket and not elem H',
    'deselect',
  ];
}

/** Side chains that turned are shown where they stand in each mode; those of the receptor stand as prepared. */
function sideChainLines(): string[] {
  return [
    'hide everything, turned',
    'show sticks, turned and not elem H',
    'color palecyan, turned and elem C',
  ];
}

/** PyMOL's names hold letters, digits and few signs; the rank keeps equal ones apart. */
function objectName(ligandId: string, index: number, count: number): string {
  const rank = String(index + 1).padStart(String(count).length, '0');
  return `r${rank}_${ligandId.replace(/[^A-Za-z0-9_.-]/g, '_')}`;
}

function boxLines({ centerAngstrom, sizeAngstrom }: Box): string[] {
  const corner = (signs: readonly number[]): string =>
    signs
      .map((sign, axis) => ((centerAngstrom[axis] ?? 0) + (sign * (sizeAngstrom[axis] ?? 0)) / 2).toFixed(3))
      .join(', ');
  const edges = CORNERS.flatMap((from, index) =>
    [1, 2, 4].flatMap((bit) => {
      const to = CORNERS[index ^ bit];
      return to === undefined || (index & bit) !== 0 ? [] : [{ from, to }];
    }),
  );
  return [
    'python',
    'from pymol import cmd, cgo',
    'edges = [',
    ...edges.map(({ from, to }) => `    ((${corner(from)}), (${corner(to)})),`),
    ']',
    'lines = [cgo.LINEWIDTH, 2.0, cgo.BEGIN, cgo.LINES, cgo.COLOR, 0.9, 0.6, 0.1]',
    'for start, end in edges:',
    '    lines += [cgo.VERTEX, *start, cgo.VERTEX, *end]',
    "cmd.load_cgo([*lines, cgo.END], 'box')",
    'python end',
  ];
}
