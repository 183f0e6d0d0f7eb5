/**
 * The parts of an upload: which of those the store has count, and whether they are the ones that a completion names.
 */
import { createHash } from 'node:crypto';

import type { StoredPart } from '../../adapters/storage/storage.ts';
import { AppError } from '../../domain/errors.ts';
import { partBytes } from '../../domain/uploads.ts';
import type { NamedPart } from '../../domain/uploads.ts';
import type { UploadRow } from './rows.ts';

/** The facts of an upload that decide which parts count. */
export type PartFacts = Pick<UploadRow, 'part_size' | 'part_count' | 'byte_size' | 'checksum_algorithm'>;

/** Parts by whether they count. */
export interface PartCount {
  readonly received: readonly StoredPart[];
  readonly missing: readonly number[];
  /** Parts that are stored with another size than planned, or without the digest that the store was to check. */
  readonly wrong: readonly StoredPart[];
}

const NUMBERS_SHOWN = 20;

/** Counts the parts that the store has. A part with a number beyond the last part does not belong to the file. */
export function countParts(facts: PartFacts, stored: readonly StoredPart[]): PartCount {
  const plan = { partSize: facts.part_size, partCount: facts.part_count };
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const received: StoredPart[] = [];
  const missing: number[] = [];
  const wrong: StoredPart[] = [];
  for (let partNumber = 1; partNumber <= facts.part_count; partNumber += 1) {
    const part = byNumber.get(partNumber);
    const counts =
      part?.byteSize === partBytes(plan, facts.byte_size, partNumber) &&
      (facts.checksum_algorithm === null || part.checksumSha256 !== null);
    if (part !== undefined && counts) received.push(part);
    else missing.push(partNumber);
    if (part !== undefined && !counts) wrong.push(part);
  }
  return { received, missing, wrong };
}

/** Digest over parts as the store has them: the same numbers, ETags, sizes and digests, and no others. */
export function partsDigest(parts: readonly StoredPart[]): string {
  const digest = createHash('sha256');
  for (const { partNumber, etag, byteSize, checksumSha256 } of parts) {
    digest.update(`${partNumber} ${etag ?? ''} ${byteSize} ${checksumSha256 ?? ''}\n`);
  }
  return digest.digest('hex');
}

/** Refuses numbers beyond the last part. @throws VALIDATION_ERROR. */
export function checkNumbers(facts: PartFacts, parts: readonly { readonly partNumber: number }[]): void {
  const beyond = parts.findIndex(({ partNumber }) => partNumber > facts.part_count);
  if (beyond < 0) return;
  throw new AppError(
    'VALIDATION_ERROR',
    `parts.${beyond}.partNumber: the upload has ${facts.part_count} parts, numbered from 1.`,
  );
}

/** Demands a digest for each part of an upload in checksum mode. @throws PART_CHECKSUM_REQUIRED. */
export function demandChecksums(facts: PartFacts, parts: readonly NamedPart[]): void {
  if (facts.checksum_algorithm === null) return;
  const without = parts.findIndex(({ checksumSha256 }) => checksumSha256 === undefined);
  if (without < 0) return;
  throw new AppError(
    'PART_CHECKSUM_REQUIRED',
    `parts.${without}.checksumSha256: is required, because the upload was started with part checksums.`,
  );
}

/** Why the stored parts cannot be put together yet; null when all are there. */
export function incomplete(counted: PartCount): string | null {
  if (counted.missing.length === 0) return null;
  const wrong = counted.wrong.map(({ partNumber }) => partNumber);
  const note =
    wrong.length === 0 ? '' : `; stored with a wrong size or without its digest: ${numbers(wrong)}`;
  return `The store has not all parts. Missing: ${numbers(counted.missing)}${note}. Send them, then repeat the call.`;
}

/**
 * Compares the parts that a completion names with the parts that the store has.
 * @throws UPLOAD_INCOMPLETE, which leaves the upload open.
 */
export function compareParts(facts: PartFacts, named: readonly NamedPart[], counted: PartCount): void {
  const problem = incomplete(counted) ?? unnamed(facts, named) ?? different(facts, named, counted.received);
  if (problem !== null) throw new AppError('UPLOAD_INCOMPLETE', problem, { retryAfterSeconds: 1 });
}

function unnamed(facts: PartFacts, named: readonly NamedPart[]): string | null {
  if (named.length === facts.part_count) return null;
  const known = new Set(named.map(({ partNumber }) => partNumber));
  const all = Array.from({ length: facts.part_count }, (_, index) => index + 1);
  const left = all.filter((partNumber) => !known.has(partNumber));
  return `All parts are stored, but the call does not name ${numbers(left)}. Name every part.`;
}

function different(
  facts: PartFacts,
  named: readonly NamedPart[],
  received: readonly StoredPart[],
): string | null {
  const stored = new Map(received.map((part) => [part.partNumber, part]));
  for (const { partNumber, etag, checksumSha256 } of named) {
    const part = stored.get(partNumber);
    if (part === undefined) continue;
    if (etag !== undefined && etag !== '' && part.etag !== null && bare(etag) !== bare(part.etag)) {
      return `Part ${partNumber} is stored with another ETag than the one named. Send the part again.`;
    }
    if (facts.checksum_algorithm !== null && checksumSha256 !== part.checksumSha256) {
      return `Part ${partNumber} is stored with another SHA-256 than the one named. Send the part again.`;
    }
  }
  return null;
}

/** Compares ETags without their quotes, because clients send ETags with quotes and without. */
function bare(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}

function numbers(list: readonly number[]): string {
  const shown = list.slice(0, NUMBERS_SHOWN).join(', ');
  return list.length > NUMBERS_SHOWN ? `${shown} … (${list.length} in all)` : shown;
}
