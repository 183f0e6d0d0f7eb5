/**
 * Builds the app into `dist`, asking no other host: the files with what they weigh as gzip and brotli, and `files.json`, which tells the API
 * process what there is and at which addresses there are pages. With `--pseudo FOLDER` everything goes into that folder, in the pseudo-language
 * of tests.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { build } from 'vite';

import { routes } from '../src/app/routes.ts';
import { compileMessages } from './messages.ts';
import { dist as usualDist } from './paths.ts';
import { configOf } from './vite.config.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

const [, , mode, folder] = process.argv;
const pseudo = mode === '--pseudo' && folder !== undefined ? folder : null;
const dist = pseudo === null ? usualDist : join(pseudo, 'dist');
await compileMessages(pseudo === null ? {} : { pseudo: true, cache: pseudo });
await build(configOf(pseudo === null ? {} : { dist, messages: join(pseudo, 'messages/messages.js') }));

const names = globSync('**/*.*', { cwd: dist }).sort();
const files = await Promise.all(names.map(pack));
const pages = routes.map(({ path }) => path.replaceAll('$', ':'));
writeFileSync(join(dist, 'files.json'), JSON.stringify({ files, pages }));

async function pack(name: string): Promise<{ readonly path: string; readonly mediaType: string }> {
  const file = join(dist, name);
  const content = readFileSync(file);
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params: size }));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  const mediaType = MEDIA_TYPES[extname(name)];
  if (mediaType === undefined) throw new Error(`${name} has no media type.`);
  return { path: `/${name}`, mediaType };
}
