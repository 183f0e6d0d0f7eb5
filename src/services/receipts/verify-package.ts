/**
 * Proves the package of a scene without the service. The first part that differs is named, in this order: the receipts, the content, the data,
 * the scene, then the digests of all files. Of a revision all of it but the README is proven by its receipt; of a docking record the data is,
 * by the receipts of its jobs.
 */
import type { Answers, SignedReceipt } from '../../domain/answers.ts';
import { isRecord } from '../../domain/is-record.ts';
import type { SignedRevisionReceipt } from '../../domain/revision-receipts.ts';
import { PACKAGE } from '../../domain/scene-exports.ts';
import { withAddresses } from '../../scenes/addresses.ts';
import { addressOf } from '../../scenes/sources.ts';
import { canonicalJson, canonicalSha256 } from '../../tools/canonical.ts';
import { verifyReceipt, verifyRevisionReceipt } from './verify.ts';

type ReceiptKeyList = Pick<Answers['listReceiptKeys'], 'keys'>;

/** The files of a package: each with its digest, and the text of those that are read. */
export interface PackageFiles {
  readonly digests: ReadonlyMap<string, string>;
  /** The texts of all files but the data. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The verdict on a package: proven, or the first difference. */
export type PackageVerdict =
  | {
      readonly ok: true;
      /** The receipt of the revision; null where the scene is of a docking record, which has none. */
      readonly revision: SignedRevisionReceipt | null;
      readonly jobs: readonly SignedReceipt[];
      readonly dataFiles: number;
    }
  | { readonly ok: false; readonly file: string; readonly message: string };

/** The first part that differs. */
class Difference extends Error {
  readonly file: string;
  constructor(file: string, message: string) {
    super(message);
    this.file = file;
  }
}

/** Proves a package by public keys. */
export function verifyPackage(files: PackageFiles, keys: ReceiptKeyList): PackageVerdict {
  try {
    const jobs = jobReceiptsOf(files, keys);
    const revision = files.digests.has(PACKAGE.receipt) ? revisionOf(files, keys) : null;
    if (revision === null) provenByJobs(files, jobs);
    else provenByRevision(files, revision, jobs);
    provenSums(files);
    return { ok: true, revision, jobs: [...jobs.values()], dataFiles: dataOf(files).length };
  } catch (error) {
    if (error instanceof Difference) return { ok: false, file: error.file, message: error.message };
    throw error;
  }
}

/** The receipts of jobs, by the digests of what was signed. */
function jobReceiptsOf({ texts }: PackageFiles, keys: ReceiptKeyList): ReadonlyMap<string, SignedReceipt> {
  const receipts = new Map<string, SignedReceipt>();
  for (const [name, text] of texts) {
    if (!name.startsWith(PACKAGE.jobs)) continue;
    const verdict = verifyReceipt(parsed(name, text), keys);
    if (!verdict.ok) throw new Difference(name, verdict.message);
    const { jobId, execution } = verdict.signed.receipt;
    if (name !== `${PACKAGE.jobs}${jobId}-${execution}.json`)
      throw new Difference(name, `It is the receipt of execution ${execution} of the job ${jobId}.`);
    receipts.set(canonicalSha256(verdict.signed.receipt), verdict.signed);
  }
  return receipts;
}

function revisionOf(files: PackageFiles, keys: ReceiptKeyList): SignedRevisionReceipt {
  const verdict = verifyRevisionReceipt(parsed(PACKAGE.receipt, textOf(files, PACKAGE.receipt)), keys);
  if (verdict.ok) return verdict.signed;
  throw new Difference(PACKAGE.receipt, verdict.message);
}

function provenByRevision(
  files: PackageFiles,
  { receipt }: SignedRevisionReceipt,
  jobs: ReadonlyMap<string, SignedReceipt>,
): void {
  const { contentSha256, sources, structures } = receipt;
  differsUnless(files, PACKAGE.content, contentSha256, 'the receipt');
  const named = new Set(receipt.jobs.flatMap(({ receipts }) => receipts.map(({ sha256 }) => sha256)));
  for (const sha256 of named)
    if (!jobs.has(sha256))
      throw new Difference(PACKAGE.jobs, `The receipt of a job with the SHA-256 ${sha256} is missing.`);
  for (const [sha256, { receipt: job }] of jobs)
    if (!named.has(sha256))
      throw new Difference(PACKAGE.jobs, `The receipt of the revision names none of the job ${job.jobId}.`);
  const names = new Map<string, string>();
  const wanted = [
    ...sources.map(({ artifactId, name, sha256 }) => ({
      name,
      sha256,
      address: addressOf({ kind: 'asset', artifactId }),
    })),
    ...structures.map(({ pdbId, sha256 }) => ({
      name: `the entry ${pdbId}`,
      sha256,
      address: addressOf({ kind: 'structure', pdbId, sha256 }),
    })),
  ];
  refuseUnknownData(files, new Set(wanted.map(({ sha256 }) => sha256)));
  const byDigest = new Map(dataOf(files).map(([name, sha256]) => [sha256, name]));
  for (const { name, sha256, address } of wanted) {
    const file = byDigest.get(sha256);
    if (file === undefined)
      throw new Difference(
        PACKAGE.data,
        `There is no file with the SHA-256 ${sha256}, which the receipt has of ${name}.`,
      );
    names.set(address, file);
  }
  provenScene(files, names);
}

/** The scene is that of the content, with the names of files in place of addresses. */
function provenScene(files: PackageFiles, names: ReadonlyMap<string, string>): void {
  const content = parsed(PACKAGE.content, textOf(files, PACKAGE.content));
  const scene = isRecord(content) ? content['scene'] : undefined;
  const expected = withAddresses(scene, (source, address) => names.get(addressOf(source)) ?? address);
  if (!isRecord(expected) || canonicalJson(expected) !== textOf(files, PACKAGE.scene))
    throw new Difference(PACKAGE.scene, `It is not the scene of ${PACKAGE.content}.`);
}

function provenByJobs(files: PackageFiles, jobs: ReadonlyMap<string, SignedReceipt>): void {
  if (jobs.size === 0) throw new Difference(PACKAGE.receipt, 'The package has no signed receipt.');
  const outputs = [...jobs.values()].flatMap(({ receipt }) => receipt.outputs.map(({ sha256 }) => sha256));
  refuseUnknownData(files, new Set(outputs));
}

function refuseUnknownData(files: PackageFiles, known: ReadonlySet<string>): void {
  for (const [name, sha256] of dataOf(files))
    if (!known.has(sha256))
      throw new Difference(name, `It has the SHA-256 ${sha256}, which no receipt names.`);
}

/** Every file is listed with its digest, and no other is. */
function provenSums(files: PackageFiles): void {
  const lines = textOf(files, PACKAGE.sums).split('\n');
  if (lines.pop() !== '') throw new Difference(PACKAGE.sums, 'It does not end with a line.');
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const [name] of files.digests)
    if (name !== PACKAGE.sums) differsUnless(files, name, listed.get(name) ?? 'none', PACKAGE.sums);
  if (listed.size !== files.digests.size - 1 || lines.some((line) => line.slice(64, 66) !== '  '))
    throw new Difference(PACKAGE.sums, 'It lists other files than there are.');
}

function differsUnless({ digests }: PackageFiles, name: string, sha256: string, by: string): void {
  const found = digests.get(name);
  if (found === undefined) throw new Difference(name, 'It is missing.');
  if (found !== sha256) throw new Difference(name, `It has the SHA-256 ${found}; ${by} says ${sha256}.`);
}

function dataOf({ digests }: PackageFiles): readonly (readonly [string, string])[] {
  return [...digests].filter(([name]) => name.startsWith(PACKAGE.data));
}

function textOf({ texts }: PackageFiles, name: string): string {
  const text = texts.get(name);
  if (text === undefined) throw new Difference(name, 'It is missing.');
  return text;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Difference(name, 'It is no JSON.');
  }
}
