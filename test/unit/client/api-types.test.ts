/** The types of the published client are those of the OpenAPI document. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

describe('types of the client', () => {
  it('are those that docs/openapi.json gives', function () {
    this.timeout(60_000);
    execFileSync(process.execPath, ['scripts/client-types.ts', '--check'], { cwd: root, stdio: 'pipe' });
  });
});
