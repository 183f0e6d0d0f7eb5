/** The report of an inspection as text. Every member of the report is checked, and a member that is missing is not shown. */
import { isRecord } from '../../domain/is-record.ts';
import { facts, printable, table } from '../table.ts';

type Row = Readonly<Record<string, unknown>>;

const MOST_SHOWN = 40;
const MOST_POCKETS = 5;
const MOST_NAMES = 12;

/** The whole report, then a command that docks with a box of the report; `receptor` is the receptor's name on that command. */
export function inspectionText(report: Row, receptor: string): string {
  const sections = [
    overview(report, receptor),
    section('Chains', chains(report)),
    section('Components', components(report)),
    section('Waters at ligands', waters(report)),
    section('Histidines to look at', histidines(report)),
    section('Pockets (rank and druggability score are those of fpocket-rs)', pockets(report)),
    section('A preparation refuses', told(report, 'refusals')),
    section('A preparation warns', told(report, 'warnings')),
    advice(report, receptor),
  ];
  return sections.filter((part) => part !== '').join('\n');
}

function overview(report: Row, receptor: string): string {
  const source = record(report['receptor']);
  const assembly = record(source['assembly']);
  return facts([
    ['Receptor', `${receptor} (${text(source['format'])}, SHA-256 ${text(source['sha256']).slice(0, 12)}…)`],
    ['Selected', `model ${text(source['model'])}, assembly ${text(assembly['id'])}`],
    ['Models', list(report['models'])],
    ['Assemblies', names(report['assemblies'], 'id') || 'none described'],
    ['Alternative places', text(record(report['altlocs'])['count'])],
    ...confidence(report),
    ['Would be prepared', prospects(rows(report['refusals']))],
  ]);
}

/** The resolution of an experiment, or how sure a program is of its prediction. */
function confidence(report: Row): [string, string][] {
  const { resolutionAngstrom: resolution, pLDDT, bFactors } = report;
  const lines: [string, string][] = [];
  if (typeof resolution === 'number') lines.push(['Resolution', `${resolution} Å`]);
  if (isRecord(bFactors))
    lines.push([
      'B factors',
      `${text(bFactors['mean'])} Å² on average, ${countOf(bFactors['above79'])} residues above 79`,
    ]);
  if (isRecord(pLDDT))
    lines.push([
      'pLDDT',
      `${text(pLDDT['mean'])} on average, ${countOf(pLDDT['below50'])} residues below 50${namesOf(pLDDT['below50'])}`,
    ]);
  const partners = rows(report['fusionPartners']).map(
    ({ chain, first, last, reference }) =>
      `${text(chain)}:${text(first)}-${text(last)}, ${reference === null ? 'by its numbers' : text(reference)}`,
  );
  return partners.length === 0
    ? lines
    : [
        ...lines,
        ['Fusion partners', `${partners.join('; ')}; leave them out where they are far from the site`],
      ];
}

