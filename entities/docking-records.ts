/** The records of docking: experiments, batches and their runs. State, counts and times of a run are those of its job. */
import { EntitySchema } from 'typeorm';

import {
  boolean,
  defaulted,
  insertTime,
  integer,
  integerArray,
  json,
  nullable,
  primary,
  text,
  textArray,
  uuid,
} from './columns.ts';

/** A protocol with the ligand that it is for. An experiment never changes. */
export interface DockingExperiment {
  id: string;
  accountId: string;
  userId: string;
  name: string;
  /** A receptor is named by its artifact or described by its identity; the other one is null. The same holds for the ligand. */
  receptorArtifactId: string | null;
  /** Source, assembly, model, chains and preparation (`ReceptorIdentity`). */
  receptorIdentity: unknown;
  ligandArtifactId: string | null;
  /** `LigandIdentity`. */
  ligandIdentity: unknown;
  /** Box, search and validation as they were asked for (`DockingParameters`). */
  parameters: unknown;
  createdAt: Date;
}

/** Table `docking_experiments`. */
export const DockingExperimentEntity = new EntitySchema<DockingExperiment>({
  name: 'DockingExperiment',
  tableName: 'docking_experiments',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    userId: uuid,
    name: text,
    receptorArtifactId: nullable(uuid),
    receptorIdentity: nullable(json),
    ligandArtifactId: nullable(uuid),
    ligandIdentity: nullable(json),
    parameters: json,
    createdAt: insertTime,
  },
});

/** A campaign: many ligands, one receptor, one protocol. A batch never changes; its runs do the work. */
export interface DockingBatch {
  id: string;
  accountId: string;
  userId: string;
  name: string;
  /** The id of the tool that works on the ligands. */
  engine: string;
  receptorArtifactId: string | null;
  /** Null where an artifact names the receptor, and where the engine docks to none. */
  receptorIdentity: unknown;
  parameters: unknown;
  /** The index of the library that the ligands are read from; null where the ligands have none. */
  libraryId: string | null;
  /** The digest of the library as it was sent. */
  librarySha256: string;
  ligandCount: number;
  shardSize: number;
  reuse: 'verified' | 'never';
  dryRun: boolean;
  /** The rule by which the first run stops (`StopWhen`); null where all ligands are docked. */
  stopWhen: unknown;
  /** Whether some ligands are docked again, for their reproducibility. */
  sample: boolean;
  /** Preparation of every ligand of a stored library (`LigandPreparation`); null where each ligand has its own. */
  ligandPreparation: unknown;
  /** The admissions of the jobs that dock a sample again (`JobAdmission`); null where there is none, and once each is decided. */
  sampleAdmissions: unknown;
  createdAt: Date;
}

/** Table `docking_batches`. */
export const DockingBatchEntity = new EntitySchema<DockingBatch>({
  name: 'DockingBatch',
  tableName: 'docking_batches',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    userId: uuid,
    name: text,
    engine: text,
    receptorArtifactId: nullable(uuid),
    receptorIdentity: nullable(json),
    parameters: json,
    libraryId: nullable(uuid),
    librarySha256: text,
    ligandCount: integer,
    shardSize: integer,
    reuse: defaulted(text, "'verified'"),
    dryRun: defaulted(boolean, 'false'),
    stopWhen: nullable(json),
    sample: defaulted(boolean, 'false'),
    ligandPreparation: nullable(json),
    sampleAdmissions: nullable(json),
    createdAt: insertTime,
  },
});

/** One execution of an experiment or of a batch, which is one job. The row is written in the transaction that admits the job. */
export interface DockingRun {
  id: string;
  accountId: string;
  userId: string;
  /** Either the experiment or the batch is null. */
  experimentId: string | null;
  batchId: string | null;
  /** Counted from 1 within the experiment or the batch. */
  number: number;
  jobId: string;
  /** The id of the request that asked for the run. */
  requestId: string;
  /** Null where the run draws its seed. The seed that the ligands are docked with is the job's. */
  seedRequested: number | null;
  /**
   * The ordinals in the library of the ligands that this run docks, by the ordinals of the job's tasks; null where the run docks all
   * ligands of the batch. Of the runs that have a ligand, the newest one is the ligand's.
   */
  ligands: number[] | null;
  /** The failure codes whose ligands are docked again; null for a run that repeats nothing. */
  retriedCodes: string[] | null;
  /** Whether earlier results are taken; null for a run of a batch, where the batch says so. */
  reuse: 'verified' | 'never' | null;
  /** How far the rule of the batch has looked (`StopState`); null before, and where there is no rule. */
  stopState: unknown;
  createdAt: Date;
}

/** Table `docking_runs`. */
export const DockingRunEntity = new EntitySchema<DockingRun>({
  name: 'DockingRun',
  tableName: 'docking_runs',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    userId: uuid,
    experimentId: nullable(uuid),
    batchId: nullable(uuid),
    number: integer,
    jobId: uuid,
    requestId: text,
    seedRequested: nullable(integer),
    ligands: nullable(integerArray),
    retriedCodes: nullable(textArray),
    reuse: nullable(text),
    stopState: nullable(json),
    createdAt: insertTime,
  },
});

/** A job that docks the sample of a batch again, with the seed of the batch or with another one; or why there is no such job. */
export interface DockingSample {
  batchId: string;
  kind: 'same' | 'other';
  /** Null where the job was refused. */
  jobId: string | null;
  /** Null where the engine has no seed. */
  seed: number | null;
  /** Why the job was refused; null where there is the job. */
  failureCode: string | null;
  failureMessage: string | null;
  createdAt: Date;
}

/** Table `docking_samples`. */
export const DockingSampleEntity = new EntitySchema<DockingSample>({
  name: 'DockingSample',
  tableName: 'docking_samples',
  columns: {
    batchId: primary(uuid),
    kind: primary(text),
    jobId: nullable(uuid),
    seed: nullable(integer),
    failureCode: nullable(text),
    failureMessage: nullable(text),
    createdAt: insertTime,
  },
});
