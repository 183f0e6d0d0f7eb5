/** The built web app, read once: what `web/build` has written, in the forms in which browsers take it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import Joi from 'joi';

import type { AppFile, Forms, WebApp } from '../../../api/web-app/index.ts';

const DIST = join(import.meta.dirname, '../../../web/dist');

interface Manifest {
  readonly files: readonly Pick<AppFile, 'path' | 'mediaType'>[];
  readonly pages: readonly string[];
}

const manifest = Joi.object<Manifest>({
  files: Joi.array()
    .items(Joi.object({ path: Joi.string().required(), mediaType: Joi.string().required() }))
    .required(),
  pages: Joi.array().items(Joi.string()).required(),
});

/** Reads the app; null where it has not been built. */
export async function readWebApp(): Promise<WebApp | null> {
  const text = await readFile(join(DIST, 'files.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { files, pages } = Joi.attempt(JSON.parse(text), manifest);
  const read = await Promise.all(files.map(async (file) => ({ ...file, ...(await formsOf(file.path)) })));
  const document = read.find(({ path }) => path === '/index.html');
  if (document === undefined) throw new Error('The web app has no document.');
  return { document, pages, files: read.filter((file) => file !== document) };
}

async function formsOf(path: string): Promise<Forms> {
  const file = join(DIST, path);
  const [identity, gzip, br] = await Promise.all([
    readFile(file),
    readFile(`${file}.gz`),
    readFile(`${file}.br`),
  ]);
  return { identity, gzip, br };
}