/** The first of a list of residues, after a colon; nothing of an empty one. */
function namesOf(value: unknown): string {
  const names = Array.isArray(value) ? value.map(text) : [];
  const more = names.length > MOST_NAMES ? ' …' : '';
  return names.length === 0 ? '' : `: ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function prospects(refusals: readonly Row[]): string {
  if (refusals.length === 0) return 'yes';
  const final = refusals.filter((row) => repairedBeyond(row) === null);
  if (final.length > 0) return `no: ${final.length} refusals, below`;
  return 'if the side chains below are far enough from the box to be repaired';
}

/** How far from the box the preparation repairs what a refusal is about, in angstrom; null where it does not. */
function repairedBeyond({ repairedBeyondAngstrom: distance }: Row): number | null {
  return typeof distance === 'number' ? distance : null;
}

function chains(report: Row): string {
  const found = rows(report['chains']);
  if (found.length === 0) return '';
  return table(
    [
      { title: 'CHAIN', value: (row) => text(row['id']) },
      { title: 'USED', value: (row) => (row['isSelected'] === true ? 'yes' : 'no') },
      { title: 'POLYMER', value: (row) => text(row['polymer']) },
      { title: 'RESIDUES', value: (row) => text(row['residues']), align: 'right' },
      { title: 'GAPS', value: (row) => rows(row['gaps']).length, align: 'right' },
      { title: 'WATERS', value: (row) => text(row['waters']), align: 'right' },
    ],
    found.slice(0, MOST_SHOWN),
  );
}

function components(report: Row): string {
  const found = [...rows(report['modifiedResidues']).map(modified), ...rows(report['components'])];
  if (found.length === 0) return '';
  return shortened(found, (shown) =>
    table(
      [
        { title: 'COMPONENT', value: placeOf },
        { title: 'WHAT', value: (row) => text(row['kind']) },
        { title: 'ATOMS', value: (row) => text(row['heavyAtoms']), align: 'right' },
        { title: 'COPIES', value: (row) => text(row['copies']), align: 'right' },
        { title: 'BY DEFAULT', value: (row) => fateOf(row) },
        { title: 'BOX CENTRE', value: (row) => list(record(row['box'])['centerAngstrom']) || null },
        { title: 'BOX SIZE', value: (row) => list(record(row['box'])['sizeAngstrom']) || null },
      ],
      shown,
    ),
  );
}

function modified(row: Row): Row {
  const becomes = row['becomes'];
  const outcome = typeof becomes === 'string' ? `becomes ${becomes}` : text(row['outcome']);
  return { ...row, kind: 'modified', outcome };
}

function fateOf(row: Row): string {
  const { outcome } = row;
  if (typeof outcome === 'string') return outcome;
  return row['keptByDefault'] === true ? 'kept' : 'removed';
}

function waters(report: Row): string {
  const found = rows(record(report['waters'])['atLigands']);
  return shortened(found, (shown) =>
    table(
      [
        { title: 'WATER', value: placeOf },
        { title: 'AT', value: (row) => placeOf(record(row['ligand'])) },
        { title: 'Å', value: (row) => text(row['distanceAngstrom']), align: 'right' },
        { title: 'HELD BY', value: (row) => rows(row['contacts']).map(contact).join(', ') },
      ],
      shown,
    ),
  );
}

function contact(row: Row): string {
  return `${text(row['atom'])} of ${placeOf(row)} (${text(row['distanceAngstrom'])})`;
}

function histidines(report: Row): string {
  const { note, residues } = record(report['histidines']);
  const lines = rows(residues).map((row) => {
    const beside = rows(row['beside']).map(placeOf).join(', ');
    const why = [
      ...(list(row['reasons']).includes('PKA_NEAR_PH') ? [`pKa ${text(row['pKa'])}`] : []),
      ...(beside === '' ? [] : [`at ${beside}`]),
    ];
    return `${placeOf(row)}: ${text(row['state'])}; ${why.join('; ')}\n`;
  });
  const said = typeof note === 'string' ? [`${printable(note)}\n`] : [];
  return [...lines.slice(0, MOST_SHOWN), ...said].join('');
}

function pockets(report: Row): string {
  const { pockets: found, failure } = record(report['pockets']);
  if (typeof failure === 'string') return `${printable(failure)}\n`;
  const shown = rows(found).slice(0, MOST_POCKETS);
  if (shown.length === 0) return '';
  return table(
    [
      { title: 'RANK', value: (row) => text(row['rank']), align: 'right' },
      { title: 'SCORE', value: (row) => text(row['score']), align: 'right' },
      { title: 'CENTRE', value: (row) => list(row['centerAngstrom']) },
      { title: 'SIZE', value: (row) => list(row['sizeAngstrom']) },
      { title: 'RESIDUES', value: (row) => rows(row['residues']).length, align: 'right' },
    ],
    shown,
  );
}

function told(report: Row, name: 'refusals' | 'warnings'): string {
  return rows(report[name])
    .slice(0, MOST_SHOWN)
    .map((row) => {
      const distance = repairedBeyond(row);
      const repaired = distance === null ? '' : ` Repaired beyond ${distance} Å from the box.`;
      return `${text(row['code'])}: ${text(row['message'])}${repaired}\n`;
    })
    .join('');
}

/** Options for `dockyard dock`: each ligand by its name, else the box of the first pocket by its numbers. */
function advice(report: Row, receptor: string): string {
  const dock = `dockyard dock --receptor ${receptor} --ligands FILE`;
  const boxed = rows(report['components']).filter((row) => Array.isArray(record(row['box'])['sizeAngstrom']));
  const ligands = boxed.filter(({ kind }) => kind === 'ligand');
  const first = (ligands.length > 0 ? ligands : boxed)[0];
  const [pocket] = rows(record(report['pockets'])['pockets']);
  if (first !== undefined) return `\nDock there with:\n  ${dock} --box-from-ligand ${flagOf(first)}\n`;
  if (pocket === undefined) return '';
  const place = `--center ${list(pocket['centerAngstrom'])} --size ${list(pocket['sizeAngstrom'])}`;
  return `\nDock into the first pocket with:\n  ${dock} ${place}\n`;
}

function flagOf(row: Row): string {
  return `${text(row['residueName'])}:${text(row['chain'])}:${text(row['residue'])}${text(row['insertionCode'])}`;
}

function placeOf(row: Row): string {
  return flagOf(row);
}

function section(title: string, body: string): string {
  return body === '' ? '' : `\n${title}\n${body}`;
}

function shortened(found: readonly Row[], show: (shown: readonly Row[]) => string): string {
  if (found.length === 0) return '';
  const more = found.length - MOST_SHOWN;
  return `${show(found.slice(0, MOST_SHOWN))}${more > 0 ? `and ${more} more; --json has all\n` : ''}`;
}

function rows(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function record(value: unknown): Row {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? printable(value) : '';
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.map(text).join(',') : '';
}

function names(value: unknown, field: string): string {
  return rows(value)
    .map((row) => text(row[field]))
    .join(', ');
}
