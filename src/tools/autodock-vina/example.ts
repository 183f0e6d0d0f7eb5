/** A docking as documents show it. */
import type { JsonObject } from '../../domain/json.ts';

/** Parameters as they are sent: imatinib, a drug, is docked into the kinase that it was deposited with. */
export const DOCKING_EXAMPLE: JsonObject = {
  receptorPdbId: '1IEP',
  receptorChains: ['A'],
  ligandIdentity: {
    ligandId: 'imatinib',
    label: 'Imatinib',
    source: { kind: 'ccd', componentId: 'STI' },
  },
  pocketLigand: 'STI',
  pocketLigandChain: 'A',
  exhaustiveness: 8,
  numModes: 9,
  seed: 42,
};
