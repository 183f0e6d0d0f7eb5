/** Passwords are argon2id of the least strength that is advised, and computing them never takes the whole process. */
import { expect } from 'chai';

import { createPasswords } from '../../../src/services/people/index.ts';
import { codeOf } from '../../support/refusals.ts';

describe('passwords', () => {
  it('are argon2id with 19 MiB and two passes, each with a salt of its own', async () => {
    const passwords = createPasswords();
    const stored = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
    for (const digest of stored) expect(digest).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(stored[0]).to.not.equal(stored[1]);
    expect(await passwords.matches(stored[0] ?? null, 'correct horse')).to.equal(true);
    expect(await passwords.matches(stored[0] ?? null, 'correct horsf')).to.equal(false);
  });

  it('of nobody are compared with the same work, and none is right', async () => {
    const passwords = createPasswords();
    for (const password of ['', 'A', 'correct horse'])
      expect(await passwords.matches(null, password)).to.equal(false);
  });

  it('are the same in whatever form a keyboard sends their characters', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('na\u00efve caf\u00e9');
    expect(await passwords.matches(stored, 'nai\u0308ve cafe\u0301')).to.equal(true);
  });

  it('are computed two at a time, and who would wait for too long is told so', async () => {
    const passwords = createPasswords({ mostWaiting: 2 });
    const codes = await Promise.all(
      Array.from({ length: 7 }, () => codeOf(passwords.matches(null, 'correct horse'))),
    );
    expect(codes.filter((code) => code === 'accepted')).to.have.length(4);
    expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE')).to.have.length(3);
    expect(await passwords.matches(null, 'afterwards')).to.equal(false);
  });
});
