import { expect } from 'chai';
import fc from 'fast-check';

import { blobNameOf, blobPrefixOf, keyOf } from '../../../src/adapters/storage/azure-client.ts';

const key = fc
  .array(fc.constantFrom('a', 'b', '.', '..', '/', '\\', '%', '%2E', '%25', '2F', 'é', ' '), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''));

describe('names of blobs', () => {
  it('lead back to their keys, so that no two keys share a blob', () => {
    fc.assert(
      fc.property(key, (one) => {
        expect(keyOf(blobNameOf(one))).to.equal(one);
      }),
    );
  });

  it('hold nothing that Azure changes: a backslash, a dot or slash at an end, a walk upwards', () => {
    fc.assert(
      fc.property(key, (one) => {
        const name = blobNameOf(one);
        expect(name).to.not.match(/\\|\.$|\.\/|\/$|\/\//);
      }),
    );
  });

  it('begin with the prefix of a folder exactly when their keys do', () => {
    fc.assert(
      fc.property(key, key, (folder, rest) => {
        const prefix = `${folder}x/`;
        expect(blobNameOf(`${prefix}${rest.replace(/^\/+/, 'x')}`).startsWith(blobPrefixOf(prefix))).to.equal(
          true,
        );
        expect(blobNameOf(`${folder}y/${rest}`).startsWith(blobPrefixOf(prefix))).to.equal(false);
      }),
    );
  });

  it('stay as they are where keys are plain', () => {
    expect(blobNameOf('accounts/1/uploads/2/a b+c.pdb')).to.equal('accounts/1/uploads/2/a b+c.pdb');
    expect(blobPrefixOf('')).to.equal('');
  });
});
