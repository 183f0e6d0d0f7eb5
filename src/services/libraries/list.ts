/** A list of ligands of a request as a library, so that a batch has its ligands in one place whatever form they came in. */
import type { LigandIdentity } from '../../domain/requests.ts';
import { sha256 } from '../../tools/canonical.ts';
import { heavyAtomsOf } from '../../tools/ligand-library/heavy-atoms.ts';
import { NOTHING_DROPPED } from '../../tools/ligand-library/record.ts';
import type { IndexedRecord } from './write.ts';

/** The digest by which the same list is found again; confirmations are no part of it, because they only prove the ligands. */
export function digestOfList(ligands: readonly LigandIdentity[]): string {
  return sha256(
    JSON.stringify(ligands.map((ligand) => [ligand.ligandId, ligand.label, ...structureOf(ligand)])),
  );
}

/** The records of a list; ligands of one source and one preparation are equal. */
export function* recordsOfList(ligands: readonly LigandIdentity[]): Generator<IndexedRecord> {
  for (const ligand of ligands) {
    const { ligandId, label, source, preparation } = ligand;
    yield {
      ligandId,
      label,
      isRepeated: false,
      line: null,
      start: null,
      end: null,
      contentSha256: null,
      fault: null,
      structureSha256: sha256(JSON.stringify(structureOf(ligand))),
      heavyAtoms: source.kind === 'smiles' ? heavyAtomsOf(source.smiles) : null,
      smiles: source.kind === 'smiles' ? source.smiles.trim() : null,
      source: { source, preparation },
      properties: new Map(),
      dropped: NOTHING_DROPPED,
    };
  }
}

/** Lists the docked structure of a ligand, in one order of its parts. */
function structureOf({ source, preparation }: LigandIdentity): readonly unknown[] {
  const { protonationPh, protonation = 'model', tautomer, states } = preparation;
  return [
    ...placeOf(source),
    protonationPh,
    protonation,
    ...(tautomer === 'likely' ? [tautomer] : []),
    ...(states === 'likely' ? [{ states }] : []),
  ];
}

function placeOf(source: LigandIdentity['source']): readonly unknown[] {
  switch (source.kind) {
    case 'ccd':
      return [source.kind, source.componentId.toUpperCase()];
    case 'smiles':
      return [source.kind, source.smiles.trim()];
    case 'artifact':
      return [source.kind, source.artifact.storageKey, source.artifact.sha256, source.artifact.format];
    default:
      return source satisfies never;
  }
}
