/** Codes of docking, of the inspection of a receptor and of the lookup of a ligand. */
import { refusal, says } from '../../domain/codes/code.ts';
import type { CodeWords, ToolRefusal } from '../../domain/codes/code.ts';
import { LIBRARY_REFUSALS } from '../ligand-library/codes.ts';
import { RECEPTOR_FAILURES, RECEPTOR_WARNINGS } from '../receptor-codes.ts';
import type { ToolCodes } from '../tool.ts';

type Words = Readonly<Record<string, CodeWords>>;

/** Why a docking fails: the whole job by a code of its receptor, one task by a code of its ligand. */
export const DOCKING_FAILURES = {
  // The receptor: the whole job fails, and nothing is charged.
  ...RECEPTOR_FAILURES,
  RECEPTOR_TEMPLATE_UNMATCHED: says(
    'A residue is not what its name says: atoms are missing, too many or wrongly bonded.',
    'Mend the residue that the message names.',
  ),
  RECEPTOR_MISSING_ATOMS: says(
    'A residue lacks atoms that the chosen method does not build.',
    'Use protonationMethod pdb2pqr-propka for side chains, or model the missing atoms.',
  ),
  RECEPTOR_UNKNOWN_COMPONENT: says(
    'A modified residue or retained component has no template; the message says why.',
    'Remove the component with removeComponents, or replace it by its parent.',
  ),
  RECEPTOR_CLASH: says(
    'Two residues lie so close that they look bonded, or a residue stands in itself. Side chains more than 4 Å from the box are mended by themselves unless repair is none, nearer ones where repair is box.',
    'Mend or minimise the residues that the message names, or use another entry.',
  ),
  RECEPTOR_RESIDUE_NOT_FOUND: says(
    'The selected chains have no residue that retainResidues, removeResidues or flexibleResidues names.',
    'Check chain, number and insertion code against the file.',
  ),
  RECEPTOR_RESIDUE_AMBIGUOUS: says(
    'The name of a residue stands for several of the selected chains, or two names stand for one residue; the message lists them.',
    'Add the chain, or chain and number, as the message has them: STR, STR:A and STR:A:1 are read everywhere.',
  ),
  RECEPTOR_RESIDUE_NOT_FLEXIBLE: says(
    'A residue that flexibleResidues names has no side chain that turns, is bound by it to a metal or another residue, or reaches out of the box; the message says which and why.',
    'Choose another residue, or a larger box.',
  ),
  PROTONATION_FAILED: says(
    'The pH method (pdb2pqr with PROPKA) could not protonate the receptor, or a residue cannot have the state that fixedProtonationStates gives it; the message says where.',
    'Check the numbering of the residue that the message names, or try protonationMethod meeko.',
  ),
  POCKET_LIGAND_NOT_FOUND: says(
    'The selected atoms hold no such ligand.',
    'Check component, chain and residue of pocketLigand.',
  ),
  POCKET_LIGAND_AMBIGUOUS: says(
    'The structure holds several copies of the ligand; the message lists them.',
    'Name one of the copies by chain and residue.',
  ),
  BOX_EMPTY: says(
    'Fewer than 50 heavy atoms of the receptor are in the box.',
    'Check the centre of the box against the deposited coordinates.',
  ),
  NATIVE_REFERENCE_NOT_FOUND: says(
    'The ligand of the control docking is not in the structure, is not whole there, or is not in the dictionary.',
    'Check componentId, chain and residue; the message says what is there.',
  ),
  // A ligand: the ligand fails alone, and is not charged.
  LIGAND_PARSE_FAILED: says(
    'The SMILES or the file is no molecule; the message says where it stops making sense.',
    'Correct the ligand at that place, and submit it again.',
  ),
  LIGAND_NOT_FOUND: says(
    'The Chemical Component Dictionary has no such component.',
    'Check the component id, or send the ligand as SMILES or as a file.',
  ),
  LIGAND_MULTI_FRAGMENT: says(
    'The ligand is several molecules, and those beside it are no known salt.',
    'Send one of the molecules.',
  ),
  LIGAND_MULTI_RECORD: says(
    'The ligand file holds several records.',
    'Send each record as a ligand of its own.',
  ),
  LIGAND_FORMAT_UNSUPPORTED: says(
    'The ligand file has a format that docking does not read.',
    'Send SDF, MOL2, or PDBQT as Meeko writes it.',
  ),
  LIGAND_ARTIFACT_UNREADABLE: says(
    'The stored ligand file cannot be read as what its format says.',
    'Upload the file again, and register it with the format that it has.',
  ),
  LIGAND_UNSUPPORTED_ATOM: says(
    'An atom of the ligand is none of H, C, N, O, F, P, S, Cl, Br, I, B, Si, or is a radical or placeholder: Vina has no parameters for it.',
    'Send the ligand without this atom, or complete the valence that leaves a radical.',
  ),
  LIGAND_EMBED_FAILED: says(
    'No three-dimensional structure of the ligand could be made. The message says whether its stereochemistry is the reason, or rings that are too strained or too crowded.',
    'Send an isomer that can exist, or a part of the ligand without such rings.',
  ),
  LIGAND_TOO_LARGE: says(
    'The ligand has more than 100 heavy atoms or 32 torsions; docking would find nothing.',
    'Dock a fragment of the ligand.',
  ),
  LIGAND_PREPARATION_TIMEOUT: says(
    'Preparing the ligand took too long; the ligand may be too complex.',
    'Send a simpler form of the ligand, or a PDBQT that Meeko has prepared.',
  ),
} as const satisfies Words;

