/** Facts of structure files, read once for each digest and kept. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { DataSource } from 'typeorm';

import type { FactsReader } from '../../adapters/chemistry/structure-facts.ts';
import { AppError } from '../../domain/errors.ts';
import type { FactsFormat, StructureFacts } from '../../domain/structure-facts.ts';
import type { OpenArtifact } from '../artifacts.ts';

/** Where facts are kept, and who reads them. */
export interface FactsDependencies {
  readonly db: DataSource;
  readonly reader: Pick<FactsReader, 'read'>;
}

/** Facts of opened files. */
export interface FactsServices {
  /** @throws STRUCTURE_UNREADABLE, SERVICE_UNAVAILABLE, SOURCE_LOST, CHECKSUM_MISMATCH. */
  of(file: OpenArtifact): Promise<StructureFacts>;
}

/** Raised when facts are read in another way. */
const READER = 1;
const RETRY_AFTER_SECONDS = 10;
const FORMATS: ReadonlyMap<string, FactsFormat> = new Map([
  ['chemical/x-pdb', 'pdb'],
  ['chemical/x-mmcif', 'mmcif'],
]);

/** Makes the services. Requests for one file that come while it is read share the reading. */
export function createFacts(deps: FactsDependencies): FactsServices {
  const running = new Map<string, Promise<StructureFacts>>();
  return {
    async of(file) {
      const format = FORMATS.get(file.mediaType);
      if (format === undefined)
        throw new AppError(
          'STRUCTURE_UNREADABLE',
          `Facts are read of pdb and mmcif; this file is ${file.mediaType}.`,
        );
      const known = await deps.db.query<{ readonly facts: StructureFacts }[]>(
        'select facts from structure_facts where sha256 = $1 and format = $2 and reader = $3',
        [file.sha256, format, READER],
      );
      if (known[0] !== undefined) return known[0].facts;
      const name = `${file.sha256}.${format}`;
      const joined = running.get(name) ?? readOnce(deps, file, format).finally(() => running.delete(name));
      running.set(name, joined);
      return joined;
    },
  };
}

/** Reads a file by way of this machine's disk, so that no more than a piece of it is in this process. */
async function readOnce(
  { db, reader }: FactsDependencies,
  file: OpenArtifact,
  format: FactsFormat,
): Promise<StructureFacts> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-facts-'));
  try {
    const path = join(folder, 'structure');
    await pipeline(await file.open(), createWriteStream(path));
    const answer = await reader.read(path, format);
    if (answer === null)
      throw new AppError('SERVICE_UNAVAILABLE', 'The file could not be read at the moment. Ask again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    if (!answer.ok) throw new AppError('STRUCTURE_UNREADABLE', `The file cannot be read: ${answer.message}`);
    await db.query(
      'insert into structure_facts (sha256, format, reader, facts) values ($1, $2, $3, $4::jsonb) on conflict do nothing',
      [file.sha256, format, READER, JSON.stringify(answer.facts)],
    );
    return answer.facts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
