import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

const LOGGER = fileURLToPath(new URL('../../../src/bin/process/logger.ts', import.meta.url));

/** A process of ours that ends by what `crash` throws. */
const endOf = (crash: string): { status: number | null; printed: string } => {
  const script = `
    import { createLogger, logCrashes } from ${JSON.stringify(LOGGER)};
    import { QueryFailedError } from 'typeorm';
    logCrashes(createLogger('test', 'info'));
    const failed = new QueryFailedError('select $1', ['the ligand'], Object.assign(new Error('gone'), { code: '42P01' }));
    ${crash}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    encoding: 'utf8',
  });
  return { status, printed: stdout + stderr };
};

describe('a process that ends by an error that nobody has caught', () => {
  for (const [what, crash] of [
    ['thrown', 'setImmediate(() => { throw failed; });'],
    ['rejected', 'void Promise.reject(failed);'],
  ] as const)
    it(`fails and says why, without the data of customers: ${what}`, () => {
      const { status, printed } = endOf(crash);
      expect(status).to.equal(1);
      expect(printed).to.contain('"msg":"the process ends by an error').and.contain('42P01');
      expect(printed).not.to.contain('the ligand');
    });
});