/** Warnings of a docking. */
export const DOCKING_WARNINGS = {
  // The receptor and the box.
  RECEPTOR_REPAIRED: says(
    'Residues could not be as they stand in the file: side chains were built anew or cut to alanine, and residues without a whole backbone were left out. The message names what moved.',
    'Mend the file if these residues matter, or send repair none to have the receptor refused.',
  ),
  POCKET_ATOMS_BUILT: says(
    'Residues in the box, or within 4 Å of it, lack atoms in the file, which the preparation built. The message names them.',
    'Look at what the poses do there, or leave such poses out: the places of these atoms are those of a model.',
  ),
  POCKET_REPAIRED: says(
    'A side chain in the box, or within 4 Å of it, could not be as it stands in the file and was built anew or cut to alanine, as repair: box asked for. The message names it and what moved.',
    'Look at the side chain before you trust a pose that touches it; another entry, or a model that you have minimised, may be better.',
  ),
  RECEPTOR_LOW_CONFIDENCE: says(
    'The receptor is a prediction (AlphaFold, ESMFold, Boltz) with residues in the box whose pLDDT is below 50: their places are as good as unknown. The message names them.',
    'Take poses that touch these residues for guesses; use a crystal structure, or another box.',
  ),
  RESIDUE_RENAMED: says(
    'Residues under names of a program were read as the amino acids whose atoms and bonds they have, in the state that their hydrogens show; the message names them.',
    'Check these residues; fixedProtonationStates sets another state.',
  ),
  METAL_TYPE_SUBSTITUTED: says(
    'A retained metal has no atom type of its own, and is docked against with that of a similar metal, which the message names.',
    'Read scores near this metal with care: Vina scores all metals alike.',
  ),
  COFACTOR_REMOVED: says(
    'A metal or larger molecule near the box was removed from the receptor.',
    'Keep the component with retainComponents if it matters.',
  ),
  COVALENT_COMPONENT_REMOVED: says(
    'A component that is bound to the receptor, such as a sugar, was removed.',
    'Name the component in retainComponents if it matters.',
  ),
  COMPONENT_NOT_FOUND: says(
    'A component or residue that was to be removed or kept could not be, or is kept anyway; the message says why.',
    'Check the component or residue against the file.',
  ),
  WATER_IN_BOX: says(
    'Waters of the structure matter where ligands are docked: retained ones take room there, or removed ones held the ligand of the crystal. The message names the waters.',
    'Decide with retainResidues, removeResidues and retainWatersWithin which waters are kept.',
  ),
  PREPARED_RECEPTOR_STALE: says(
    'The preparedReceptor that was sent belongs to another receptor, preparation or toolchain; it was not used.',
    'Send the preparedReceptor of a job with the same receptor and preparation, or leave it out.',
  ),
  POCKET_OCCUPIED: says(
    'What the box goes around stays: a component that is retained, or a residue of a chain, as of a peptide. Ligands cannot take its place.',
    'Take the component out of retainComponents or retainResidues, or the chain out of receptorChains, unless it belongs to the pocket.',
  ),
  BOX_LARGE: says(
    'The box is larger than 27,000 Å³, and poses may be missed.',
    'Raise exhaustiveness, or make the box smaller.',
  ),
  PROTONATION_AMBIGUOUS: says(
    'A histidine in the box has another form that is as plausible as the one that it got; the message names both.',
    'Fix the form that you mean with fixedProtonationStates, or dock into each.',
  ),
  PROTONATION_STATE_CHANGED: says(
    'Some residues of the receptor have no template for their state and got other hydrogens; the message names them.',
    'Look at the residues that lie near the box.',
  ),
  RECEPTOR_CLOSE_CONTACT: says(
    'Atoms of the receptor lie closer than they can; the message names them.',
    'Look at the place when it is near the box.',
  ),
  ...RECEPTOR_WARNINGS,
  // The ligand.
  STEREO_UNSPECIFIED: says(
    'A stereo centre of the ligand is not given; one isomer was chosen, the same one each time, or with preparation.states likely each was docked.',
    'Send the isomer that you mean, or ask for each by preparation.states likely (--states likely).',
  ),
  STEREO_RELATIVE: says(
    'The labels of the ligand stand for a racemate, or for one of two mirror images; the isomer that is drawn was docked, or with preparation.states likely both.',
    'Ask for both by preparation.states likely (--states likely), or send both.',
  ),
  STATES_PRICED: says(
    'Ligands are docked in their likely states, whose number shows when they are prepared: the price of 16 states each is held, and each ligand is charged by the states that it has.',
    'A dry run of a batch tells the states and what they cost.',
  ),
  STATES_LIMITED: says(
    'The ligand has more likely states than are docked of one: at most 8 isomers of a form, 16 states in all. The likeliest were docked; the message has the number that there are on paper.',
    'Draw the stereo that is known, so that fewer isomers are open.',
  ),
  STEREO_AXIS_OPEN: says(
    'The ligand has a chiral axis, of an allene, of two rings that cannot turn, or of two rings with alike sides in one atom, of which one form was docked.',
    'Compare the docked form with the one that you mean: a form that was sent is not kept.',
  ),
  LIGAND_DESALTED: says(
    'A known salt or solvent beside the ligand was taken away; the message names it.',
    'Check that the molecule that is left is the one that you mean.',
  ),
  LIGAND_USED_AS_IS: says(
    'The ligand came as PDBQT and is docked as it is: no desalting, protonation or fresh conformation.',
    'Send SDF or SMILES to have the ligand prepared.',
  ),
  PROTONATION_NOT_APPLIED: says(
    'The charges for the pH could not be set, and the ligand is docked as it was given.',
    'Check the charges of the ligand, and send the state that you mean.',
  ),
  PROTONATION_NEAR_PKA: says(
    'A group of the ligand has its pKa within one unit of the pH, so both states occur; the message names the other one.',
    'To dock the other state too, ask for both by preparation.states likely (--states likely), or send its SMILES with preparation.protonation as_given.',
  ),
  PROTONATION_DOUBTFUL: says(
    'The pKa of a group of the ligand is only the mean of a class that spreads over the pH, or its proton is on a carbon, which keeps it here.',
    'Check the state in the message against a measured value, and send the state that you mean with preparation.protonation as_given, or the enol that the message names.',
  ),
  PROTONATION_UNCERTAIN: says(
    'The state of a group of the ligand rests on no measured value: its pKa is the mean of a class that spreads by more than one unit, or nothing decides it. The message names the atom and the reason.',
    'Check the state against a measured value, and send the state that you mean with preparation.protonation as_given.',
  ),
  TAUTOMER_UNLIKELY: says(
    'The ligand was sent, and docked, in a tautomer that makes up less than a tenth of it in water; the message has the likely form and the source.',
    'Send the likely form, or ask for it by preparation.tautomer likely (--tautomer likely).',
  ),
  TAUTOMER_CHANGED: says(
    'The ligand was sent in a tautomer that hardly occurs in water and was docked in its likely form, as preparation.tautomer likely asks for.',
    'To dock what was sent, leave preparation.tautomer out.',
  ),
  MACROCYCLE_RIGID: says(
    'Only one shape of a large ring could be built, and the ligand was docked in that one; Vina does not bend rings.',
    'Doubt a poor score: another shape of the ring may fit better.',
  ),
  ISOTOPES_IGNORED: says(
    'Isotopes make no difference to docking; the ordinary atoms were used.',
    'Send the ligand without isotope labels to avoid the warning.',
  ),
  BORON_AS_CARBON: says(
    'Vina has no type of its own for boron; it is treated as carbon.',
    'Take the score of this ligand as a rough one.',
  ),
  FORCE_FIELD_MISSING: says(
    'Neither MMFF nor UFF knows every atom of the ligand; its starting conformation was not refined.',
    'Check bond lengths and angles of the poses.',
  ),
  // The poses and the control.
  POSE_IMPLAUSIBLE: says(
    'The best pose of a ligand fails checks of PoseBusters: it overlaps with the receptor or is no likely shape of the molecule. The message names the checks.',
    'Look at the modes that pass, or at a larger search.',
  ),
  POSE_DISPUTED: says(
    'The other scoring function puts the best pose of a ligand far behind another of its poses. The message names both.',
    'Look at both poses before you believe either.',
  ),
  AFFINITY_POSITIVE: says(
    'The best score is above zero: the ligand does not fit into the box.',
    'Check the place and the size of the box; otherwise take the ligand as one that does not bind.',
  ),
  CONTROL_FAILED: says(
    'The control docking of the native ligand could not be done; the ligands are not affected.',
    'Correct what the message names when you need the control.',
  ),
  CONTROL_RMSD_HIGH: says(
    'The control docking puts the native ligand more than 2.0 Å from where it was found.',
    'Be wary of the poses, and try a larger search or another preparation.',
  ),
} as const satisfies Words;

