// `npm start -- --provider ec2-sim`: the embedded stack with a simulated EC2 for its jobs, until Ctrl-C. The simulation belongs to
// the tests, so this is a script of the checkout and no part of what is installed.
import { join, resolve } from 'node:path';

import { exitOf, runStack } from '../src/bin/process/run-stack.ts';
import { projectRoot } from '../src/stack/tools.ts';
import { openStackCloud } from '../test/support/ec2/cloud.ts';
import { tellCalls } from '../test/support/ec2/told.ts';
import { TEST_TOOLS } from '../test/support/test-tools.ts';

const BOOT_SECONDS = 5;
const LOST =
  'The simulated EC2 has ended: moto, in which its networks and instances were, was killed. The stack stops; start it again, and its open jobs go on.';

async function main(): Promise<number> {
  process.stdout.write('starting moto and the simulated EC2 before it …\n');
  const { cloud, settings, environment, lost, close } = await openStackCloud({ bootSeconds: BOOT_SECONDS });
  const told = (line: string): void => void process.stdout.write(`ec2: ${line}\n`);
  cloud.onEvent = tellCalls(told);
  told(`listens at ${cloud.url} (region ${cloud.region}); a machine boots for ${String(BOOT_SECONDS)} s`);
  try {
    return await runStack({
      home: resolve(process.env['DOCKYARD_HOME'] ?? join(projectRoot, '.dockyard')),
      environment: { ...process.env, ...environment },
      // The noop tool exercises what no tool of customers needs yet, such as GPUs.
      settings: { ...settings, DOCKYARD_FURTHER_PROVIDERS: 'local', DOCKYARD_TEST_TOOLS: TEST_TOOLS },
      lost: lost.then(() => LOST),
      more: [
        `  Simulated EC2  ${cloud.url}`,
        `  Its machines   ${cloud.machines.folder}`,
        `  A GPU          simulator noop with metadata.noop.instance {"gpus":1,"vcpus":4}`,
        `  Spot notice    curl -X POST ${cloud.url}/simulate/reclaim/INSTANCE_ID`,
      ],
    });
  } finally {
    await close();
  }
}

await exitOf(main);
