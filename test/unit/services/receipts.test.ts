/** Signatures of receipts: what was signed is proven, by this code and by another, and whatever is changed is found. */
import { createHash, webcrypto } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { RECEIPT_SCHEMA } from '../../../src/domain/receipts.ts';
import { createReceiptSigner } from '../../../src/services/receipts/keys.ts';
import type { ReceiptSigner } from '../../../src/services/receipts/keys.ts';
import { firstFileFault, verifyReceipt } from '../../../src/services/receipts/verify.ts';
import { canonicalJson } from '../../../src/tools/canonical.ts';
import type { Answers, SignedReceipt } from '../../../src/domain/answers.ts';

type Receipt = SignedReceipt['receipt'];
type ReceiptKeyList = Pick<Answers['listReceiptKeys'], 'keys'>;
type ReceiptOutput = SignedReceipt['receipt']['outputs'][number];

const AT = '2026-11-25T12:00:00.000000Z';
const OLD = `old:${'1'.repeat(64)}`;
const NEW = `new:${'2'.repeat(64)}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const outputOf = (name: string, content: string, taskIndex: number | null): ReceiptOutput => ({
  ...{ artifactId: `id of ${name}`, taskIndex, name },
  ...{ byteSize: Buffer.byteLength(content), sha256: sha256(content) },
});
const FILES = new Map([
  ['box.json', '{}'],
  ['ligands/a/poses.sdf', 'poses of a'],
  ['ligands/ä ü/poses.sdf', 'poses of another one'],
]);

const receipt: Receipt = {
  ...{ schema: RECEIPT_SCHEMA, issuer: 'https://dockyard.example.org' },
  ...{ jobId: 'd8f6c8de-6b39-4fd6-8a50-2d4c1f0b3a77', execution: 1, outcome: 'SUCCEEDED' },
  ...{ jobType: 'simulation', simulator: 'noop', requestSha256: sha256('request') },
  ...{ effectiveSeed: 42, toolchainSha256: [sha256('code')], cpuClasses: ['x86-64-v3'] },
  ...{ submittedAt: AT, startedAt: AT, settledAt: AT },
  tasks: { total: 2, verified: 2, failed: 0 },
  attempts: { started: 3, repeated: [{ taskIndex: 1, attempts: 2 }] },
  recoveries: [],
  inputs: [{ storageKey: 'accounts/a/ü.pdb', byteSize: 3, sha256: sha256('pdb') }],
  outputs: [...FILES].map(([name, content], index) =>
    outputOf(name, content, index === 0 ? null : index - 1),
  ),
  price: {
    ...{ priceBookVersion: 'book', currency: 'USD', totalMicro: 120_000, fxRateMicro: 790_000 },
    ...{ creditCurrency: 'GBP', heldCents: 10, chargedCents: 9, releasedCents: 1 },
  },
  transactions: [{ transferId: 't', type: 'charge', amountCents: 9 }],
};

const signerOf = (setting: string): ReceiptSigner => {
  const signer = createReceiptSigner(setting);
  if (signer === null) throw new Error('no key');
  return signer;
};
const keysOf = (...signers: readonly ReceiptSigner[]): ReceiptKeyList => ({
  keys: signers.flatMap(({ publicKeys }) =>
    publicKeys.map(({ keyId: kid, publicKey: x }) => ({
      ...({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' } as const),
      ...{ kid, x },
    })),
  ),
});
const signedBy = (signer: ReceiptSigner): SignedReceipt => ({
  receipt,
  signature: { algorithm: 'Ed25519', keyId: signer.keyId, value: signer.sign(canonicalJson(receipt)) },
});

/** The canonical JSON of RFC 8785, written anew: members by their UTF-16 code units, numbers and texts as ECMAScript writes them. */
const canonicalAnew = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalAnew).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalAnew(member)}`).join(',')}}`;
};

describe('the signature of a receipt', () => {
  const signer = signerOf(OLD);
  const signed = signedBy(signer);
  const text = JSON.stringify(signed);

  it('is proven with the public key, also by another implementation', async () => {
    expect(verifyReceipt(JSON.parse(text), keysOf(signer))).to.include({ ok: true });
    const [jwk] = keysOf(signer).keys;
    if (jwk === undefined) throw new Error('no key');
    const key = await webcrypto.subtle.importKey('jwk', { ...jwk, alg: 'Ed25519' }, 'Ed25519', false, [
      'verify',
    ]);
    const { receipt: parsed, signature } = JSON.parse(text) as SignedReceipt;
    const bytes = Buffer.from(canonicalAnew(parsed), 'utf8');
    const value = Buffer.from(signature.value, 'base64url');
    expect(await webcrypto.subtle.verify('Ed25519', key, value, bytes)).to.equal(true);
    bytes[7] = (bytes[7] ?? 0) ^ 1;
    expect(await webcrypto.subtle.verify('Ed25519', key, value, bytes)).to.equal(false);
  });

  it('does not hold for a receipt of which any character was changed', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('0', 'a', ' ', '"', '}', 'Z'), (at, character) => {
        const changed = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        let value: unknown;
        try {
          value = JSON.parse(changed);
        } catch {
          return;
        }
        const verdict = verifyReceipt(value, keysOf(signer));
        // A blank or another way to write the same value changes nothing of what was signed.
        expect(verdict.ok).to.equal(canonicalAnew(value) === canonicalAnew(JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('says which of form, key and signature differs', () => {
    const of = (value: unknown, keys = keysOf(signer)): unknown => {
      const verdict = verifyReceipt(value, keys);
      return verdict.ok ? 'ok' : verdict.what;
    };
    expect(of({ ...signed, receipt: { ...receipt, effectiveSeed: 43 } })).to.equal('signature');
    expect(of(signed, keysOf(signerOf(NEW)))).to.equal('key');
    expect(of(signed, keysOf(signerOf(`old:${'3'.repeat(64)}`)))).to.equal('signature');
    for (const wrong of [null, [], 'receipt', {}, { receipt }, { ...signed, more: 1 }])
      expect(of(wrong)).to.equal('form');
  });

  it('outlives a change of the key, and the new key signs', () => {
    const rotated = signerOf(`${NEW},${OLD}`);
    expect(rotated.keyId).to.equal('new');
    for (const one of [signed, signedBy(rotated)])
      expect(verifyReceipt(one, keysOf(rotated))).to.include({ ok: true });
  });

  it('asks for key ids that are told apart, and for a key', () => {
    expect(() => createReceiptSigner(`${OLD},${OLD}`)).to.throw('names a key id twice');
    expect(createReceiptSigner('')).to.equal(null);
  });
});

describe('the files of a receipt', () => {
  const signed = signedBy(signerOf(OLD));
  const among = (files: ReadonlyMap<string, string>) =>
    firstFileFault(signed, async ({ name }) => {
      const content = files.get(name);
      return content === undefined ? null : { byteSize: Buffer.byteLength(content), sha256: sha256(content) };
    });

  it('are compared by name, size and digest, and the first that differs is named', async () => {
    expect(await among(FILES)).to.equal(null);
    const [, first = '', second = ''] = FILES.keys();
    expect(await among(new Map([...FILES].filter(([name]) => name !== second)))).to.equal(
      `${second} is missing.`,
    );
    expect(await among(new Map([...FILES, [first, 'poses of b']]))).to.match(
      /^ligands\/a\/poses\.sdf has the SHA-256 /,
    );
    expect(await among(new Map([...FILES, [first, 'more'], [second, 'more']]))).to.equal(
      'ligands/a/poses.sdf has 4 bytes; the receipt says 10.',
    );
  });
});
