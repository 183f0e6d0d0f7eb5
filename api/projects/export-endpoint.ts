/** Declarations that all exports of scenes have in common. */
import Joi from 'joi';

import { EXPORT_FORMATS } from '../../src/domain/scene-exports.ts';
import type { ExportFormat } from '../../src/domain/scene-exports.ts';
import type { ExportedFile } from '../../src/services/scene-exports/index.ts';
import { sceneAnswer } from '../docking/scene-schemas.ts';
import type { Answer } from '../http/endpoint.ts';

/** The query of an export. */
export const exportQuery = Joi.object<{ readonly format: ExportFormat }, true>({
  format: Joi.string()
    .valid(...EXPORT_FORMATS)
    .default('mvsx')
    .example('mvsx')
    .description(
      'mvsx is a package with the data of the scene, a README and the signed receipts; mvsj is the scene alone, where everybody may read its data. Without it a package is answered.',
    ),
});

const HEADERS = {
  'Content-Disposition': 'Name of the file.',
  ETag: 'Digest that equal exports have in common.',
};
const SCENE = {
  kind: 'single',
  metadata: { version: '1' },
  root: { kind: 'root', children: [{ kind: 'canvas', params: { background_color: 'white' } }] },
};

/** The declaration that every export of a scene begins with. */
export const EXPORT = {
  method: 'GET',
  access: 'convert',
  limit: 'inspect',
  idempotency: 'none',
  query: exportQuery,
  answers: {
    200: {
      description: 'The file.',
      mediaType: 'application/zip',
      example: 'PK',
      headers: HEADERS,
      alsoAs: [{ mediaType: 'application/json', schema: sceneAnswer, example: SCENE }],
    },
  },
  errors: ['EXPORT_NOT_PUBLIC', 'RECEIPT_NOT_READY', 'SOURCE_TOO_LARGE', 'CHECKSUM_MISMATCH'],
} as const;

/** Describes an export of a scene. */
export function describeExport(what: string, scope: string): string {
  return `${what} as a file that an unmodified viewer of MolViewSpec opens. A package (mvsx) names its data by files inside; a scene alone (mvsj) by public addresses: those of the oldest open share that names the data, else of the archive of structures. Other data gives 422 EXPORT_NOT_PUBLIC. The key needs ${scope} besides.`;
}

/** The answer with an exported file. */
export function answerExport({
  name,
  mediaType,
  byteSize,
  digest,
  read,
  close,
}: ExportedFile): Answer<never> {
  return {
    status: 200,
    stream: read(),
    headers: {
      'Content-Type': mediaType,
      'Content-Length': String(byteSize),
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'private, no-cache',
      ETag: `"${digest}"`,
    },
    afterwards: () => void close(),
  };
}
