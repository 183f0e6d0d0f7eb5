/** Secrets that are stored: sealed for one place, opened by the key that has sealed them. */
import { expect } from 'chai';

import { createSecretBox, openText, sealText } from '../../../src/services/secret-box.ts';

const [OLD, NEW] = [`old:${'0a'.repeat(32)}`, `new:${'0b'.repeat(32)}`];
const PLACE = 'license-server/a/b';

describe('sealed secrets', () => {
  it('come out as they went in, and look different each time', () => {
    const box = createSecretBox(OLD);
    for (const secret of ['s', 'Schlüssel ☃', 'x'.repeat(4_096)]) {
      const [first, second] = [box.seal(PLACE, secret), box.seal(PLACE, secret)];
      expect(box.open(PLACE, first)).to.equal(secret);
      expect(first.bytes.equals(second.bytes)).to.equal(false);
      // A single byte is found in random ones now and then.
      if (secret.length > 1) expect(first.bytes.includes(secret)).to.equal(false);
      expect(first.keyId).to.equal('old');
    }
  });

  it('do not open elsewhere, changed, cut, or with another key of the same name', () => {
    const box = createSecretBox(OLD);
    const sealed = box.seal(PLACE, 'secret');
    expect(() => box.open('license-server/a/c', sealed)).to.throw();
    for (let at = 0; at < sealed.bytes.length; at += 1) {
      const bytes = Buffer.from(sealed.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(() => box.open(PLACE, { ...sealed, bytes })).to.throw();
    }
    expect(() => box.open(PLACE, { ...sealed, bytes: sealed.bytes.subarray(0, -1) })).to.throw();
    expect(() => createSecretBox(`old:${'0c'.repeat(32)}`).open(PLACE, sealed)).to.throw();
  });

  it('are sealed by the first key and opened by each, and say which key is missing', () => {
    const sealed = createSecretBox(OLD).seal(PLACE, 'secret');
    const both = createSecretBox(`${NEW},${OLD}`);
    expect([both.keyId, both.keyIds]).to.deep.equal(['new', ['new', 'old']]);
    expect(both.open(PLACE, sealed)).to.equal('secret');
    expect(both.seal(PLACE, 'secret').keyId).to.equal('new');
    expect(() => createSecretBox(NEW).open(PLACE, sealed)).to.throw('The key old');
    expect(() => createSecretBox(`${OLD},${OLD}`)).to.throw('twice');
  });

  it('are one text where there is one column, and no other text opens', () => {
    const box = createSecretBox(OLD);
    const text = sealText(box, PLACE, 'secret');
    expect(text).to.match(/^old\.[\w-]+$/);
    expect(openText(createSecretBox(`${NEW},${OLD}`), PLACE, text)).to.equal('secret');
    expect(() => openText(box, 'license-server/a/c', text)).to.throw();
    for (const other of ['', 'old', 'old.', 'old.AAAA', `new${text.slice(3)}`, text.slice(0, -8)])
      expect(() => openText(box, PLACE, other), other).to.throw();
  });
});
