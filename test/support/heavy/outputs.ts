/** Outputs as large and as odd as the service takes them, written into a folder, and what judging them costs. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { poses, preparation } from '../../tools/autodock-vina/outputs.ts';
import { reported, written } from '../../tools/fpocket/outputs.ts';
import { inspectionReport } from '../../tools/receptor-inspect/reports.ts';
import type { Cost, HandedIn } from './judge.ts';

/** A text that may be too long for one string. */
export type Text = string | Iterable<string>;

/** Outputs and their texts, by name. */
export interface Heavy extends Omit<HandedIn, 'outputs'> {
  readonly texts: Readonly<Record<string, Text>>;
  readonly facts: (name: string) => readonly [kind: string, mediaType: string, format: string];
}

const MEBIBYTE = 1024 * 1024;
const JUDGE = join(import.meta.dirname, 'judge.ts');
const BATCH = 1000;

/** A text of at most so many bytes: a head, parts that are told by their number, and a foot. */
export function* repeated(
  mostBytes: number,
  partOf: (index: number) => string,
  [head = '', foot = '']: readonly [head?: string, foot?: string] = [],
): Generator<string> {
  yield head;
  let left = mostBytes - head.length - foot.length;
  for (let index = 0; ; index += BATCH) {
    const batch: string[] = [];
    for (let part = index; part < index + BATCH; part += 1) {
      const text = partOf(part);
      left -= text.length;
      if (left < 0) break;
      batch.push(text);
    }
    yield batch.join('');
    if (left < 0) break;
  }
  yield foot;
}

/** Writes the outputs, has them judged in a process of its own, several times at once, and removes them. */
export async function costOf({ texts, facts, ...work }: Heavy, times = 1): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-heavy-'));
  try {
    const outputs = Object.entries(texts).map(([name, text], index) => {
      const [kind, mediaType, format] = facts(name);
      return { name, kind, mediaType, format, ...write(join(folder, String(index)), text) };
    });
    writeFileSync(join(folder, 'handed-in.json'), JSON.stringify({ ...work, outputs } satisfies HandedIn));
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      JUDGE,
      folder,
      String(times),
    ]);
    return JSON.parse(stdout) as Cost;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(path: string, text: Text): { byteSize: number; sha256: string } {
  const digest = createHash('sha256');
  const file = openSync(path, 'w');
  let byteSize = 0;
  for (const part of typeof text === 'string' ? [text] : text) {
    const bytes = Buffer.from(part);
    byteSize += writeSync(file, bytes);
    digest.update(bytes);
  }
  closeSync(file);
  return { byteSize, sha256: digest.digest('hex') };
}

/** The facts of outputs that some other list has. */
function factsIn(
  list: Readonly<Record<string, { kind: string; mediaType: string; format: string | null }>>,
): Heavy['facts'] {
  return (name) => {
    const { kind = '', mediaType = '', format = '' } = list[name] ?? {};
    return [kind, mediaType, format ?? ''];
  };
}

const SEARCH_FACTS: Readonly<Record<string, readonly [string, string, string]>> = {
  'hits.tsv': ['hits', 'text/tab-separated-values', 'tsv'],
  'hits.json': ['hits_report', 'application/json', 'json'],
  'alignments.txt': ['alignments', 'text/plain', 'txt'],
  'search.json': ['search_summary', 'application/json', 'json'],
};
const SEARCH = { name: 'd', type: 'prot', sequences: 1, letters: 12, checksum: 'b'.repeat(64) };
const summary = (hits: number) => ({
  schema: 'dockyard.blast.search/v1',
  program: 'blastp',
  ...{ task: 'blastp', evalue: 10, maxHits: 500, queriesSha256: 'c'.repeat(64), missingTasks: [] },
  engine: {
    ...{ name: 'blast', version: '2.12.0', packSha256: 'a'.repeat(64) },
    toolchainSha256: 'd'.repeat(64),
  },
  database: SEARCH,
  parts: [{ firstQuery: 1, queries: 1, residues: 12, hits, queriesWithHits: 1 }],
});
const HEAD =
  '{"BlastOutput2":[\n{"report":{"program":"blastp","results":{"search":{"query_id":"Query_1","query_len":12,';
const FOOT = '}}}}\n]}\n';

