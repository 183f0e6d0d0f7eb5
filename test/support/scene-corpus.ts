/**
 * The corpus of scenes: scenes of a release with their data, and what a viewer showed of them. A scene names its data as scenes do here, by
 * `/api/v1/molecular/assets/{artifactId}`; the files of the ids are in the folder, packed.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { checkScene } from '../../src/scenes/check.ts';
import { makePackage } from '../../src/services/scene-exports/package.ts';
import type { Shown } from './viewer.ts';

/** The folder of the corpus. */
export const CORPUS = join(repositoryRoot, 'test', 'fixtures', 'scenes');

/** Facts of a scene as a viewer showed it. */
export type Seen = Pick<Shown, 'atoms' | 'camera'>;

/** The record of the corpus. */
export interface CorpusRecord {
  /** The version of Mol* that has shown the scenes. */
  readonly molstar: string;
  /** The names of the data by the ids of artifacts. */
  readonly assets: Readonly<Record<string, string>>;
  readonly scenes: Readonly<Record<string, Seen>>;
}

/** The version of Mol* that is installed. */
export function installedMolstar(): string {
  const path = join(repositoryRoot, 'node_modules', 'molstar', 'package.json');
  const { version }: { readonly version: string } = JSON.parse(readFileSync(path, 'utf8'));
  return version;
}

/** Reads the record. */
export function readCorpus(): CorpusRecord {
  const record: CorpusRecord = JSON.parse(readFileSync(join(CORPUS, 'corpus.json'), 'utf8'));
  return record;
}

/** The text of a scene. */
export function corpusScene(name: string): string {
  return readFileSync(join(CORPUS, `${name}.json`), 'utf8');
}

/** The place of the picture of a scene. */
export function pictureFile(name: string): string {
  return join(CORPUS, 'pictures', `${name}.png`);
}

/** The bytes of a file with data. */
export function corpusFile(name: string): Buffer {
  return gunzipSync(readFileSync(join(CORPUS, 'data', `${name}.gz`)));
}

/** The package of a scene, as an export makes it, without receipts. */
export async function packageOf(record: CorpusRecord, name: string): Promise<Buffer> {
  const scene: unknown = JSON.parse(corpusScene(name));
  const made = await makePackage({
    ...{ name, title: name, scene, beside: {} },
    sources: checkScene(scene).sources,
    open: async (source) => {
      const file = source.kind === 'asset' ? (record.assets[source.artifactId] ?? '') : source.pdbId;
      const bytes = corpusFile(file);
      return {
        ...{ name: file, mediaType: 'application/octet-stream', byteSize: bytes.byteLength },
        sha256: createHash('sha256').update(bytes).digest('hex'),
        open: () => Promise.resolve(Readable.from([bytes])),
      };
    },
  });
  return buffer(made.read());
}
