// Random names and paths: each is refused with a message, or the key that is made of it is harmless.
import { expect } from 'chai';
import fc from 'fast-check';

import { check } from '../../../api/http/validation.ts';
import { completeBody, multipartInitBody, partUrlsBody } from '../../../api/uploads/multipart-schemas.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { MAX_PARTS, partBytes, planParts } from '../../../src/domain/uploads.ts';
import type { MultipartInitRequest } from '../../../src/domain/uploads.ts';
import { compareParts, countParts, partsDigest } from '../../../src/services/uploads/parts.ts';
import { downloadName, keptFilename, uploadKey } from '../../../src/services/upload-key.ts';
import { runsOf } from '../../support/long.ts';

const PROJECT = '018f2f3a-0000-7000-8000-000000000009';
const S3 = { minBytes: 5 * 1024 ** 2, maxBytes: 5 * 1024 ** 3, maxParts: 10_000 };

/** Texts that look like paths, with characters that break paths. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        '%2e%2e',
        '\0',
        '\u0007',
        '\r\n',
        '🧪',
        '\ud800',
        '\u2024',
        '~',
        ' ',
        'con',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

const filenames = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', minLength: 1, maxLength: 5_000 }),
  fc.constant('x'.repeat(1_000)),
);

/** Mostly what is taken: where every part of a body is as strange as it can be, next to no body is taken. */
const mostly = <T, U>(taken: fc.Arbitrary<T>, strange: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ arbitrary: taken, weight: 8 }, { arbitrary: strange, weight: 1 });

/** Texts of pieces that look like paths, none of which makes a text that is refused for its characters. */
const tame = fc
  .array(fc.constantFrom('..', '.', 'a', '%2e%2e', '🧪', '\u2024', '~', ' b', 'con', 'pose', '1'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''));

const bodies = fc.record(
  {
    filename: mostly(tame, filenames),
    contentType: mostly(fc.constantFrom('text/plain', 'chemical/x-pdb'), nasty),
    size: mostly(
      fc.integer({ min: 1, max: 2 ** 40 }),
      fc.oneof(fc.maxSafeNat(), fc.double(), fc.constantFrom(0, -1, 2 ** 60, '1')),
    ),
    partSize: mostly(fc.integer({ min: 5 * 1024 ** 2, max: 2 ** 30 }), fc.constantFrom(0, -5, 1.5, 2 ** 53)),
    sha256: mostly(fc.constant('a'.repeat(64)), fc.oneof(fc.string(), fc.constant('A'.repeat(64)))),
    projectId: mostly(fc.constant(PROJECT), nasty),
    logicalPath: mostly(
      fc.array(tame, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
      nasty,
    ),
    checksumAlgorithm: mostly(fc.constant('sha256'), fc.constantFrom('md5', null)),
    jobType: mostly(fc.constantFrom('simulation', 'render'), nasty),
  },
  { requiredKeys: ['filename', 'contentType', 'size'] },
);

function keyOf(body: MultipartInitRequest): string | null {
  try {
    return uploadKey('account', 'upload', body);
  } catch (error) {
    expect(error).to.be.instanceOf(AppError).and.include({ code: 'VALIDATION_ERROR' });
    return null;
  }
}

function isHarmless(key: string): void {
  expect(key.startsWith('accounts/account/')).to.equal(true);
  expect(
    key.split('/').every((segment) => !['', '.', '..'].includes(segment)),
    key,
  ).to.equal(true);
  expect(key).not.to.match(/\p{Cc}/u);
  expect(key.isWellFormed()).to.equal(true);
  expect(Buffer.byteLength(key)).to.be.below(1_024);
}

describe('what is announced of uploads', () => {
  it('is refused, or becomes a key inside its account that every store takes', () => {
    let accepted = 0;
    fc.assert(
      fc.property(bodies, (body) => {
        const checked = check(multipartInitBody, body, false);
        if (!checked.ok) {
          expect(checked.message).to.match(/\S/);
          return;
        }
        accepted += 1;
        const key = keyOf(checked.value as MultipartInitRequest);
        if (key !== null) isHarmless(key);
        expect(keptFilename(body)).not.to.include('\0');
        expect(Buffer.byteLength(downloadName(keptFilename(body)))).to.be.within(1, 255);
      }),
      { numRuns: runsOf(3_000) },
    );
    expect(accepted).to.be.greaterThan(runsOf(500));
  });

  it('never leaves the folder of its project', () => {
    fc.assert(
      fc.property(nasty, filenames, (logicalPath, filename) => {
        const body = { filename, contentType: 'text/plain', size: 1, projectId: PROJECT, logicalPath };
        const checked = check(multipartInitBody, body, false);
        if (!checked.ok) return;
        const key = keyOf(checked.value as MultipartInitRequest);
        if (key === null) return;
        isHarmless(key);
        expect(key.startsWith(`accounts/account/projects/${PROJECT}/upload/`)).to.equal(true);
      }),
      { numRuns: runsOf(3_000) },
    );
  });
});

describe('the plan of parts', () => {
  it('covers every byte once, within the limits of the store', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 49 * 1024 ** 4 }),
        fc.option(fc.integer({ min: 1, max: 2 ** 50 }), { nil: undefined }),
        (size, asked) => {
          const plan = planParts(size, asked, S3);
          if (plan === null) {
            expect(size).to.be.greaterThan(S3.maxBytes * MAX_PARTS);
            return;
          }
          expect(plan.partCount).to.be.within(1, MAX_PARTS);
          expect(plan.partSize).to.be.within(S3.minBytes, S3.maxBytes);
          const last = partBytes(plan, size, plan.partCount);
          expect(last).to.be.within(1, plan.partSize);
          expect(plan.partSize * (plan.partCount - 1) + last).to.equal(size);
        },
      ),
    );
  });

  it('keeps the size that is asked for wherever it can', () => {
    expect(planParts(1e9, 6_000_000, S3)?.partSize).to.equal(6_000_000);
    expect(planParts(1e9, 1, S3)?.partSize).to.equal(S3.minBytes);
    expect(planParts(1e9, 2 ** 40, S3)?.partSize).to.equal(S3.maxBytes);
    expect(planParts(1e12, undefined, S3)).to.deep.equal({ partSize: 96 * 1024 ** 2, partCount: 9_935 });
    expect(planParts(2 ** 53 - 1, undefined, S3)).to.equal(null);
  });
});

