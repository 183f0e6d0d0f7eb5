/**
 * The reuse key by which a ligand that was docked before is found again. A reuse key is a digest of all on which the bytes of a result
 * depend: the ligand with its name and its preparation, the prepared receptor, the box, every parameter of the search, the seed
 * and the code. The class of processors is compared beside the key, because a result tells its own. Names are part of the key
 * because they stand in the files of a result.
 */
import type { JobLigand, SubmitJobRequest } from '../../domain/requests.ts';
import { canonicalSha256 } from '../canonical.ts';
import type { ReuseFacts } from '../tool.ts';
import { isDryRun } from './inputs.ts';
import { ligandsOf } from './parameters.ts';
import { protocolOf } from './protocol.ts';

/** The version of what a key is made of; a change of meaning gets a new one. */
const VERSION = 1;

/** The key of each ligand in their order; null for a ligand that no earlier result can stand for. */
export function reuseKeys(request: SubmitJobRequest, facts: ReuseFacts): readonly (string | null)[] {
  const ligands = ligandsOf(request.simulationParams);
  if (isDryRun(request) || facts.effectiveSeed === null) return ligands.map(() => null);
  const { search, box } = protocolOf(request.simulationParams ?? {});
  const { accountId, cacheKey, toolchainSha256, effectiveSeed: seed } = facts;
  const common = canonicalSha256({
    ...{ version: VERSION, accountId, cacheKey, toolchainSha256, box },
    search: { ...search, seed },
  });
  return ligands.map((ligand) => {
    const content = contentOf(ligand.source);
    if (content === null) return null;
    const { ligandId, label, preparation } = ligand;
    return canonicalSha256({ common, ligandId, label, content, preparation });
  });
}

/** What the ligand is made of; null for a record that cannot be read. Where a record stands in its file does not matter. */
function contentOf(source: JobLigand['source']): object | null {
  switch (source.kind) {
    case 'ccd':
    case 'smiles':
      return source;
    case 'artifact': {
      const { format, sha256 } = source.artifact;
      return { kind: 'artifact', format, sha256 };
    }
    case 'record': {
      const { format, sha256, fault } = source;
      return fault === null ? { kind: 'record', format: format === 'sdf' ? 'sdf' : 'smi', sha256 } : null;
    }
    default:
      return source satisfies never;
  }
}
