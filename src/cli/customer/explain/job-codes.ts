/**
 * What can be said of a job after it was accepted: why a task or the whole job failed, what it warns of, why it waits.
 * A ligand that is resolved before there is a job is warned of with the same codes, and some of its own.
 * Codes of refused requests are in `src/domain/errors.ts`.
 */

/** Where a code is met. */
export type JobCodeKind = 'failure' | 'warning' | 'state' | 'pause reason' | 'reason';

/** A code with its meaning: what happened and what to do. */
export interface JobCode {
  readonly kind: JobCodeKind;
  readonly meaning: string;
}

const failure = (meaning: string): JobCode => ({ kind: 'failure', meaning });
const warning = (meaning: string): JobCode => ({ kind: 'warning', meaning });
const state = (meaning: string): JobCode => ({ kind: 'state', meaning });
const pause = (meaning: string): JobCode => ({ kind: 'pause reason', meaning });
const reason = (meaning: string): JobCode => ({ kind: 'reason', meaning });

/** Every code that a status can carry. */
export const JOB_CODES: Readonly<Record<string, JobCode>> = {
  // Receptor: the whole job fails, nothing is charged.
  // Those that an inspection answers as well are errors: RECEPTOR_NOT_FOUND, _FETCH_FAILED, _UNREADABLE, _EMPTY.
  RECEPTOR_ASSEMBLY_NOT_FOUND: failure(
    'The file names no such biological assembly; the message lists those it has, asymmetric takes the model as it is.',
  ),
  RECEPTOR_MODEL_NOT_FOUND: failure('The file has no model of this number; models are counted from 1.'),
  RECEPTOR_CHAIN_NOT_FOUND: failure(
    'The model has no such chain; author chain ids are meant, and the message lists those it has. A blank one is _.',
  ),
  RECEPTOR_TEMPLATE_UNMATCHED: failure(
    'A residue is not what its name says: atoms are missing, too many or wrongly bonded; mend the named residue.',
  ),
  RECEPTOR_MISSING_ATOMS: failure(
    'A residue lacks atoms that the chosen method does not build; use protonationMethod pdb2pqr-propka or complete it.',
  ),
  RECEPTOR_UNKNOWN_COMPONENT: failure(
    'A modified residue or retained component has no template, and the message says why; remove it with removeComponents or replace it by its parent.',
  ),
  RECEPTOR_CLASH: failure(
    'Two residues lie so close that they look bonded, or a residue stands in itself; mend the named residues. Side chains more than 10 Å from the box are mended by themselves unless repair is none.',
  ),
  RECEPTOR_RESIDUE_NOT_FOUND: failure(
    'The selected chains have no residue that retainResidues or flexibleResidues names; check chain, number and insertion code against the file.',
  ),
  RECEPTOR_RESIDUE_NOT_FLEXIBLE: failure(
    'A residue that flexibleResidues names has no side chain that turns, is bound to a metal or another residue by it, or reaches out of the box; the message says which and why. Choose another one, or a larger box.',
  ),
  PROTONATION_FAILED: failure(
    'pdb2pqr or PROPKA could not protonate the receptor, or a residue cannot have the state that fixedProtonationStates gives it; the message says where. protonationMethod meeko may work.',
  ),
  POCKET_LIGAND_NOT_FOUND: failure(
    'The selected atoms hold no such ligand; check component, chain and residue of pocketLigand.',
  ),
  POCKET_LIGAND_AMBIGUOUS: failure(
    'The structure holds several copies of the ligand; name one of those listed by chain and residue.',
  ),
  BOX_EMPTY: failure(
    'Fewer than 50 heavy atoms of the receptor are in the box; check its centre against the deposited coordinates.',
  ),
  NATIVE_REFERENCE_NOT_FOUND: failure(
    'The structure holds no such ligand for the control docking; check componentId, chain and residue.',
  ),
  // Ligand: it fails alone and is not charged.
  LIGAND_PARSE_FAILED: failure(
    'The SMILES or file is no molecule; the message says where it stops making sense.',
  ),
  LIGAND_NOT_FOUND: failure('The Chemical Component Dictionary has no such component.'),
  LIGAND_MULTI_FRAGMENT: failure('There are several molecules that are no known salt; send one of them.'),
  LIGAND_MULTI_RECORD: failure('The file holds several records; send each as a ligand of its own.'),
  LIGAND_FORMAT_UNSUPPORTED: failure('A ligand file is SDF, MOL2, or PDBQT as Meeko writes it.'),
  LIGAND_ARTIFACT_UNREADABLE: failure('The stored ligand file cannot be read as what its format says.'),
  LIGAND_UNSUPPORTED_ATOM: failure(
    'An atom is none of H, C, N, O, F, P, S, Cl, Br, I, B, Si, or is a radical or placeholder: Vina has no parameters for it.',
  ),
  LIGAND_EMBED_FAILED: failure(
    'No three-dimensional structure could be made; the stereochemistry may be impossible.',
  ),
  LIGAND_TOO_LARGE: failure(
    'The ligand has more than 100 heavy atoms or 32 torsions; docking would find nothing.',
  ),
  LIGAND_PREPARATION_TIMEOUT: failure('Preparing the ligand took too long; the ligand may be too complex.'),
  // The engine and the service.
  ENGINE_CRASHED: failure(
    'The tool ended by itself with an error; its log says more. A preparation is tried four times first.',
  ),
  ENGINE_TIMEOUT: failure(
    'The tool did not end within its time limit; lower exhaustiveness or split the input.',
  ),
  ENGINE_OUT_OF_MEMORY: failure(
    'The tool needed more memory than a task has, or the system killed it each of the times it was tried; use a smaller box or input.',
  ),
  ENGINE_LIMIT_EXCEEDED: failure('The tool wrote more than a task may, or started too many processes.'),
  OUTPUT_UNVERIFIED: failure('The tool wrote outputs that are not what they must be; they were not kept.'),
  INPUT_CHANGED: failure(
    'An input is not the file any more that the job was submitted with; upload it and submit again.',
  ),
  INPUT_DIGEST_MISMATCH: failure(
    'An input arrived with other bytes than the job named; upload the file again and submit again.',
  ),
  INPUT_UNREADABLE: failure('An input has a name that no file can have; upload it under another name.'),
  WORKER_LOST: failure(
    'The machine was lost again and again while it ran this task, four times in standard recovery and ten in resumable; submit what is missing once more.',
  ),
  // Warnings.
  PARAMETER_UNUSED: warning(
    'A field was sent that is for another job type or simulator; it was not used and changes nothing. Leave it out, or send it to the job it is for.',
  ),
  RECEPTOR_REPAIRED: warning(
    'Side chains far from the box could not be as they stand in the file; they were built anew or cut to alanine. Mend the file if they matter, or send repair none to have it refused.',
  ),
  METAL_TYPE_SUBSTITUTED: warning(
    'A retained metal has no atom type of its own and is docked against with that of a similar one, which the message names; Vina scores all metals alike.',
  ),
  COFACTOR_REMOVED: warning(
    'A metal or larger molecule near the box was removed from the receptor; keep it with retainComponents if it matters.',
  ),
  COVALENT_COMPONENT_REMOVED: warning(
    'A component that is bound to the receptor, such as a sugar, was removed; keep it with retainComponents if it matters.',
  ),
  COMPONENT_NOT_FOUND: warning(
    'A component or residue that was to be removed or kept could not be, or is kept anyway; the message says why.',
  ),
  WATER_IN_BOX: warning(
    'Waters of the structure matter where ligands are docked: retained ones take room there, or removed ones held the ligand of the crystal. The message names them; retainResidues, removeResidues and retainWatersWithin decide.',
  ),
  PREPARED_RECEPTOR_STALE: warning(
    'The preparedReceptor that was sent belongs to another receptor, preparation or toolchain; it was not used.',
  ),
  POCKET_OCCUPIED: warning(
    'A component that is retained lies where ligands are docked: they cannot take its place. Take it out of retainComponents or retainResidues, unless it belongs to the pocket.',
  ),
  STEREO_UNSPECIFIED: warning(
    'A stereo centre of the ligand is not given; one isomer was chosen, the same each time. Send the isomer you mean.',
  ),
  BOX_LARGE: warning('The box is larger than 27,000 Å³; raise exhaustiveness, or poses may be missed.'),
  ATOMS_BUILT: warning(
    'Side chains lack atoms, which the preparation will build; the message names them. Look at those near the box.',
  ),
  RECEPTOR_CLOSE_CONTACT: warning(
    'Atoms of the receptor lie closer than they can; the message names them. Look at the place when it is near the box.',
  ),
  RECEPTOR_END_MISSING: warning(
    'The file has no END record; it may have been cut off, so compare it with its source.',
  ),
  RECEPTOR_ATOMS_FEWER_THAN_DECLARED: warning(
    'The file says that it has more atoms than are there: it was edited or lost a part.',
  ),
  LIGAND_DESALTED: warning('A known salt or solvent beside the ligand was taken away; the message names it.'),
  LIGAND_USED_AS_IS: warning(
    'The ligand came as PDBQT and is docked as it is: no desalting, protonation or fresh conformation.',
  ),
  PROTONATION_NOT_APPLIED: warning(
    'The charges for the pH could not be set; the ligand is docked as it was given.',
  ),
  PROTONATION_NEAR_PKA: warning(
    'A group of the ligand has its pKa within one unit of the pH, so both states occur; the message names the other one. To dock that too, send its SMILES with preparation.protonation as_given.',
  ),
  PROTONATION_DOUBTFUL: warning(
    'The pKa of a group of the ligand is only the mean of a class that spreads over the pH. Check the state in the message against a measured value; send the one you mean with preparation.protonation as_given.',
  ),
  PROTONATION_AMBIGUOUS: warning(
    'A histidine in the box has another form that is as plausible as the one that it got; the message names both. Fix the one you mean with fixedProtonationStates, or dock into each.',
  ),
  PROTONATION_STATE_CHANGED: warning(
    'Some residues of the receptor have no template for their state and got other hydrogens; the message names them.',
  ),
  MACROCYCLE_RIGID: warning(
    'Only one shape of a large ring could be built, and the ligand was docked in that one; Vina does not bend rings.',
  ),
  ISOTOPES_IGNORED: warning('Isotopes make no difference to docking; the ordinary atoms were used.'),
  BORON_AS_CARBON: warning(
    'Vina has no type of its own for boron; it is treated as carbon, so its score is rough.',
  ),
  FORCE_FIELD_MISSING: warning(
    'Neither MMFF nor UFF knows every atom of the ligand; its starting conformation was not refined.',
  ),
  POSE_IMPLAUSIBLE: warning(
    'The best pose of a ligand fails checks of PoseBusters: it overlaps with the receptor or is no likely shape of the molecule. The message names the checks; look at the modes that pass, or at a larger search.',
  ),
  AFFINITY_POSITIVE: warning('The best score is above zero: the ligand does not fit into the box.'),
  CONTROL_FAILED: warning(
    'The control docking of the native ligand could not be done; the ligands are not affected.',
  ),
  CONTROL_RMSD_HIGH: warning(
    'The control docking puts the native ligand more than 2.0 Å from where it was found: be wary of the poses.',
  ),
  // Of a ligand that is resolved.
  CANDIDATES_CUT: warning('More components have such a name than are shown; ask for more of the name.'),
  DICTIONARY_MISSING: warning(
    'The service that answered has no component dictionary, so only SMILES were looked for; send SMILES.',
  ),
  CHARGE_NOT_COMPUTED: warning(
    'The charge of a candidate at the pH was not computed in time, or cannot be there; the preparation of the job decides it.',
  ),
  // States.
  SUBMITTED: state('The job is accepted and its credits are held.'),
  QUEUED: state('The job waits for capacity or a licence; the status says why.'),
  PROVISIONING: state('Instances start, inputs are staged and the receptor is prepared.'),
  RUNNING: state('At least one task is in progress.'),
  RECOVERING: state(
    'Lost instances are being replaced; finished tasks are kept, and lost time is not charged.',
  ),
  PAUSED: state('Nothing runs and nothing is held; pauseReason says why. Verified tasks are kept.'),
  FINALIZING: state('Every task has ended; outputs are counted and the credits settled.'),
  CANCELLING: state('The tools are being stopped; what is complete is kept and charged.'),
  SUCCEEDED: state('Every task is verified and charged; the rest of the hold was released.'),
  PARTIALLY_SUCCEEDED: state('Some tasks are verified and charged, others failed and cost nothing.'),
  FAILED: state('No task was verified; nothing was charged.'),
  CANCELLED: state('The job was ended on request; verified tasks were charged, the rest was released.'),
  COST_LIMIT: pause('Going on would cost more than the limit of the job or the account allows.'),
  CREDITS: pause('The credits do not cover what is left; top up, then submit what is missing as a new job.'),
  LICENSE: pause('No licence was free for too long.'),
  OPERATOR: pause(
    'The service paused the job; statusReason says what came to nothing, if it was not an operator. Cancel it and submit what is missing as a new job, or wait: it ends with what is verified.',
  ),
  // Why a job waits, or recovers.
  ACCOUNT_LIMIT: reason(
    'The account uses all the capacity that one account may have; the job starts when another of its jobs ends.',
  ),
  CAPACITY: reason('All capacity is in use; queue.position tells the place of the job.'),
  OUTPUTS_MISSING: reason(
    'Outputs are not in the store as they were verified; their tasks are run again, not charged.',
  ),
  INSTANCE_GONE: reason('An instance does not exist any more; its open tasks are run again, not charged.'),
  INSTANCE_SILENT: reason(
    'An instance did not answer for too long; its open tasks are run again, not charged.',
  ),
  WORKER_ERROR: reason(
    'An instance failed again and again and is replaced; its open tasks are run again, not charged.',
  ),
  NO_PROGRESS: reason(
    'An instance answered but finished nothing and is replaced; its open tasks are run again, not charged.',
  ),
};
