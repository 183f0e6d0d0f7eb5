/**
 * The requests of the contract as the rest of the system sees them: validated, with defaults applied. The Joi schemas
 * in `api/` are typed against these types, so schemas and types cannot drift apart.
 */

/** Types of jobs; `pipeline` is known but disabled. */
export const JOB_TYPES = ['render', 'simulation', 'molecular', 'pipeline'] as const;

/** The kind of a job. */
export type JobType = (typeof JOB_TYPES)[number];

/** Formats that an artifact can have whose reference is sent for a receptor, a ligand or another input. */
export const REFERENCE_FORMATS = ['pdb', 'mmcif', 'pdbqt', 'sdf', 'mol2', 'json', 'log'] as const;

/** The format of a referenced artifact. */
export type ReferenceFormat = (typeof REFERENCE_FORMATS)[number];

/** Formats that a file can be registered in; the last two are of ligand libraries alone. */
export const ARTIFACT_FORMATS = [...REFERENCE_FORMATS, 'smi', 'csv'] as const;

/** The format of a registered artifact. */
export type ArtifactFormat = (typeof ARTIFACT_FORMATS)[number];

/** The formats of a stored ligand library, with or without gzip around it. A table may have commas, semicolons or tabs. */
export const LIBRARY_FORMATS = ['smi', 'csv', 'sdf'] as const satisfies readonly ArtifactFormat[];

/** The format of a stored ligand library. */
export type LibraryFormat = (typeof LIBRARY_FORMATS)[number];

/** The constant of every artifact reference. */
export const ARTIFACT_SCHEMA = 'svc.docking.artifact/v1';

/** The seven-field reference to a verified stored object. */
export interface ArtifactReference {
  readonly schema: typeof ARTIFACT_SCHEMA;
  readonly artifactId: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly byteSize: number;
  readonly mediaType: string;
  readonly format: ReferenceFormat;
}

/** The reference of a registered artifact as it is answered; a library in smi or csv is named by its id alone. */
export interface RegisteredReference extends Omit<ArtifactReference, 'format'> {
  readonly format: ArtifactFormat;
}

/** Source of a ligand's structure. */
export type LigandSource =
  | { readonly kind: 'ccd'; readonly componentId: string }
  | { readonly kind: 'smiles'; readonly smiles: string }
  | { readonly kind: 'artifact'; readonly artifact: ArtifactReference };

/** A ligand that needs no file: a component of the dictionary, or a SMILES. */
export type NamedSource = Exclude<LigandSource, { readonly kind: 'artifact' }>;

/** Proof that a resolved name was confirmed by the customer. */
export interface LigandConfirmation {
  readonly token: string;
  readonly query: string;
  readonly sourceId: string;
}

/** Whether the charges of a ligand are computed for the pH or kept as they were given. */
export type LigandProtonation = 'model' | 'as_given';

/** Whether a ligand is docked in the tautomer that was sent, or in the likely one where that hardly occurs in water. */
export type LigandTautomer = 'as_sent' | 'likely';

/** Whether a ligand is docked in one state, or in each likely one: isomers that are open, tautomers, protonation states. */
export type LigandStates = 'single' | 'likely';

/** Preparation of a ligand. */
export interface LigandPreparation {
  readonly protonationPh: number;
  /** A missing value means `model`. */
  readonly protonation?: LigandProtonation;
  /** A missing value means `as_sent`. */
  readonly tautomer?: LigandTautomer;
  /** A missing value means `single`. */
  readonly states?: LigandStates;
  readonly addHydrogens: true;
  readonly generate3d: true;
}

/** One ligand: one docking task. */
export interface LigandIdentity {
  readonly ligandId: string;
  readonly label: string;
  readonly source: LigandSource;
  readonly confirmation?: LigandConfirmation;
  readonly preparation: LigandPreparation;
}

