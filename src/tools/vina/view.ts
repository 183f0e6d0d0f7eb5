/**
 * `view.pml` shows receptor, box and the poses of every ligand in PyMOL. The paths are relative to the folder of the
 * downloaded outputs. The only text of a customer in the script is the ids of ligands, whose characters the contract
 * bounds.
 */
import { PREPARED_PDB } from './inputs.ts';
import type { Box } from './structures.ts';

/** PyMOL reads every file at its start, so of a large library only the best ligands are loaded. */
const MOST_LOADED = 100;

/** The corners of a box as signs along x, y and z; an edge joins two that differ in one sign. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [1, 2, 4].map((bit) => ((bits & bit) === 0 ? -1 : 1)));

/** The script; `ligandIds` are given with the best ligand first, and only the best ligand is switched on. */
export function viewScript(ligandIds: readonly string[], box: Box | null): string {
  const loaded = ligandIds.slice(0, MOST_LOADED);
  const left = ligandIds.length - loaded.length;
  return [
    '# Open in the folder of the downloaded outputs: pymol view.pml',
    '# Ligands are numbered by rank; each has its modes as states, the best first.',
    ...(left === 0 ? [] : [`# The best ${MOST_LOADED} are loaded; ${left} more are ranked in ranking.csv.`]),
    `load ${PREPARED_PDB}, receptor`,
    'hide everything, receptor',
    'show cartoon, receptor',
    'color grey80, receptor and elem C',
    ...(box === null ? [] : boxLines(box)),
    ...loaded.flatMap((ligandId, index) => ligandLines(ligandId, index, loaded.length)),
    ...(loaded.length === 0 ? [] : pocketLines()),
    loaded.length > 0 ? 'zoom docked' : box === null ? 'zoom receptor' : 'zoom box',
    '',
  ].join('\n');
}

function ligandLines(ligandId: string, index: number, count: number): string[] {
  const name = objectName(ligandId, index, count);
  return [
    `load ligands/${ligandId}/poses.sdf, ${name}`,
    ...(index === 0 ? [`group docked, ${name}`] : [`group docked, ${name}, add`, `disable ${name}`]),
  ];
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

/**
 * The name of a ligand's object in PyMOL, which allows letters, digits and few signs; the rank tells equal names apart.
 */
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