/** Warnings of the inspection of a receptor alone. */
export const INSPECTION_WARNINGS = {
  ATOMS_BUILT: says(
    'Side chains lack atoms, which the preparation will build; the message names them.',
    'Look at those near the box.',
  ),
} as const satisfies Words;

/** Warnings of the lookup of a ligand alone. */
export const LOOKUP_WARNINGS = {
  NAME_NOT_EXACT: says(
    'No component is called what was asked for; the candidates only have it in their names.',
    'Check that a candidate is the molecule that you mean, or send its SMILES.',
  ),
  CANDIDATES_CUT: says('More components have such a name than are shown.', 'Ask for more of the name.'),
  DICTIONARY_MISSING: says(
    'The service that answered has no component dictionary, so only SMILES were looked for.',
    'Send SMILES.',
  ),
  CHARGE_NOT_COMPUTED: says(
    'The charge of a candidate at the pH was not computed in time, or cannot be there.',
    'Submit the ligand as it is: the preparation of the job decides its charge.',
  ),
} as const satisfies Words;

/** Why a docking is refused. */
export const DOCKING_REFUSALS = {
  BOX_MISSING: refusal(
    'BOX_MISSING',
    says(
      'No centre of the docking box was given.',
      'Send boxCenterAngstrom, pocketLigand or pocketResidues.',
    ),
    { atEstimate: false },
  ),
  BOX_CONFLICT: refusal(
    'BOX_CONFLICT',
    says(
      'More than one centre of the docking box was given.',
      'Keep one of boxCenterAngstrom, pocketLigand and pocketResidues.',
    ),
  ),
  BOX_SIZE_REQUIRED: refusal(
    'BOX_SIZE_REQUIRED',
    says(
      'A docking box that is given by its centre needs a size.',
      'Send boxSizeAngstrom with boxCenterAngstrom.',
    ),
  ),
  PREPARATION_CONFLICT: refusal(
    'PREPARATION_CONFLICT',
    says(
      'Options of the receptor preparation exclude each other.',
      'Change the option that the error names.',
    ),
  ),
  LIGAND_CONFIRMATION_INVALID: refusal(
    'LIGAND_CONFIRMATION_INVALID',
    says(
      'The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which.',
      'Leave the confirmation out, or resolve the ligand again.',
    ),
  ),
} as const satisfies Readonly<Record<string, ToolRefusal>>;