/** A residue by name, chain and author number: as much of these as tells it from others. Without a name, chain and number. */
export interface ResidueReference {
  readonly residueName?: string;
  readonly chain?: string;
  readonly residue?: number;
  readonly insertionCode?: string;
}

/** The states that each residue can be fixed in. */
export const FIXED_STATES = {
  ASP: ['anionic', 'neutral'],
  GLU: ['anionic', 'neutral'],
  HIS: ['delta', 'epsilon', 'both'],
  LYS: ['cationic', 'neutral'],
  CYS: ['neutral', 'anionic'],
  TYR: ['neutral', 'anionic'],
} as const;

/** A protonation state that the customer fixes; not every residue has every state. */
export interface FixedProtonationState extends ResidueReference {
  readonly residueName: keyof typeof FIXED_STATES;
  readonly state: (typeof FIXED_STATES)[keyof typeof FIXED_STATES][number];
  readonly reason?: string;
}

/** The amino acids with a side chain that turns; a bond to hydrogens alone does not count. */
export const FLEXIBLE_RESIDUE_NAMES = [
  'ARG',
  'ASN',
  'ASP',
  'CYS',
  'GLN',
  'GLU',
  'HIS',
  'ILE',
  'LEU',
  'LYS',
  'MET',
  'PHE',
  'SER',
  'THR',
  'TRP',
  'TYR',
  'VAL',
] as const;

/** The most side chains that turn in one job. */
export const MOST_FLEXIBLE_RESIDUES = 4;

/** A residue whose side chain turns while ligands are docked; a name that is sent has to be that of the structure. */
export interface FlexibleResidue extends ResidueReference {
  readonly residueName?: (typeof FLEXIBLE_RESIDUE_NAMES)[number];
}

/** Waters that stay for their distance from the box or from the ligand. */
export interface WatersWithin {
  readonly angstrom: number;
  readonly of: 'box' | 'ligand';
}

/** The places where residues that cannot be as they stand are mended: nowhere, far from the box, in it, too. */
export const REPAIRS = ['none', 'far', 'box'] as const;
/** One of these places. */
export type Repair = (typeof REPAIRS)[number];

/** Preparation of a receptor. */
export interface ReceptorPreparation {
  readonly protonationPh: number;
  readonly addHydrogens: true;
  readonly protonationMethod: 'pdb2pqr-propka' | 'meeko';
  readonly forceField: 'AMBER' | 'CHARMM' | 'PARSE';
  readonly fixedProtonationStates: FixedProtonationState[];
  readonly removeComponents: string[];
  readonly retainComponents: string[];
  readonly removeResidues?: ResidueReference[];
  readonly retainResidues?: ResidueReference[];
  readonly retainWatersWithin?: WatersWithin;
  readonly flexibleResidues?: FlexibleResidue[];
  readonly repair?: Repair;
}

/** A ligand of the deposited structure that is docked again as a control. */
export interface NativeReference extends Omit<ResidueReference, 'residueName'> {
  readonly componentId: string;
}

/** Control dockings. */
export interface DockingValidation {
  readonly nativeReference?: NativeReference;
  /** In Å: no ligand is docked where the best pose of the native ligand lies farther from its deposited place. */
  readonly requiredRmsdAngstrom?: number;
}

/** A receptor that was prepared before; used when every digest equals the job's own. */
export interface PreparedReceptor {
  readonly cacheKey: string;
  readonly receptorIdentitySha256: string;
  readonly preparationSha256: string;
  readonly toolchainSha256: string;
  readonly workerImageDigest: string;
  readonly artifact?: ArtifactReference;
}

/** Size of a docking job's shards, and the prepared receptor that the job may use again. */
export interface DockingExecution {
  readonly shardSize: number;
  readonly preparedReceptor?: PreparedReceptor;
}

