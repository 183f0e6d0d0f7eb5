/** RDKit in Python for the suites that compare molecules; it starts with the first comparison. */
import { after } from 'mocha';

import type { Diversity } from '../../src/adapters/chemistry/chemistry.ts';
import { createDiversity } from '../../src/adapters/chemistry/diversity.ts';
import { findTool } from '../../src/stack/tools.ts';
import { diversityCommand } from '../../src/tools/autodock-vina/session.ts';

/** The comparison of a suite, whose process ends with the suite. */
export function suiteDiversity(): Diversity {
  const python = findTool('science-python', process.env);
  const command = diversityCommand({ python, ccd: '' });
  const diversity = createDiversity({ command, log: { warn: () => undefined } });
  after(() => diversity.close());
  return diversity;
}