/** Refusals of `dockyard dock` itself. */
const COMMAND_REFUSALS = {
  USAGE_BOX: says(
    'The command does not say where to dock, or says it twice.',
    'Give --box-from-ligand, or --center together with --size.',
  ),
  USAGE_LIGANDS: says(
    'The file of ligands cannot be read as what the end of its name says; the message names the line.',
    'Mend the line, or give the file the name of its format: .smi, .csv, .tsv or .sdf.',
  ),
} as const satisfies Words;

/** All of it, as documents show it. */
export const DOCKING_CODES: ToolCodes = {
  refusals: { ...DOCKING_REFUSALS, ...LIBRARY_REFUSALS },
  failures: [
    {
      title: 'Failures of docking',
      note: 'A code of the receptor or the box fails the whole job. A code of a ligand (LIGAND_…) fails this ligand alone. Nothing that fails is charged.',
      codes: DOCKING_FAILURES,
    },
  ],
  warnings: [
    {
      title: 'Warnings of docking',
      note: 'The docking is done all the same; an inspection of the receptor warns of some of these beforehand.',
      codes: DOCKING_WARNINGS,
    },
    {
      title: 'Warnings of the lookup of a ligand',
      note: 'A lookup also warns with the code of the failure that a docking of the ligand would end with.',
      codes: LOOKUP_WARNINGS,
    },
  ],
  reports: [
    {
      title: 'Warnings of the inspection of a receptor',
      note: 'The report of an inspection carries these beside the warnings and failures of docking.',
      codes: INSPECTION_WARNINGS,
    },
  ],
  commands: [
    {
      title: 'Errors of the command `dock`',
      note: 'The command refuses the line before anything is sent.',
      codes: COMMAND_REFUSALS,
    },
  ],
  advice: {
    CONTROL_MISSED:
      'Look at the poses of the control, then try another receptor, box or preparation, or a larger search; or require less (dockingValidation.requiredRmsdAngstrom, --require-control).',
    ENGINE_TIMEOUT: 'Lower exhaustiveness, or let fewer side chains turn.',
    ENGINE_OUT_OF_MEMORY: 'Use a smaller box.',
  },
};
