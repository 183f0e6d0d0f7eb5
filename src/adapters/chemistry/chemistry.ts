/** Chemistry for the preview of a ligand: components by id or name, drawings, and the charge at a pH. */
import type { NamedSource } from '../../domain/requests.ts';
import type { JobWarning } from '../../domain/warnings.ts';

/** A molecule as it was given: a canonical SMILES, the formula, the charge and a picture. */
export interface Structure {
  readonly smiles: string;
  /** In Hill order, with the charge as a suffix. */
  readonly formula: string;
  readonly formalCharge: number;
  readonly svg: string;
}

/** Why there is no structure; the codes are the codes of a ligand that fails in a job. */
export interface StructureFault {
  readonly code:
    | 'LIGAND_PARSE_FAILED'
    | 'LIGAND_NOT_FOUND'
    | 'LIGAND_TOO_LARGE'
    | 'LIGAND_PREPARATION_TIMEOUT';
  readonly message: string;
}

/** A structure, or why there is none. */
export type StructureAnswer =
  | { readonly ok: true; readonly structure: Structure }
  | { readonly ok: false; readonly fault: StructureFault };

/** The molecules that have a pattern, or the reason why the pattern is none to search by. */
export type MatchAnswer =
  | { readonly ok: true; readonly matched: readonly boolean[] }
  | { readonly ok: false; readonly reason: string };

/** A component of the dictionary, and the synonym that it was found by. */
export interface FoundComponent {
  readonly componentId: string;
  readonly name: string;
  readonly synonym: string | null;
}

/**
 * The result of a search: the components with this name or, when there are none, the components with the text in their
 * name. `isCut` is true when there are more.
 */
export interface ComponentSearch {
  readonly components: readonly FoundComponent[];
  readonly isExact: boolean;
  readonly isCut: boolean;
}

/** Whether a component is looked up by its id, its name or its InChIKey. */
export type ComponentKey = 'id' | 'name' | 'inchiKey';

/** Molecules from the Chemical Component Dictionary and from SMILES. */
export interface Molecules {
  /**
   * Looks for components; answers null where the dictionary is not installed. @throws SERVICE_UNAVAILABLE when too many
   * tasks wait.
   */
  findComponents(text: string, by: ComponentKey): Promise<ComponentSearch | null>;
  /** @throws SERVICE_UNAVAILABLE when too many tasks wait. */
  draw(source: NamedSource): Promise<StructureAnswer>;
  /**
   * Looks for a pattern (SMARTS) in some hundred molecules, given as SMILES. @throws SERVICE_UNAVAILABLE when too many
   * tasks wait.
   */
  match(smarts: string, smiles: readonly string[]): Promise<MatchAnswer>;
  close(): Promise<void>;
}

/** A molecule with an ordinary name; the first of its names is the one that is shown. */
export interface KnownMolecule {
  readonly names: readonly string[];
  readonly smiles: string;
  readonly inchiKey: string;
  /** Reference by which the structure was checked. */
  readonly source: string;
}

/** The molecules that are known beside the dictionary, by any of their names or by their InChIKey. */
export interface KnownMolecules {
  byName(text: string): KnownMolecule | null;
  byInchiKey(key: string): KnownMolecule | null;
}

/** The state in which a ligand would be docked, or why docking would refuse the ligand. */
export type ChargeAnswer =
  | {
      readonly ok: true;
      readonly charge: number;
      readonly smiles: string;
      readonly warnings: readonly JobWarning[];
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The model that decides charges. */
export interface ChargeModel {
  /** Answers null where the model is not installed or did not answer in time. */
  chargeAt(source: NamedSource, ph: number): Promise<ChargeAnswer | null>;
  /** The SMILES of an InChI, null where RDKit cannot read it; answers null as `chargeAt` does. */
  readInchi(inchi: string): Promise<{ readonly smiles: string | null } | null>;
  close(): Promise<void>;
}

/** Likeness of molecules by their Morgan fingerprints. Each answer is null where the Python side is not installed or does not answer. */
export interface Diversity {
  /** The Butina cluster of each molecule, counted from 1, the largest first; null for what is no molecule. */
  clusters(smiles: readonly string[]): Promise<readonly (number | null)[] | null>;
  /** The places of so many molecules of a ranking that differ most from each other, the best first. */
  picks(smiles: readonly string[], count: number): Promise<readonly number[] | null>;
  close(): Promise<void>;
}
