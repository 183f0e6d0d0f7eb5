#!/usr/bin/env node
// The operator command line, under the pinned Node. The command line goes straight to work; only a checkout that was
// never set up is brought up first.
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
// Stripping types takes more time and memory than most commands do themselves: done once, kept from then on.
const cache = process.env.NODE_COMPILE_CACHE || path.join(projectRoot, '.cache', 'node-compile');
const env = { ...process.env, NODE_COMPILE_CACHE: cache };
// Commands live for seconds or minutes: a large young generation would only be memory that is never given back.
const flags = ['--max-semi-space-size=4'];
const child = spawn(pinnedNode, [...flags, entry, ...process.argv.slice(2)], { stdio: 'inherit', env });
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
