/** The types of the published client are those of the OpenAPI document. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect } from 'chai';

import type { operations } from '../../../src/client/api-types.ts';
import { ClientError } from '../../../src/client/index.ts';
import type { AnyErrorCode, FailureCode, WarningCode } from '../../../src/client/index.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('types of the client', () => {
  it('are those that docs/openapi.json gives', function () {
    this.timeout(240_000);
    execFileSync(process.execPath, ['scripts/client-types.ts', '--check'], { cwd: root, stdio: 'pipe' });
  });

  it('name the codes that each operation can answer, and let an editor suggest the others', () => {
    type Refused = operations['submitJob']['responses'][422]['content']['application/json'];
    const codes: readonly Refused['code'][] = ['BOX_MISSING', 'INPUT_CONFLICT'];
    // The codes of a status are those that are known today; one of tomorrow is text like any other.
    const tomorrow: Refused['code'] = 'A_CODE_OF_TOMORROW';
    expect(codes).not.to.include(tomorrow);
    // Plain string would hide the known codes.
    const failure: FailureCode = 'A_CODE_OF_TOMORROW';
    const warning: WarningCode = 'A_CODE_OF_TOMORROW';
    const known: readonly Extract<FailureCode, 'LIGAND_TOO_LARGE'>[] = ['LIGAND_TOO_LARGE'];
    const error = new ClientError('Lost.', { status: 0, code: 'CONNECTION_LOST' });
    const lost: Extract<AnyErrorCode, 'CONNECTION_LOST'> = 'CONNECTION_LOST';
    expect([failure, warning, ...known, error.code === lost]).to.deep.equal([
      ...['A_CODE_OF_TOMORROW', 'A_CODE_OF_TOMORROW', 'LIGAND_TOO_LARGE'],
      true,
    ]);
  });
});
