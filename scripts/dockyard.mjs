#!/usr/bin/env node
// The operator command line, under the pinned Node. It goes straight to work; only a checkout that was never set up
// is brought up first.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ensurePackages, pinnedNode, projectRoot } from './lib/packages.mjs';
import { exitFor } from './setup.mjs';

if (!fs.existsSync(pinnedNode)) {
  try {
    await ensurePackages();
  } catch (error) {
    process.exit(exitFor(error));
  }
}

const entry = path.join(projectRoot, 'src', 'bin', 'dockyard.ts');
const child = spawn(pinnedNode, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => {
  process.stderr.write('The pinned Node could not be started (' + error.message + '); try: npm run setup\n');
  process.exit(3);
});
child.on('exit', (code, signal) => process.exit(signal ? 130 : code === null ? 1 : code));
