// `npm start`: the embedded stack until Ctrl-C.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { projectRoot } from '../stack/tools.ts';
import { exitOf, runStack } from './process/run-stack.ts';

const USAGE = `Usage: npm start [-- --provider local|ec2-sim]

Runs PostgreSQL, Temporal, an object store and all of Dockyard on this machine until Ctrl-C.
Data is kept in DOCKYARD_HOME (default: .dockyard in the checkout); endpoints.json in it says
where everything is. Ctrl-C stops all cleanly, a second Ctrl-C at once.

  --provider local     jobs run on processes of this machine (the default)
  --provider ec2-sim   jobs run on a simulated EC2 on loopback: each instance is a process group
                       that executes its user-data. Calls to the cloud are printed as they come,
                       and what is simulated in it is lost when it stops. Of a checkout only.
  --help               this text
`;
const WRONG_USAGE = 2;

async function main(): Promise<number> {
  const values = optionsOf();
  if (values === null || (values.provider !== 'local' && !values.help)) {
    process.stderr.write(USAGE);
    return WRONG_USAGE;
  }
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const home = resolve(process.env['DOCKYARD_HOME'] ?? join(projectRoot, '.dockyard'));
  return runStack({ home, environment: process.env });
}

function optionsOf(): { readonly help: boolean; readonly provider: string } | null {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        provider: { type: 'string', default: 'local' },
      },
    });
    return values;
  } catch {
    return null;
  }
}

await exitOf(main);
