/** Codes of reading a structure, which every tool that reads one gives in the same words. */
import { says } from '../domain/codes/code.ts';
import type { CodeWords } from '../domain/codes/code.ts';

type Words = Readonly<Record<string, CodeWords>>;

/** Why a structure cannot be read, or the meant part of it not be found. */
export const RECEPTOR_FAILURES = {
  RECEPTOR_NOT_FOUND: says(
    'The Protein Data Bank has no entry with this id, or no mmCIF file of the entry.',
    'Check the id, or upload the file.',
  ),
  RECEPTOR_FETCH_FAILED: says(
    'The structure could not be fetched: the archive did not answer, or sent something else.',
    'Submit the request again later, or upload the file.',
  ),
  RECEPTOR_UNREADABLE: says(
    'The file is neither PDB nor mmCIF, is cut off, has an atom in two places, or is too large.',
    'Open the file in a viewer and send it whole, or choose fewer chains.',
  ),
  RECEPTOR_EMPTY: says(
    'Nothing of a protein or nucleic acid is left.',
    'Check the chains, the model and the assembly.',
  ),
  RECEPTOR_ASSEMBLY_NOT_FOUND: says(
    'The file names no such biological assembly; the message lists those that it has.',
    'Name one of the assemblies that are listed, or send asymmetric to take the model as it is.',
  ),
  RECEPTOR_MODEL_NOT_FOUND: says(
    'The file has no model of this number; the message lists the models.',
    'Count the models from 1, and name one that the file has.',
  ),
  RECEPTOR_CHAIN_NOT_FOUND: says(
    'The model has no such chain; the message lists the chains that it has.',
    'Name chains by their author chain ids, and a blank one as _.',
  ),
} as const satisfies Words;

/** Suspicions about a structure. */
export const RECEPTOR_WARNINGS = {
  RECEPTOR_END_MISSING: says(
    'The file has no END record, so it may have been cut off.',
    'Compare the file with its source.',
  ),
  RECEPTOR_ATOMS_FEWER_THAN_DECLARED: says(
    'The file says that it has more atoms than are there: it was edited or lost a part.',
    'Send the file whole, or make sure that the part that is gone does not matter.',
  ),
} as const satisfies Words;
