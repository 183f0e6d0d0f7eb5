/** Facts of a structure file: the parts that a scene can show. */

/** Formats of which facts are read. */
export const FACTS_FORMATS = ['pdb', 'mmcif'] as const;

/** One of these. */
export type FactsFormat = (typeof FACTS_FORMATS)[number];

/** A chain of polymer or of sugars, by its author's name. */
export interface ChainFacts {
  readonly id: string;
  readonly residues: number;
  /** Author's numbers of the first and of the last residue. */
  readonly first: number;
  readonly last: number;
}

/** A molecule that is no polymer and no water. */
export interface LigandFacts {
  readonly componentId: string;
  readonly chain: string;
  readonly residue: number;
  readonly insertionCode: string;
  readonly atoms: number;
}

/** Facts of a file; all but the number of models are of the first model. */
export interface StructureFacts {
  readonly models: number;
  readonly assemblies: readonly string[];
  readonly atoms: number;
  readonly residues: number;
  readonly waters: number;
  readonly chains: readonly ChainFacts[];
  /** At most a thousand; `ligandCount` counts all. */
  readonly ligands: readonly LigandFacts[];
  readonly ligandCount: number;
}