/** The reports of a search of one query, with other texts in the place of some. */
export function search(texts: Readonly<Record<string, Text>>, hits = 0): Heavy {
  const honest = {
    'search.json': JSON.stringify(summary(hits)),
    'hits.tsv': '',
    'hits.json': `${HEAD}"hits":[],"stat":{}${FOOT}`,
    'alignments.txt': '\n\nQuery= q\n',
  };
  return {
    ...{ toolId: 'blastp', kind: 'task', itemId: '0', texts: { ...honest, ...texts } },
    facts: (name) => SEARCH_FACTS[name] ?? ['', '', ''],
  };
}

/** One report of many stretches, as a query of a repeat has. */
export function largeReport(mostBytes: number): Text {
  const letters = 'ACDEFGHIKLMNPQRSTVWY'.repeat(5);
  const stretch = (index: number): string =>
    `${index === 0 ? '' : ','}{"num":${index},"bit_score":78.1835,"score":191,"evalue":1.1e-15,"identity":40,"positive":60,` +
    `"query_from":1,"query_to":100,"hit_from":${index},"hit_to":${index + 100},"align_len":100,"gaps":0,` +
    `"qseq":"${letters}","hseq":"${letters}","midline":"${letters}"}`;
  const description = '"num":1,"description":[{"id":"s","accession":"s","title":"a repeat"}],"len":100000';
  return repeated(mostBytes, stretch, [`${HEAD}"hits":[{${description},"hsps":[`, `]}],"stat":{}${FOOT}`]);
}

/** A report whose statistics are tiny objects. */
export function tinyObjects(mostBytes: number, partOf: (index: number) => string): Text {
  const part = (index: number): string => (index === 0 ? '' : ',') + partOf(index);
  return repeated(mostBytes, part, [`${HEAD}"hits":[],"stat":{"a":[`, `]}${FOOT}`]);
}

/** A prepared receptor of as many atoms as lines are read. */
export function receptor(mostBytes: number): Heavy {
  const atom = 'ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0\n';
  const honest = preparation();
  const texts = Object.fromEntries(Object.entries(honest).map(([name, { text }]) => [name, text]));
  return {
    ...{ toolId: 'autodock-vina', kind: 'prepare', itemId: 'prepare', facts: factsIn(honest) },
    texts: { ...texts, 'receptor/prepared.pdb': repeated(mostBytes, () => atom) },
  };
}

/** The report of a preparation, or its box, with many values beside those that are read. */
export function preparationWith(name: string, mostBytes: number, partOf: (index: number) => string): Heavy {
  const honest = preparation();
  const texts = Object.fromEntries(Object.entries(honest).map(([each, { text }]) => [each, text]));
  const head = `${(texts[name] ?? '').trimEnd().slice(0, -1)},"more":[`;
  const part = (index: number): string => (index === 0 ? '' : ',') + partOf(index);
  return {
    ...{ toolId: 'autodock-vina', kind: 'prepare', itemId: 'prepare', facts: factsIn(honest) },
    texts: { ...texts, [name]: repeated(mostBytes, part, [head, ']}']) },
  };
}

/** A docked ligand whose poses have many lines of properties, or whose result has many values. */
export function docked({
  sdfBytes = 0,
  values = [],
  modes = 1,
  interactions,
}: {
  sdfBytes?: number;
  values?: readonly unknown[];
  modes?: number;
  interactions?: readonly unknown[];
}): Heavy {
  const energies = Array.from({ length: modes }, () => -7.25);
  const [first = ''] = Object.values(poses('ligands/a', 'a', energies)).map(({ text }) => text);
  const line = (index: number): string =>
    `>  <note${index % 50}>  (1) \nsome words that a program might have put here\n\n`;
  const foot = '$$$$\n';
  const sdf =
    sdfBytes === 0 ? first : [...repeated(sdfBytes, line, [first.slice(0, -foot.length), foot])].join('');
  const contacts = interactions === undefined ? {} : { interactions };
  const told = values.length === 0 ? {} : { more: values };
  const honest = poses('ligands/a', 'a', energies, { sdf, told, ...contacts });
  const texts = Object.fromEntries(Object.entries(honest).map(([name, { text }]) => [name, text]));
  return { ...{ toolId: 'autodock-vina', kind: 'task', itemId: 'a', facts: factsIn(honest) }, texts };
}

