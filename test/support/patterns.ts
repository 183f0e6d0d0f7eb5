/** RDKit's own thread for the suites that look for patterns; it starts with the first pattern. */
import { after } from 'mocha';

import { createMolecules } from '../../src/adapters/chemistry/molecules.ts';
import { createPatterns } from '../../src/services/docking/results/pattern.ts';
import type { Patterns } from '../../src/services/docking/results/pattern.ts';

/** The patterns of a suite, whose thread ends with the suite. */
export function suitePatterns(): Patterns {
  const molecules = createMolecules({ dictionary: '' });
  after(() => molecules.close());
  return createPatterns(molecules);
}
