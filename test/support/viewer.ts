/**
 * The unmodified viewer of Mol* in headless Chromium: `molstar/build/viewer` as it is published, on a page of this machine. The browser reaches
 * nothing but the pages that a test serves.
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { launchChromium } from './chromium.ts';

/** A scene as a viewer shows it. */
export interface Shown {
  /** Atoms of all structures together. */
  readonly atoms: number;
  readonly camera: {
    readonly position: readonly number[];
    readonly target: readonly number[];
    readonly up: readonly number[];
  };
  /** Faults of loading and drawing, in the viewer's words. */
  readonly faults: readonly string[];
  /** The picture, as PNG. */
  readonly picture: Buffer;
  /** Addresses that the browser asked for and did not reach. */
  readonly refused: readonly string[];
}

/** A scene that is to be opened. */
export interface ViewedScene {
  readonly bytes: Uint8Array;
  readonly format: 'mvsj' | 'mvsx';
  /** Origins that the browser may reach, besides the page itself. */
  readonly origins?: readonly string[];
  /** Files of the page's own origin, by their paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A viewer of scenes. */
export interface Viewer {
  show(scene: ViewedScene): Promise<Shown>;
  /** How far two pictures are from each other: 0 where they are equal, 1 where all that the first one shows is elsewhere. */
  difference(expected: Uint8Array, shown: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

const SIZE = { width: 160, height: 120 } as const;
const PAGE = `<!doctype html><meta charset="utf-8"><div id="v" style="position:absolute;width:${SIZE.width}px;height:${SIZE.height}px"></div>
<script src="/molstar.js"></script>`;

let shared: Promise<Viewer | null> | null = null;

/** The viewer that the suites of a process share; null where no browser starts on this machine. */
export function sharedViewer(): Promise<Viewer | null> {
  shared ??= openViewer();
  return shared;
}

// In a test the hook belongs to mocha's root suite; a script that imports this file closes its viewer itself.
if (typeof after === 'function')
  after('closes the browser of this process', async () => {
    await (await shared)?.close();
  });

/** Opens the viewer; null where no browser starts on this machine. */
export async function openViewer(): Promise<Viewer | null> {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-chromium-'));
  const browser = await launchChromium(folder).catch(() => null);
  if (browser === null) {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
  let files: NonNullable<ViewedScene['files']> = {};
  const server = createServer((request, answer) => {
    const path = request.url ?? '/';
    const file = files[path];
    if (path === '/') answer.setHeader('content-type', 'text/html').end(PAGE);
    else if (path === '/molstar.js')
      createReadStream(join(repositoryRoot, 'node_modules/molstar/build/viewer/molstar.js')).pipe(answer);
    else if (file === undefined) answer.writeHead(404).end();
    else answer.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await browser.newPage({ viewport: SIZE });
  let allowed: readonly string[] = [origin];
  let refused: string[] = [];
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith('blob:') || url.startsWith('data:') || allowed.includes(new URL(url).origin))
      return route.continue();
    refused.push(url);
    return route.abort();
  });
  await page.goto(origin);
  await page.evaluate(create);
  return {
    async show({ bytes, format, origins = [], files: served = {} }) {
      files = served;
      allowed = [origin, ...origins];
      refused = [];
      const told = await page.evaluate(load, { base64: Buffer.from(bytes).toString('base64'), format });
      return { ...told, picture: await pictureOf(page), refused };
    },
    difference: (expected, drawn) =>
      page.evaluate(
        compare,
        [expected, drawn].map((png) => `data:image/png;base64,${Buffer.from(png).toString('base64')}`),
      ),
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The functions below run in the page, whose globals have no types here.
/* oxlint-disable typescript/no-explicit-any */
declare const molstar: any;
declare const globalThis: any;

async function create(): Promise<void> {
  globalThis.viewer = await molstar.Viewer.create('v', {
    ...{
      layoutIsExpanded: false,
      layoutShowControls: false,
      layoutShowLog: false,
      layoutShowSequence: false,
    },
    ...{ viewportShowExpand: false, collapseLeftPanel: true, pdbProvider: 'pdbe', emdbProvider: 'pdbe' },
    // One sample a pixel, no shadows, no picking: the picture is drawn by the processor.
    disableAntialiasing: true,
    transparency: 'blended',
    pickScale: 0.05,
  });
  globalThis.viewer.plugin.canvas3d.setProps({
    multiSample: { mode: 'off' },
    postprocessing: { enabled: false },
    marking: { enabled: false },
    hiZ: { enabled: false },
    camera: { helper: { axes: { name: 'off', params: {} } } },
  });
}

async function load({ base64, format }: { readonly base64: string; readonly format: string }) {
  const { plugin } = globalThis.viewer;
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  await plugin.clear();
  const faults: string[] = [];
  const heard = plugin.events.log.subscribe(({ type, message }: any) => {
    if (type === 'error') faults.push(String(message));
  });
  try {
    await globalThis.viewer.loadMvsData(format === 'mvsj' ? new TextDecoder().decode(bytes) : bytes, format);
  } catch (error) {
    faults.push(String(error));
  }
  heard.unsubscribe();
  const { canvas3d, state, managers } = plugin;
  for (const { errorText } of state.data.cells.values()) if (errorText) faults.push(String(errorText));
  await new Promise<void>((resolve) => {
    let left = 3;
    const drawn = canvas3d.didDraw.subscribe(() => {
      left -= 1;
      canvas3d.requestDraw();
      if (left > 0 || canvas3d.camera.transition.inTransition) return;
      drawn.unsubscribe();
      resolve();
    });
    canvas3d.requestDraw();
  });
  const { position, target, up } = canvas3d.camera.getSnapshot();
  const atoms = managers.structure.hierarchy.current.structures
    .map(({ cell }: any) => cell.obj.data.elementCount)
    .reduce((sum: number, count: number) => sum + count, 0);
  return { faults, atoms, camera: { position: [...position], target: [...target], up: [...up] } };
}

/** Small pictures differ little where lines are drawn by another rasteriser, and much where anything is missing or of another colour. */
async function compare(addresses: readonly string[]): Promise<number> {
  const [width, height] = [40, 30];
  const [expected, shown] = await Promise.all(
    addresses.map(async (address): Promise<Uint8ClampedArray> => {
      const picture = await globalThis.createImageBitmap(await (await fetch(address)).blob());
      const canvas = new globalThis.OffscreenCanvas(width, height).getContext('2d');
      canvas.imageSmoothingQuality = 'high';
      canvas.drawImage(picture, 0, 0, width, height);
      return canvas.getImageData(0, 0, width, height).data;
    }),
  );
  let [differing, drawn] = [0, 0];
  for (const [at, value] of (expected ?? []).entries()) {
    differing += Math.abs(value - (shown?.[at] ?? 0));
    drawn += Math.abs(value - (expected?.[at % 4] ?? 0));
  }
  return differing / drawn;
}

const DRAWING_MS = 120_000;

async function pictureOf(page: Page): Promise<Buffer> {
  // A processor draws what a graphics card would, so a busy machine takes its time.
  return page.screenshot({ type: 'png', clip: { x: 0, y: 0, ...SIZE }, timeout: DRAWING_MS });
}
