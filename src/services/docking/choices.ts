/**
 * The receptor and the ligand that a request chooses. Runs work later with the stored form of a choice: an artifact by its id,
 * which each run reads again, or the whole identity. The token of a lookup is read once, and what the token has shown is stored
 * in its place, because a token lives for a day and an experiment for as long as its owner wants.
 */
import type { Actor } from '../../domain/access.ts';
import type { LigandChoice, ReceptorChoice, ReceptorIdentity } from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { ArtifactReference, LigandIdentity, ReceptorPreparation } from '../../domain/requests.ts';
import { getArtifact } from '../artifacts.ts';
import type { ArtifactDependencies } from '../artifacts.ts';
import type { Confirmations } from '../ligands/confirmation.ts';

/** The database with the artifacts, and the reader of tokens. */
export interface ChoiceDependencies {
  readonly db: ArtifactDependencies['db'];
  readonly confirmations: Pick<Confirmations, 'check' | 'open'>;
}

/** A choice as it is stored: one of the two is null. */
export interface StoredChoice<Identity> {
  readonly artifactId: string | null;
  readonly identity: Identity | null;
}

type ReferenceFormat = ArtifactReference['format'];

const RECEPTOR_FORMATS: readonly ReferenceFormat[] = ['pdb', 'mmcif'];
const LIGAND_FORMATS: readonly ReferenceFormat[] = ['sdf', 'mol2', 'pdbqt'];
const MOST_ID_CHARACTERS = 128;
const MOST_LABEL_CHARACTERS = 512;
const PREPARED_BY_DEFAULT: ReceptorPreparation = {
  protonationPh: 7.4,
  addHydrogens: true,
  protonationMethod: 'pdb2pqr-propka',
  forceField: 'AMBER',
  fixedProtonationStates: [],
  removeComponents: [],
  retainComponents: [],
};

/** Checks a receptor. @throws NOT_FOUND, ARTIFACT_MISMATCH for an artifact that is no structure. */
export async function chooseReceptor(
  deps: ChoiceDependencies,
  actor: Actor,
  choice: ReceptorChoice,
): Promise<StoredChoice<ReceptorIdentity>> {
  if (!('artifactId' in choice)) return { artifactId: null, identity: choice };
  await structureOf(deps, actor, 'receptor.artifactId', choice.artifactId, RECEPTOR_FORMATS);
  return { artifactId: choice.artifactId, identity: null };
}

/** The receptor that a run docks to. @throws NOT_FOUND where the artifact is gone. */
export async function receptorOf(
  deps: ChoiceDependencies,
  actor: Actor,
  { artifactId, identity }: StoredChoice<ReceptorIdentity>,
): Promise<ReceptorIdentity> {
  if (identity !== null || artifactId === null) return identity ?? neither('receptor');
  const artifact = await structureOf(deps, actor, 'receptor.artifactId', artifactId, RECEPTOR_FORMATS);
  const whole = { assemblyId: '1', model: 1, chains: null, preparation: PREPARED_BY_DEFAULT };
  return { source: { kind: 'artifact', artifact }, ...whole };
}

/**
 * Checks a ligand.
 * @throws NOT_FOUND, ARTIFACT_MISMATCH, LIGAND_CONFIRMATION_INVALID for a token that is forged, foreign or too old.
 */
export async function chooseLigand(
  deps: ChoiceDependencies,
  actor: Actor,
  choice: LigandChoice,
): Promise<StoredChoice<LigandIdentity>> {
  if ('artifactId' in choice) {
    await structureOf(deps, actor, 'ligand.artifactId', choice.artifactId, LIGAND_FORMATS);
    return { artifactId: choice.artifactId, identity: null };
  }
  if ('resolutionToken' in choice) {
    const source = deps.confirmations.open(actor, choice.resolutionToken, 'ligand.resolutionToken');
    const label = choice.label ?? (source.kind === 'ccd' ? source.componentId : source.smiles);
    return { artifactId: null, identity: ligandNamed(label, source) };
  }
  await deps.confirmations.check(actor, { ligandIdentity: choice }, 'ligand');
  const { confirmation: _shown, ...identity } = choice;
  return { artifactId: null, identity };
}

/** The ligand that a run docks. @throws NOT_FOUND where the artifact is gone. */
export async function ligandOf(
  deps: ChoiceDependencies,
  actor: Actor,
  { artifactId, identity }: StoredChoice<LigandIdentity>,
): Promise<LigandIdentity> {
  if (identity !== null || artifactId === null) return identity ?? neither('ligand');
  const artifact = await structureOf(deps, actor, 'ligand.artifactId', artifactId, LIGAND_FORMATS);
  const name = artifact.storageKey.slice(artifact.storageKey.lastIndexOf('/') + 1);
  return ligandNamed(name, { kind: 'artifact', artifact });
}

/** A ligand whose id is made of its label. */
function ligandNamed(label: string, source: LigandIdentity['source']): LigandIdentity {
  const id = label.replaceAll(/[^A-Za-z0-9._:-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return {
    ligandId: id.slice(0, MOST_ID_CHARACTERS) || 'ligand',
    label: Array.from(label).slice(0, MOST_LABEL_CHARACTERS).join(''),
    source,
    preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
  };
}

async function structureOf(
  deps: ChoiceDependencies,
  actor: Actor,
  path: string,
  artifactId: string,
  formats: readonly ReferenceFormat[],
): Promise<ArtifactReference> {
  const { artifact } = await getArtifact(deps, actor, artifactId).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    throw new AppError(
      'NOT_FOUND',
      `${path}: there is no such artifact in this account. Register the file and send the id that is answered.`,
    );
  });
  const { format } = artifact;
  if (isOf(formats, format)) return { ...artifact, format };
  throw new AppError(
    'ARTIFACT_MISMATCH',
    `${path}: the artifact has the format ${artifact.format}, and this place takes ${formats.join(', ')}. Register the file in the format that it has.`,
  );
}

function isOf(formats: readonly ReferenceFormat[], format: string): format is ReferenceFormat {
  return formats.some((known) => known === format);
}

function neither(what: string): never {
  throw new Error(`A record of docking has no ${what}.`);
}
