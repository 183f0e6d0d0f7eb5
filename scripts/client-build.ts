// `npm run client:build`: the package of src/client, compiled to src/client/dist, ready for `npm pack` in
// that folder. `--out <folder>` puts the whole package elsewhere.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src', 'client');
const { values } = parseArgs({ options: { out: { type: 'string' } } });
const target = values.out ?? source;
const dist = join(target, 'dist');

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const project = join(source, 'tsconfig.build.json');
execFileSync(process.execPath, [compiler, '-p', project, '--outDir', dist], { stdio: 'inherit' });

// The compiler leaves `.ts` in the imports of declarations; what is published has `.js`.
for (const file of globSync('**/*.d.ts', { cwd: dist })) {
  const path = join(dist, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/(from |import\()'(\.[^']*)\.ts'/g, "$1'$2.js'"));
}
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
if (target !== source) {
  for (const name of ['package.json', 'README.md']) cpSync(join(source, name), join(target, name));
}
