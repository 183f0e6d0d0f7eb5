/**
 * A process that reads facts of structure files with Mol*'s parser: a request on each line of its input, an answer on each line of its
 * output, one after the other. Started by `structure-facts.ts` alone; never imported.
 */
import { Console } from 'node:console';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';

import { CIF } from 'molstar/lib/mol-io/reader/cif.js';
import { parsePDB } from 'molstar/lib/mol-io/reader/pdb/parser.js';
import { trajectoryFromMmCIF } from 'molstar/lib/mol-model-formats/structure/mmcif.js';
import { trajectoryFromPDB } from 'molstar/lib/mol-model-formats/structure/pdb.js';
import { ModelSymmetry } from 'molstar/lib/mol-model-formats/structure/property/symmetry.js';
import type { Model, Trajectory } from 'molstar/lib/mol-model/structure.js';

import { isRecord } from '../../domain/is-record.ts';
import type { ChainFacts, LigandFacts, StructureFacts } from '../../domain/structure-facts.ts';

const LOWEST_PRIORITY = 19;
const MOST_LIGANDS = 1_000;

async function trajectoryOf(text: string, format: unknown): Promise<Trajectory> {
  if (format === 'pdb') {
    const parsed = await parsePDB(text).run();
    if (parsed.isError) throw new Error(parsed.message);
    return trajectoryFromPDB(parsed.result).run();
  }
  const parsed = await CIF.parse(text).run();
  if (parsed.isError) throw new Error(parsed.message);
  const block = parsed.result.blocks.find(({ categories }) => categories['atom_site'] !== undefined);
  if (block === undefined) throw new Error('the file has no atoms');
  return trajectoryFromMmCIF(block).run();
}

function factsOf({ frameCount, representative: model }: Trajectory): StructureFacts {
  // A file without atoms has no model, whatever the type says.
  if (frameCount === 0) throw new Error('the file has no atoms');
  const { atoms } = model.atomicHierarchy;
  const { chains, ligands, residues, waters } = partsOf(model);
  return {
    models: frameCount,
    assemblies: (ModelSymmetry.Provider.get(model)?.assemblies ?? []).map(({ id }) => id),
    atoms: atoms._rowCount,
    residues,
    waters,
    chains,
    ligands: ligands.slice(0, MOST_LIGANDS),
    ligandCount: ligands.length,
  };
}

function partsOf({ atomicHierarchy, entities }: Model) {
  const { atoms, chains, residues, residueAtomSegments, chainAtomSegments, index } = atomicHierarchy;
  const found = new Map<string, ChainFacts>();
  const ligands: LigandFacts[] = [];
  let [waters, count] = [0, 0];
  for (let place = 0; place < residues._rowCount; place += 1) {
    const first = residueAtomSegments.offsets[place] ?? 0;
    const end = residueAtomSegments.offsets[place + 1] ?? first;
    const at = chainAtomSegments.index[first];
    if (at === undefined) continue;
    const type = entities.data.type.value(index.getEntityFromChain(at));
    const chain = chains.auth_asym_id.value(at);
    const residue = residues.auth_seq_id.value(place);
    if (type === 'water') waters += 1;
    else if (type === 'polymer' || type === 'branched') {
      count += 1;
      const before = found.get(chain);
      found.set(chain, {
        id: chain,
        residues: (before?.residues ?? 0) + 1,
        first: before?.first ?? residue,
        last: residue,
      });
    } else
      ligands.push({
        componentId: atoms.auth_comp_id.value(first),
        chain,
        residue,
        insertionCode: residues.pdbx_PDB_ins_code.value(place),
        atoms: end - first,
      });
  }
  return { chains: [...found.values()], ligands, residues: count, waters };
}

async function answerTo(line: string): Promise<object> {
  try {
    const request: unknown = JSON.parse(line);
    if (!isRecord(request) || typeof request['path'] !== 'string')
      throw new Error('the request names no file');
    const text = await readFile(request['path'], 'utf8');
    return { facts: factsOf(await trajectoryOf(text, request['format'])) };
  } catch (error) {
    return { message: error instanceof Error ? error.message.slice(0, 300) : 'unreadable' };
  }
}

setPriority(LOWEST_PRIORITY);
// Mol* tells of its work on the console, whose first stream is that of the answers.
globalThis.console = new Console(process.stderr, process.stderr);
const say = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) say(await answerTo(line));
