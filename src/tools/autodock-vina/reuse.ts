/**
 * The reuse key by which a ligand that was docked before is found again. A reuse key is a digest of all that decides the poses of a
 * ligand: its content and its preparation, the prepared receptor, the box, every parameter of the search, the seed, the code and
 * the class of processors.
 *
 * A content is what the preparation reads, however it was sent: a SMILES in a list, on a line or in the cell of a table is the same
 * content, and so is a record of an SD file in a library or in a file of its own. Names are no content: every ligand of a job has the
 * seed of the job, so the same content under another name has the same poses. The files of a result that is taken over keep the name
 * in them under which the ligand was docked; results and exports show the new one.
 */
import pLimit from 'p-limit';

import { AppError } from '../../domain/errors.ts';
import type { JobLigand, LigandPreparation, SubmitJobRequest } from '../../domain/requests.ts';
import { canonicalSha256, sha256 } from '../canonical.ts';
import { structureOfOne } from '../ligand-library/sdf.ts';
import { inPieces } from '../pieces.ts';
import type { ReuseFacts, ToolReuse } from '../tool.ts';
import { isDryRun } from './inputs.ts';
import { ligandsOf } from './parameters.ts';
import { protocolOf } from './protocol.ts';

/** The version of what a key is made of; a change of meaning gets a new one, so keys of before never match. */
const VERSION = 3;
/** Larger files are refused where the ligand is prepared. */
const MOST_FILE_BYTES = 4 * 1024 * 1024;
const READS_AT_ONCE = 16;
/** Characters that the preparation takes away around a SMILES. */
const AROUND_SMILES = ' \t\n\v\f\r';

type ReadStored = Parameters<ToolReuse['keys']>[2];

/** Content of a ligand. */
type Content =
  | { readonly kind: 'ccd'; readonly componentId: string }
  | { readonly kind: 'smiles' | 'sdf'; readonly sha256: string }
  | { readonly kind: 'file'; readonly format: string; readonly sha256: string };

/** Reuse of earlier results for ligands. */
export const dockingReuse: ToolReuse = {
  keys: reuseKeys,
  outputName: (name, from, to) => {
    const folder = `ligands/${from}/`;
    return name.startsWith(folder) ? `ligands/${to}/${name.slice(folder.length)}` : name;
  },
};

/** The key of each ligand in their order; null for a ligand that no earlier result can stand for. */
async function reuseKeys(
  request: SubmitJobRequest,
  facts: ReuseFacts,
  read: ReadStored,
): Promise<readonly (string | null)[]> {
  const ligands = ligandsOf(request.simulationParams);
  const { accountId, cacheKey, toolchainSha256, cpuClass, effectiveSeed: seed } = facts;
  if (isDryRun(request) || seed === null || cacheKey === null || cpuClass === null)
    return ligands.map(() => null);
  const { search, box } = protocolOf(request.simulationParams ?? {});
  const common = canonicalSha256({
    version: VERSION,
    accountId,
    cacheKey,
    toolchainSha256,
    cpuClass,
    box,
    search: { ...search, seed },
  });
  const contents = await contentsOf(ligands, read);
  return contents.map((content, index) => {
    const preparation = ligands[index]?.preparation;
    if (content === null || preparation === undefined) return null;
    return canonicalSha256({ common, content, preparation: canonicalPreparation(preparation) });
  });
}

function canonicalPreparation(preparation: LigandPreparation): object {
  const { protonationPh, protonation = 'model', tautomer, states } = preparation;
  return {
    protonationPh,
    protonation,
    ...(tautomer === 'likely' ? { tautomer } : {}),
    ...(states === 'likely' ? { states } : {}),
  };
}

/** The contents of ligands; null for a record that cannot be read. Files are read a few at a time. */
async function contentsOf(
  ligands: readonly JobLigand[],
  read: ReadStored,
): Promise<readonly (Content | null)[]> {
  const limit = pLimit(READS_AT_ONCE);
  return Promise.all(
    ligands.map(async ({ source }) =>
      source.kind === 'artifact' ? limit(() => fileContent(source.artifact, read)) : contentOf(source),
    ),
  );
}

function contentOf(source: Exclude<JobLigand['source'], { readonly kind: 'artifact' }>): Content | null {
  switch (source.kind) {
    case 'ccd':
      return { kind: 'ccd', componentId: source.componentId.toUpperCase() };
    case 'smiles':
      return { kind: 'smiles', sha256: sha256(plainSmiles(source.smiles)) };
    case 'record': {
      const { format, sha256: digest, structureSha256, fault } = source;
      if (fault !== null) return null;
      // The bytes of a record that is no SD file are its SMILES alone.
      if (format !== 'sdf') return { kind: 'smiles', sha256: digest };
      return structureSha256 === null ? null : { kind: 'sdf', sha256: structureSha256 };
    }
    default:
      return source satisfies never;
  }
}

/** An SD file is known by its structure, any other file by its bytes. */
async function fileContent(
  { format, sha256: digest, byteSize, storageKey }: ArtifactFacts,
  read: ReadStored,
): Promise<Content> {
  const file = { kind: 'file', format, sha256: digest } as const;
  if (format !== 'sdf' || byteSize > MOST_FILE_BYTES) return file;
  const bytes = await read(storageKey);
  const structure = bytes === null ? null : await structureIn(bytes);
  return structure === null ? file : { kind: 'sdf', sha256: structure };
}

type ArtifactFacts = Extract<JobLigand['source'], { readonly kind: 'artifact' }>['artifact'];

/** Null where the file is not one record. */
async function structureIn(bytes: Uint8Array): Promise<string | null> {
  try {
    return await structureOfOne(inPieces([bytes]));
  } catch (error) {
    // A record that is too large for a library is refused where the ligand is prepared, too.
    if (error instanceof AppError) return null;
    throw error;
  }
}

function plainSmiles(smiles: string): string {
  let [from, to] = [0, smiles.length];
  while (from < to && AROUND_SMILES.includes(smiles.charAt(from))) from += 1;
  while (to > from && AROUND_SMILES.includes(smiles.charAt(to - 1))) to -= 1;
  return smiles.slice(from, to);
}