describe('lists of parts', () => {
  const parts = fc.array(
    fc.record(
      {
        partNumber: fc.oneof(fc.integer({ min: -2, max: 12_000 }), fc.double(), fc.constantFrom('1', null)),
        etag: fc.oneof(fc.string(), fc.constant('x'.repeat(300))),
        checksumSha256: fc.oneof(
          fc.base64String(),
          fc
            .uint8Array({ minLength: 32, maxLength: 32 })
            .map((bytes) => Buffer.from(bytes).toString('base64')),
        ),
      },
      { requiredKeys: ['partNumber'] },
    ),
    { maxLength: 30 },
  );

  it('are refused, or hold each number once, in range, with digests of 32 bytes', () => {
    fc.assert(
      fc.property(parts, (list) => {
        for (const schema of [completeBody, partUrlsBody]) {
          const checked = check(schema as typeof completeBody, { parts: list }, false);
          if (!checked.ok) continue;
          const numbers = list.map(({ partNumber }) => Number(partNumber));
          expect(new Set(numbers).size).to.equal(list.length);
          for (const partNumber of numbers) {
            expect(Number.isInteger(partNumber)).to.equal(true);
            expect(partNumber).to.be.within(1, MAX_PARTS);
          }
          for (const { checksumSha256 } of list)
            if (checksumSha256 !== undefined) {
              const bytes = Buffer.from(checksumSha256, 'base64');
              expect([bytes.byteLength, bytes.toString('base64')]).to.deep.equal([32, checksumSha256]);
            }
        }
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('count exactly the parts that are stored whole, and complete nothing else', () => {
    const facts = { part_size: 10, part_count: 5, byte_size: 43, checksum_algorithm: null } as const;
    const stored = fc.uniqueArray(
      fc.record({
        partNumber: fc.integer({ min: 1, max: 8 }),
        etag: fc.constantFrom('"a"', '"b"', null),
        byteSize: fc.constantFrom(3, 10),
        checksumSha256: fc.constant(null),
      }),
      { selector: ({ partNumber }) => partNumber },
    );
    fc.assert(
      fc.property(stored, (list) => {
        const counted = countParts(facts, list);
        const whole = [1, 2, 3, 4, 5].filter((number) =>
          list.some(
            ({ partNumber, byteSize }) => partNumber === number && byteSize === (number < 5 ? 10 : 3),
          ),
        );
        expect(counted.received.map(({ partNumber }) => partNumber)).to.deep.equal(whole);
        expect([...whole, ...counted.missing].sort()).to.deep.equal([1, 2, 3, 4, 5]);
        const named = [1, 2, 3, 4, 5].map((partNumber) => ({ partNumber }));
        const complete = (): void => compareParts(facts, named, counted);
        if (whole.length === 5) complete();
        else expect(complete).to.throw(AppError).with.property('code', 'UPLOAD_INCOMPLETE');
        const other = counted.received.map((part) => ({ ...part, etag: '"c"' }));
        if (whole.length > 0) expect(partsDigest(other)).not.to.equal(partsDigest(counted.received));
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});
