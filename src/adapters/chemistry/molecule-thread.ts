/**
 * The thread that reads the dictionary and draws molecules; the thread keeps dictionary and RDKit open between tasks.
 */
import type { NamedSource } from '../../domain/requests.ts';
import type { ComponentKey, ComponentSearch, MatchAnswer, StructureAnswer } from './chemistry.ts';
import { openDictionary } from './dictionary.ts';
import type { Dictionary } from './dictionary.ts';
import { molBlockOf } from './molblock.ts';
import { loadRdkit, refused } from './rdkit.ts';

/** The tasks of the thread. */
export type MoleculeTask =
  | { readonly kind: 'ready' }
  | { readonly kind: 'find'; readonly dictionary: string; readonly text: string; readonly by: ComponentKey }
  | { readonly kind: 'draw'; readonly dictionary: string; readonly source: NamedSource }
  | { readonly kind: 'match'; readonly smarts: string; readonly smiles: readonly string[] };

/** The answers of the thread: to `ready` null, to `find` null where there is no dictionary. */
export type MoleculeResult = ComponentSearch | StructureAnswer | MatchAnswer | null;

const TOO_COMPLEX = 'it is too complex';

let rdkit = await loadRdkit();
const opened = new Map<string, Dictionary | null>();

/** Does one task. */
export async function treatMolecule(task: MoleculeTask): Promise<MoleculeResult> {
  if (task.kind === 'ready') return null;
  if (task.kind === 'match') return match(task.smarts, task.smiles);
  const dictionary = dictionaryAt(task.dictionary);
  if (task.kind === 'find') return dictionary?.find(task.text, task.by) ?? null;
  if (task.source.kind === 'smiles') return draw(task.source.smiles, 'SMILES');
  const { componentId } = task.source;
  const record = dictionary?.record(componentId) ?? null;
  if (record === null || record.elements.length === 0) {
    const message = `The Chemical Component Dictionary has no atoms of ${componentId}.`;
    return { ok: false, fault: { code: 'LIGAND_NOT_FOUND', message } };
  }
  return draw(molBlockOf(record), `component ${componentId}`);
}

/** Over some molecules RDKit breaks down and would refuse all molecules that follow, so RDKit is loaded anew. */
async function draw(text: string, what: string): Promise<StructureAnswer> {
  try {
    return rdkit.draw(text, what);
  } catch {
    rdkit = await loadRdkit();
    return refused(what, TOO_COMPLEX);
  }
}

async function match(smarts: string, smiles: readonly string[]): Promise<MatchAnswer> {
  try {
    return rdkit.match(smarts, smiles);
  } catch {
    rdkit = await loadRdkit();
    return { ok: false, reason: TOO_COMPLEX };
  }
}

function dictionaryAt(path: string): Dictionary | null {
  const known = opened.get(path);
  if (known !== undefined) return known;
  const dictionary = openDictionary(path);
  opened.set(path, dictionary);
  return dictionary;
}