/** A record of a stored library, as the index of the library tells it. */
export interface RecordSource {
  readonly kind: 'record';
  readonly format: LibraryFormat;
  /** The line of the file on which the record begins, counted from 1. */
  readonly line: number;
  /** The bytes of the structure in the unpacked file, `end` not included. */
  readonly start: number;
  readonly end: number;
  readonly sha256: string;
  /** The digest of the structure without its name and comments; null where the index is of a reader that made another digest. */
  readonly structureSha256: string | null;
  /** Atoms other than hydrogen of the largest molecule; null where they cannot be counted. */
  readonly heavyAtoms: number | null;
  /** Why no ligand can be read from the record; null when one may. */
  readonly fault: string | null;
}

/** A ligand of a job: of its request, or of an indexed library. */
export interface JobLigand extends Omit<LigandIdentity, 'source'> {
  readonly source: LigandSource | RecordSource;
}

/** The unpacked copy of a stored library. */
export interface LibraryFile {
  readonly storageKey: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/**
 * The ligands of a job as records of an indexed library, so that a job of ten thousand ligands travels as one reference. Only the
 * service makes it.
 */
export interface LibraryUse {
  readonly libraryId: string;
  /** Null where the library is a list of a request and no file. */
  readonly file: LibraryFile | null;
  /** The ordinals of the records that are docked, ascending; absent for all records that equal none before them. */
  readonly only?: readonly number[];
  /** Preparation of each ligand; in a list of a request each ligand has its own. */
  readonly preparation: LigandPreparation;
  /** The seed that shuffles the records of a batch that stops by a rule; absent for records in the order of the library. */
  readonly shuffledBy?: number;
  /** The records; only a loaded request has them, and no stored one. */
  readonly records?: readonly JobLigand[];
}

/** A function that scores poses. */
export type ScoringFunction = 'vina' | 'vinardo';

/** Parameters of every simulator, and what the service adds to them. */
export interface SimulationParams extends SentParams {
  readonly libraryUse?: LibraryUse;
  /** Ligands are prepared and not docked. */
  readonly dryRun?: true;
}

/** Parameters of every simulator; which parameters a job uses depends on its simulator. */
export interface SentParams {
  readonly receptorPdbId?: string;
  readonly receptorArtifact?: ArtifactReference;
  readonly receptorAssemblyId?: string;
  readonly receptorModel?: number;
  readonly receptorChains?: string[];
  readonly ligandIdentity?: LigandIdentity;
  readonly ligandLibrary?: LigandIdentity[];
  readonly receptorPreparation?: ReceptorPreparation;
  readonly dockingValidation?: DockingValidation;
  readonly dockingExecution?: DockingExecution;
  readonly pocketLigand?: string;
  readonly pocketLigandChain?: string;
  readonly pocketLigandResidue?: number;
  readonly pocketLigandInsertionCode?: string;
  readonly pocketResidues?: ResidueReference[];
  readonly boxCenterAngstrom?: [number, number, number];
  readonly boxSizeAngstrom?: number | [number, number, number];
  readonly exhaustiveness?: number;
  readonly numModes?: number;
  readonly energyRangeKcalMol?: number;
  readonly scoringFunction?: ScoringFunction;
  readonly seed?: number;
  readonly cpuThreads?: number;
  readonly estimatedRuntimeSeconds?: number;
  readonly foldModel?: 'esmfold' | 'alphafold';
  readonly blastDatabasePath?: string;
  readonly blastDatabaseName?: string;
  readonly blastDatabaseVersion?: string;
  readonly blastDatabaseDate?: string;
  readonly blastDatabaseType?: 'prot' | 'nucl';
  readonly blastDatabaseChecksum?: string;
  readonly blastEvalue?: number;
  readonly blastMaxHits?: number;
  readonly blastThreads?: number;
  readonly blastTimeoutSeconds?: number;
  readonly blastMaxOutputBytes?: number;
  readonly maxPockets?: number;
}

/** Way of recovering tasks whose instance is lost. */
export type RecoveryMode = 'standard' | 'resumable';

/** The recovery choice of a job. */
export interface Recovery {
  readonly mode: RecoveryMode;
}

/** Metadata keys that the service knows. */
export interface KnownJobMetadata {
  readonly software?: string;
  readonly renderer?: string;
  readonly instanceType?: string;
  readonly renderTimeMinutes?: number;
  readonly taskRuntimeMinutes?: number;
  readonly totalSizeGB?: number;
  readonly resolution?: string;
  readonly fps?: number;
  readonly renderEngine?: 'molstar' | 'cycles';
  readonly samples?: number;
}

/** Metadata of a submitted job; unknown keys are kept for plugins and tools. */
export type JobMetadata = KnownJobMetadata & Readonly<Record<string, unknown>>;

/** The link of a job to the docking run that it executes. */
export interface DockingRequestLink {
  readonly requestId: string;
  readonly runId: string;
  readonly idempotencyKey: string;
}

/** POST /jobs/submit. The request still has the fields that its job does not use; `dropUnused` removes them. */
export interface SubmitJobRequest {
  readonly jobType: JobType;
  readonly sceneFile?: string;
  readonly recovery?: Recovery;
  readonly frameStart?: number;
  readonly frameEnd?: number;
  /** Set (default 1) on render and pipeline jobs; on other jobs set only where the request has it. */
  readonly frameStep?: number;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly outputFormat?: 'EXR' | 'PNG' | 'JPEG';
  /** The name as the customer sent it; the service folds aliases. */
  readonly simulator?: string;
  readonly taskCount?: number;
  readonly simulationParams?: SimulationParams;
  readonly idempotencyKey?: string;
  readonly dockingRequest?: DockingRequestLink;
  readonly metadata?: JobMetadata;
  readonly priority?: number;
  /** The quote of an estimate, at whose price the job is submitted. */
  readonly quoteId?: string;
  readonly jobName?: string;
  readonly attachments?: string[];
}

/** POST /jobs/estimate. */
export interface EstimateJobRequest {
  readonly jobType: Exclude<JobType, 'pipeline'>;
  readonly frameStart?: number;
  readonly frameEnd?: number;
  /** Set (default 1) on render jobs; on other jobs set only where the request has it. */
  readonly frameStep?: number;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly simulator?: string;
  readonly taskCount?: number;
  readonly simulationParams?: SimulationParams;
  readonly recovery?: Recovery;
  readonly metadata?: KnownJobMetadata;
}

/** POST /jobs/upload-url. */
export interface UploadUrlRequest {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256?: string;
  readonly projectId?: string;
  readonly logicalPath?: string;
}

/** POST /molecular/docking/artifacts. */
export interface RegisterArtifactRequest {
  readonly storageKey: string;
  readonly format: ArtifactFormat;
  readonly label?: string;
}

/** Kinds of queries for a ligand. */
export const LIGAND_QUERY_KINDS = ['ccd', 'name', 'smiles'] as const;

/** The kind of a query for a ligand. */
export type LigandQueryKind = (typeof LIGAND_QUERY_KINDS)[number];

/** POST /molecular/docking/ligands/resolve. */
export interface ResolveLigandRequest {
  readonly query: string;
  /** A missing kind means each of the kinds. */
  readonly kind?: LigandQueryKind;
}

/** POST /jobs/{id}/cancel. */
export interface CancelJobRequest {
  readonly reason?: string;
}

/** POST /jobs/{id}/resume. */
export interface ResumeJobRequest {
  /** The most that is held, in pence; the job pauses there. */
  readonly limitCents?: number;
}

/** A receptor to inspect: an entry of the Protein Data Bank, or a stored structure file. */
export type InspectionSource =
  | { readonly kind: 'pdb'; readonly pdbId: string }
  | { readonly kind: 'artifact'; readonly artifact: ArtifactReference };

/** POST /molecular/docking/receptors/inspect. */
export interface InspectReceptorRequest {
  readonly source: InspectionSource;
  readonly assemblyId?: string;
  readonly model?: number;
  readonly chains?: string[];
  readonly protonationPh?: number;
}