/** An interaction with as many values as any has. */
function contact(): unknown {
  const water = { chain: 'A', residue: 201, insertionCode: '', residueName: 'HOH', distanceAngstrom: 2.724 };
  return {
    type: 'water_bridge',
    receptor: { chain: 'A', residue: 50, insertionCode: '', residueName: 'ILE', atom: 'N' },
    water,
    ligandAtoms: [29],
    distanceAngstrom: 3.021,
    angleDegrees: null,
  };
}

/** A search for pockets whose report has so many spheres, which are other ones than those of its file. */
export function pockets(spheres: number): Heavy {
  const sphere = { centerAngstrom: [1.5, 2.25, 3.125], radiusAngstrom: 3.5, apolar: true };
  const texts = written(2, { pocket: { alphaSpheres: Array.from({ length: spheres }, () => sphere) } });
  const list = Object.fromEntries(reported(texts).map((output) => [output.name, output]));
  return { ...{ toolId: 'fpocket', kind: 'task', itemId: '0', facts: factsIn(list) }, texts };
}

/** The report of an inspection with many rows. */
export function inspection(chains: readonly unknown[]): Heavy {
  return {
    ...{ toolId: 'receptor-inspect', kind: 'task', itemId: 'receptor' },
    texts: { 'inspection.json': JSON.stringify(inspectionReport({ chains })) },
    facts: () => ['inspection_report', 'application/json', 'json'],
  };
}

/** Every case that is measured by hand, at the bounds of today. */
export const PANEL: Readonly<Record<string, () => Heavy>> = {
  'hits.json, one query, 64 MiB': () => search({ 'hits.json': largeReport(64 * MEBIBYTE) }),
  'hits.json, 2,000,000 objects of one member, 16 MB': () =>
    search({ 'hits.json': tinyObjects(15_900_000, () => '{"a":1}') }),
  'hits.json, names of their own, 19 MB': () =>
    search({ 'hits.json': tinyObjects(19_000_000, (index) => `{"a${index}":1}`) }),
  'hits.json, one string of 64 MiB': () =>
    search({
      'hits.json': repeated(64 * MEBIBYTE, () => 'ACGT'.repeat(250), [
        `${HEAD}"hits":[],"stat":{"a":"`,
        `"}${FOOT}`,
      ]),
    }),
  'hits.tsv, the shortest lines, 64 MiB': () =>
    search(
      { 'hits.tsv': repeated(64 * MEBIBYTE, () => '\t\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\n') },
      Math.floor((64 * MEBIBYTE) / 22),
    ),
  'hits.tsv, tabs, 64 MiB': () => search({ 'hits.tsv': repeated(64 * MEBIBYTE, () => '\t'.repeat(1000)) }),
  'alignments.txt, empty lines, 64 MiB': () =>
    search({ 'alignments.txt': repeated(64 * MEBIBYTE, () => '\n'.repeat(1000), ['', '\n\nQuery= q\n']) }),
  'search.json, 16 MiB': () =>
    search({
      'search.json': repeated(16 * MEBIBYTE, (index) => `,"m${index}":"${'x'.repeat(100)}"`, [
        JSON.stringify(summary(0)).slice(0, -1),
        '}',
      ]),
    }),
  'prepared.pdb, 64 MiB of atoms': () => receptor(62 * 1_000_000),
  'preparation.json, 16 MiB': () =>
    preparationWith('receptor/preparation.json', 16 * MEBIBYTE, () => `"${'x'.repeat(130)}"`),
  'preparation.json, 120,000 objects': () =>
    preparationWith('receptor/preparation.json', 900_000, () => '{"a":1}'),
  'box.json, names of their own, 1 MiB': () =>
    preparationWith('box.json', MEBIBYTE, (index) => `{"a${index}":1}`),
  'poses.sdf, 64 MiB': () => docked({ sdfBytes: (62 * 1_000_000) / 4 }),
  'result.json, 53,000 values': () =>
    docked({ values: Array.from({ length: 26_500 }, (_, index) => [index]) }),
  'result.json, names of their own': () =>
    docked({ values: Array.from({ length: 26_500 }, (_, index) => ({ [`a${index}`]: 1 })) }),
  'result.json, interactions': () =>
    docked({ modes: 100, interactions: Array.from({ length: 24 }, contact) }),
  'pockets.json, 390,000 values': () => pockets(55_000),
  'inspection.json, 120,000 rows': () =>
    inspection(Array.from({ length: 120_000 }, (_, index) => ({ a: index }))),
};
