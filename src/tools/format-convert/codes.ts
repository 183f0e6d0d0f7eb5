/** Codes of conversions: why a file is not converted, and what a conversion loses. */
import { refusal, says } from '../../domain/codes/code.ts';
import type { CodeWords, ToolRefusal } from '../../domain/codes/code.ts';
import type { ToolCodes } from '../tool.ts';

/** Why a file is not converted. */
export const CONVERSION_REFUSALS = {
  CONVERSION_UNSUPPORTED: refusal(
    'CONVERSION_UNSUPPORTED',
    says(
      'Nothing is converted from this format to that one; the message lists the pairs that there are.',
      'Choose one of the pairs. The end of the name of an uploaded file, or the format of an artifact, says what is read.',
    ),
  ),
  CONVERSION_IMPOSSIBLE: refusal(
    'CONVERSION_IMPOSSIBLE',
    says(
      'The other format cannot say what the file says, such as long ids in PDB, or it would have to be guessed.',
      'Keep the file as it is, or take out what the message names before you convert it.',
    ),
  ),
  CONVERSION_INPUT_UNREADABLE: refusal(
    'CONVERSION_INPUT_UNREADABLE',
    says(
      'The file is not whole, or is not of the format that it is called.',
      'Correct what the message names, give the file its right name, unpack it, or upload it again.',
    ),
  ),
} as const satisfies Readonly<Record<string, ToolRefusal>>;

/** Losses of conversions, and additions. */
const WARNINGS = {
  CHAIN_NAMED: says(
    'A chain without an id got one, because mmCIF needs an id.',
    'Use the id that the message names where you choose chains.',
  ),
  SEGMENTS_DROPPED: says(
    'Segment ids of the PDB file are not in the mmCIF file.',
    'Keep the PDB file for programs that read segments.',
  ),
  METADATA_DROPPED: says(
    'Remarks or tables about the entry have no place in the other format.',
    'Keep the original for what is said of the experiment.',
  ),
  BONDS_DROPPED: says(
    'Bonds of CONECT lines are not in the mmCIF file.',
    'Programs take bonds of known components from the dictionary. Keep the PDB file where a component is your own.',
  ),
  B_FACTORS_CUT: says(
    'B factors were larger than PDB has room for and were cut.',
    'Keep the mmCIF file where B factors matter.',
  ),
  CHARGES_DROPPED: says(
    'Formal charges of the atoms that the message names are not the same in the other format.',
    'Set these charges again where they matter, or keep the original.',
  ),
  ELEMENTS_CHANGED: says(
    'The other file says another element for the atoms that the message names, or none.',
    'Write the elements into the original and convert it again.',
  ),
  HYDROGENS_ADDED: says(
    'The molecule lacked hydrogens, which were added by valence at their places.',
    'Send the molecule with its hydrogens where their places or the protonation matter.',
  ),
  HYDROGENS_MERGED: says(
    'PDBQT holds no hydrogens on carbon.',
    'Convert the PDBQT back to SDF to have them again, at computed places.',
  ),
  HYDROGENS_PLACED: says(
    'Hydrogens that PDBQT leaves out were placed by the geometry of their atoms.',
    'Do not read much into the places of hydrogens on carbon.',
  ),
  BONDS_IN_REMARKS: says(
    'Only the remarks of the PDBQT keep bond orders and formal charges.',
    'Keep the remarks when you edit the file, or keep the SDF.',
  ),
  PARTIAL_CHARGES_DROPPED: says(
    'Partial charges are not in the SDF.',
    'Keep the original for programs that read partial charges.',
  ),
  PROPERTIES_DROPPED: says(
    'Properties of the SDF are not in the other file.',
    'Keep the SDF, or join the properties by the name of the molecule.',
  ),
  ISOTOPES_DROPPED: says('Isotope labels are not in the PDBQT.', 'Keep the SDF where the labels matter.'),
  SIDE_CHAINS_DROPPED: says(
    'Side chains of the receptor that turned with the poses are not in the SDF.',
    'Take them from the PDBQT, or from the poses of the result.',
  ),
  NAMES_DROPPED: says(
    'Names of atoms and residues of MOL2 are not in the SDF.',
    'Keep the MOL2 file for programs that read the names.',
  ),
  CHARGES_ASSIGNED: says(
    'MOL2 says no formal charges; they follow from its atom types and bonds.',
    'Look at the charges of the molecules that the message names.',
  ),
  CONFORMERS_MADE: says(
    'SMILES has no places of atoms, so one conformer of each molecule was computed.',
    'Take it as a start, and not as the shape that the molecule has.',
  ),
  STEREO_CHOSEN: says(
    'Stereo that the SMILES leaves open was chosen.',
    'Write the stereo into the SMILES where you know it.',
  ),
} as const satisfies Readonly<Record<string, CodeWords>>;

/** All of it, as documents show it. */
export const CONVERSION_CODES: ToolCodes = {
  refusals: CONVERSION_REFUSALS,
  failures: [],
  warnings: [],
  reports: [
    {
      title: 'Warnings of conversions',
      note: 'The file was converted all the same; the answer of the conversion has them.',
      codes: WARNINGS,
    },
  ],
};
