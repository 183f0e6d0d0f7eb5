/**
 * Makes the package of a scene: a zip archive that a viewer of MolViewSpec opens as it is, with the data of the scene under names with
 * endings, a README, and what was signed. A source that is lost is named in the README, and the rest opens.
 */
import type { Readable } from 'node:stream';

import { AppError } from '../../domain/errors.ts';
import { MOST_PACKAGE_BYTES, PACKAGE, packageNames } from '../../domain/scene-exports.ts';
import { addressOf } from '../../scenes/sources.ts';
import type { SceneSource } from '../../scenes/sources.ts';
import { withAddresses } from '../../scenes/addresses.ts';
import { canonicalJson } from '../../tools/canonical.ts';
import type { OpenArtifact } from '../artifacts.ts';
import { readmeOf } from './readme.ts';
import { createZipFile } from './zip-file.ts';
import type { ZipFile } from './zip-file.ts';

/** A file that was made to be sent or stored. */
export interface ExportedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly byteSize: number;
  /** Stands for the bytes: equal exports have equal ones. */
  readonly digest: string;
  /** Sources that are not stored any more. */
  readonly lost: readonly string[];
  /** The bytes, once. */
  readonly read: () => Readable;
  /** Gives up a file that nobody reads. */
  readonly close: () => Promise<void>;
}

/** Parts of which a package is made. */
export interface PackageParts {
  readonly name: string;
  readonly title: string;
  readonly scene: unknown;
  readonly sources: readonly SceneSource[];
  /** Files beside the scene and its data, by their names. */
  readonly beside: Readonly<Record<string, string>>;
  readonly open: (source: SceneSource) => Promise<OpenArtifact>;
}

const FIRST_BYTE = { start: 0, end: 0 };
/** Codes that say that a source cannot be read any more. */
const LOST: readonly string[] = ['NOT_FOUND', 'SOURCE_LOST', 'CHECKSUM_MISMATCH'];

/** Makes a package. @throws SOURCE_TOO_LARGE. */
export async function makePackage(parts: PackageParts): Promise<ExportedFile> {
  const { files, lost } = await openSources(parts);
  const zip = await createZipFile();
  try {
    const sums = await writeParts(zip, parts, files, lost);
    const text = sums.map(([name, sha256]) => `${sha256}  ${name}\n`).join('');
    const { sha256: digest } = await zip.add(PACKAGE.sums, text);
    const byteSize = await zip.end();
    return {
      name: `${parts.name}.mvsx`,
      mediaType: 'application/zip',
      byteSize,
      digest,
      lost,
      read: () => zip.read(),
      close: () => zip.close(),
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

type Sums = readonly (readonly [name: string, sha256: string])[];

async function writeParts(
  zip: ZipFile,
  { title, scene, beside }: PackageParts,
  files: ReadonlyMap<string, OpenArtifact>,
  lost: readonly string[],
): Promise<Sums> {
  const { names, data } = namesOf(files);
  const index = withAddresses(scene, (source, address) => names.get(addressOf(source)) ?? address);
  const texts = { [PACKAGE.scene]: jsonOf(index), ...beside };
  const sums: (readonly [string, string])[] = [];
  const readme = readmeOf({ title, lost, data, others: Object.keys(texts) });
  for (const [name, text] of Object.entries({ ...texts, [PACKAGE.readme]: readme }))
    sums.push([name, (await zip.add(name, text)).sha256]);
  for (const [name, file] of data) {
    const { sha256 } = await zip.add(name, await file.open());
    if (sha256 !== file.sha256)
      throw new AppError('CHECKSUM_MISMATCH', `The stored bytes of ${file.name} are not those that it had.`);
    sums.push([name, sha256]);
  }
  return sums;
}

/** Names of the data by address, and the files by name: equal files are there once. */
function namesOf(files: ReadonlyMap<string, OpenArtifact>): {
  readonly names: ReadonlyMap<string, string>;
  readonly data: ReadonlyMap<string, OpenArtifact>;
} {
  const nameOf = packageNames();
  const [names, data] = [new Map<string, string>(), new Map<string, OpenArtifact>()];
  const ofDigest = new Map<string, string>();
  for (const [address, file] of files) {
    const name = ofDigest.get(file.sha256) ?? nameOf(file);
    ofDigest.set(file.sha256, name);
    names.set(address, name);
    data.set(name, file);
  }
  return { names, data };
}

/** Opens the sources and a byte of each, so that what is lost is known before anything is written. */
async function openSources({ sources, open }: PackageParts): Promise<{
  readonly files: ReadonlyMap<string, OpenArtifact>;
  readonly lost: readonly string[];
}> {
  const files = new Map<string, OpenArtifact>();
  const lost: string[] = [];
  let byteSize = 0;
  for (const source of sources)
    try {
      const file = await open(source);
      (await file.open(FIRST_BYTE)).destroy();
      files.set(addressOf(source), file);
      byteSize += file.byteSize;
    } catch (error) {
      if (!(error instanceof AppError) || !LOST.includes(error.code)) throw error;
      lost.push(`${addressOf(source)}: ${error.message}`);
    }
  if (byteSize > MOST_PACKAGE_BYTES)
    throw new AppError(
      'SOURCE_TOO_LARGE',
      `The files of the scene have ${byteSize} bytes together; a package has at most ${MOST_PACKAGE_BYTES}.`,
    );
  return { files, lost };
}

function jsonOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? canonicalJson(value) : 'null';
}
