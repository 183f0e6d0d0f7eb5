/** Resolving of ligands for the API: the thread of molecules, the process that knows charges, and the tokens. */
import type { Logger } from 'pino';

import type { Services } from '../../../api/services.ts';
import { createChargeModel } from '../../adapters/chemistry/charges.ts';
import type { Diversity } from '../../adapters/chemistry/chemistry.ts';
import { createDiversity } from '../../adapters/chemistry/diversity.ts';
import { createMolecules } from '../../adapters/chemistry/molecules.ts';
import { openNames } from '../../adapters/chemistry/names.ts';
import type { ConfigOf } from '../../config.ts';
import { createConfirmations } from '../../services/ligands/confirmation.ts';
import { createPatterns } from '../../services/docking/results/pattern.ts';
import type { Patterns } from '../../services/docking/results/pattern.ts';
import type { Confirmations } from '../../services/ligands/confirmation.ts';
import { createResolve } from '../../services/ligands/resolve.ts';
import { secretsIn } from '../../services/signed-claims.ts';
import { diversityCommand, previewCommand } from '../../tools/autodock-vina/session.ts';

/** The services of ligands, and how their thread and process end. */
export interface LigandServices {
  readonly services: Services['ligands'];
  readonly confirmations: Confirmations;
  readonly patterns: Patterns;
  readonly diversity: Pick<Diversity, 'picks'>;
  readonly close: () => Promise<void>;
}

/** Opens the services of ligands; thread and process start with the first ligand. */
export function openLigandServices(config: ConfigOf<'api'>, log: Logger): LigandServices {
  const { sciencePython: python, ccdPath: ccd, secret, furtherSecrets } = config;
  const confirmations = createConfirmations(secret, Date.now, secretsIn(furtherSecrets));
  const molecules = createMolecules({ dictionary: ccd });
  const isInstalled = python !== '' && ccd !== '';
  const charges = createChargeModel({
    command: isInstalled ? previewCommand({ python, ccd }) : null,
    log,
  });
  const diversity = openDiversity(config, log);
  return {
    services: { resolve: createResolve({ molecules, known: openNames(), charges, confirmations, log }) },
    confirmations,
    patterns: createPatterns(molecules),
    diversity,
    async close() {
      await charges.close();
      await diversity.close();
      await molecules.close();
    },
  };
}

/** Opens the comparison of molecules; its process starts with the first comparison. */
export function openDiversity(
  { sciencePython: python, ccdPath: ccd }: Pick<ConfigOf<'api'>, 'sciencePython' | 'ccdPath'>,
  log: Logger,
): Diversity {
  const isInstalled = python !== '' && ccd !== '';
  return createDiversity({ command: isInstalled ? diversityCommand({ python, ccd }) : null, log });
}
